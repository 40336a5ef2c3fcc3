import { html } from 'hono/html';
import { z } from 'zod';
import { packListing } from '../../../catalog/packs.ts';
import type { Html, Page } from '../../../core/html/html_page.ts';
import { creditsLabel } from '../frame.ts';
import { addressHere } from '../tools/result_html.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { WALLET_ACTS } from './acts.ts';
import { assetsSection } from './assets_section.ts';
import { backCookie, backField, backTitle, rememberedBack, safeBack } from './back.ts';
import { act, afterwards, type Done, wordsOf } from './form_acts.ts';
import { invoicesSection } from './invoices_section.ts';
import { WALLET_FORM } from './limits.ts';
import { ownerSections } from './owner_sections.ts';
import { doneField, type SaidName, saidHtml } from './said.ts';
import { keySection, proveForm, signIn } from './sign_in.ts';
import { statementSection } from './statement_section.ts';
import { tablesSection } from './tables_section.ts';
import { walletCookie } from './wallet_cookie.ts';
import { worthHtml } from './worth_html.ts';

/** What a visitor owns here: balance, statement, keys, rules, files. Without a wallet: how to get one. */
export const walletPage = definePage({
  name: 'wallet',
  path: '/wallet',
  input: z.object({ cursor: z.string().max(20).optional(), done: doneField, back: backField }),
  form: WALLET_FORM,
  show: async ({ cursor, done: said, back: from }, visit) => {
    const { publicUrl } = visit.studio;
    const back = safeBack(from ?? visit.form?.get('back')?.toString(), publicUrl);
    const cookie = back === undefined ? {} : { cookie: backCookie(back, visit.studio) };
    if (!visit.form) return { ...(await page(visit, { cursor, said, back })), ...cookie };
    try {
      const done = await act(WALLET_ACTS, visit, visit.form);
      if (done.opened) return openedPage(done, { back, publicUrl });
      if (done.newKey) return page(visit, { done });
      return afterwards(done, (done.signIn && back) || '/wallet', publicUrl);
    } catch (error) {
      return page(visit, { problem: wordsOf(error), back });
    }
  },
});

/** An account that this server keeps: the link is shown this once. */
const openedPage = (
  { opened, signIn: bearer }: Done,
  { back, publicUrl }: { back: string | undefined; publicUrl: string },
): Shown => ({
  title: 'Your account is open',
  files: ['studio.css', 'wallet.css', 'copy.ts'],
  cookie: walletCookie(bearer ?? undefined, publicUrl),
  body: html`<p class="lead">${opened!.credits === 0 ? 'It has no credits yet: the welcome credits of today for your network are used up.' : `It has ${creditsLabel(opened!.credits)}.`}</p>
<p>This server keeps its key until you take it over. Save this link: it is shown only now, and without it the account ends when you leave this browser.</p>
<at-copy><pre>${opened!.claimUrl}</pre></at-copy>
<p><a class="button main" href="${back ?? '/wallet'}">Go on</a></p>`,
});

interface Said {
  readonly cursor?: string | undefined;
  readonly done?: Done;
  /** What was done before this page was asked for. */
  readonly said?: SaidName | undefined;
  /** Why what was asked did not happen. */
  readonly problem?: string;
  /** The page the visitor came from. */
  readonly back?: string | undefined;
}

async function page(visit: Visit, { cursor, done, said: before, problem, back }: Said): Promise<Page> {
  const { wallet, credits } = visit.visitor;
  const here = back ?? rememberedBack(visit);
  const goBack =
    here === undefined
      ? ''
      : html`<p class="note"><a href="${here}">Back to ${backTitle(here, visit.studio)}</a></p>`;
  const said = html`${saidHtml(before, problem)}${newKey(done)}${goBack}`;
  const common = {
    title: 'Wallet',
    shape: 'wide' as const,
    files: ['studio.css', 'wallet.css', 'connect.ts', 'account.ts', 'wallet_key.ts'] as const,
    policy: { 'form-action': "'self'" },
    ...(problem && { status: 400 }),
  };
  if (!wallet)
    return {
      ...common,
      heading: html`<h1>${visit.visitor.bearer ? 'This wallet is locked' : 'Open an account'}</h1>`,
      body: html`${said}${visit.visitor.bearer ? html`<p class="lead">Sign in with its key to prove that it is yours, or use one of its keys for agents.</p>` : ''}${signIn(back)}${worthHtml(visit.studio.tools)}`,
    };
  return {
    ...common,
    heading: html`<div class="head"><h1>${credits === undefined ? 'A wallet without credits' : creditsLabel(credits)}</h1><form method="post"><code>${wallet}</code> <button class="bare" name="act" value="leave">Leave</button></form></div>`,
    body: html`${said}${visit.visitor.isOwner ? keySection(wallet) : ''}${packs(visit, wallet)}${await sections(visit, wallet, cursor)}`,
  };
}

const newKey = (done: Done | undefined): Html | string =>
  done?.newKey
    ? html`<div class="ticket" role="status"><h2 class="minor">The key of ${done.newKey.name}</h2><p>It is shown only now. Give it to the agent as <code>Authorization: Bearer</code>.</p><at-copy><pre>${done.newKey.token}</pre></at-copy></div>`
    : '';

const packs = ({ studio }: Visit, wallet: string): Html =>
  html`<section class="first" id="credits"><h2 class="minor">Buy credits</h2><ul class="packs">${packListing(
    studio.publicUrl,
    wallet,
  ).map(
    ({ name, credits, price_usd: price, checkout_url: url, savings }) =>
      html`<li><a class="button" href="${addressHere(studio.publicUrl)(url)}">${credits} credits for ${price} USD</a> <span class="small quiet">${name}, ${savings.toLowerCase()}</span></li>`,
  )}</ul></section>`;

/** What is not for this visitor says so in its place, and the rest is shown. */
async function sections(visit: Visit, wallet: string, cursor: string | undefined): Promise<Html> {
  const isOwner = visit.visitor.isOwner === true;
  const [tables, statement, invoices, files, owned] = await Promise.all([
    orSay('Your tables', tablesSection(visit)),
    orSay('Statement', statementSection(visit, cursor)),
    orSay('Invoices', invoicesSection(visit)),
    orSay('Files', assetsSection(visit, wallet)),
    isOwner ? ownerSections(visit) : undefined,
  ]);
  const prove = html`<section><h2>Keys and rules</h2><p class="quiet">Keys for agents, budgets, the lock and leaving are for the owner.</p><div class="ways">${proveForm}</div></section>`;
  return html`${tables}${statement}${invoices}${files}${owned ?? prove}`;
}

async function orSay(title: string, section: Promise<Html>): Promise<Html> {
  try {
    return await section;
  } catch (error) {
    return html`<section><h2>${title}</h2><p class="quiet">${wordsOf(error)}</p></section>`;
  }
}
