import { html } from 'hono/html';
import { z } from 'zod';
import { packListing } from '../../../catalog/packs.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { shownItems } from '../../../core/html/browser/table_state.ts';
import type { Html, Page } from '../../../core/html/html_page.ts';
import { pageFile } from '../../../core/html/page_files.ts';
import { createWalletKey, revokeWalletKey } from '../../../features/account/routes/keys.ts';
import { walletSession } from '../../../features/account/routes/prove.ts';
import { walletStatement } from '../../../features/account/routes/statement.ts';
import {
  lockWallet,
  registerOverRest,
  unlockWallet,
  walletOfCaller,
} from '../../../features/account/routes/wallet.ts';
import { openAccount } from '../../../features/account/tools/open_account.ts';
import { listAssets } from '../../../features/assets/tools/list_assets.ts';
import { BUYER_CHARACTERS_MAX, TAX_ID_CHARACTERS_MAX } from '../../../features/billing/invoices/limits.ts';
import { listInvoices, setInvoiceBuyer } from '../../../features/billing/routes/invoices.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { setSpending } from '../../../features/wallets/routes/spending.ts';
import { listWorkspaces } from '../../../features/workspaces/routes/index.ts';
import type { WorkspaceView } from '../../../features/workspaces/types.ts';
import { ask, askTool } from '../ask.ts';
import { creditsLabel } from '../frame.ts';
import { bytesLabel, momentLabel } from '../labels.ts';
import { ledger } from '../ledger.ts';
import { itemAddress } from '../table/items_html.ts';
import { askTable, type OpenTable, openTable } from '../table/read_table.ts';
import { imagesText } from '../table/words.ts';
import { addressHere } from '../tools/result_html.ts';
import { SHOWN_RESULTS } from '../tools/shown_results.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { backCookie, backField, backTitle, rememberedBack, safeBack } from './back.ts';
import { doneField, type FlashName, flashHtml } from './flash.ts';
import {
  afterwards,
  type FormAction,
  type FormActions,
  type FormResult,
  runFormAction,
  wordsOf,
} from './form_actions.ts';
import { FILES_SHOWN, WALLET_FORM } from './limits.ts';
import { KEY_SCOPES, ownerSections } from './owner_sections.ts';
import { keySection, proveForm, signIn } from './sign_in.ts';
import { walletCookie } from './wallet_cookie.ts';

/** Wallet: balance, statement, keys, rules and files. Without a wallet: forms to open an account or sign in. */
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
      const done = await runFormAction(WALLET_ACTS, visit, visit.form);
      if (done.opened) return openedPage(done, { back, publicUrl });
      if (done.newKey) return page(visit, { done });
      return afterwards(done, (done.signIn && back) || '/wallet', publicUrl);
    } catch (error) {
      return page(visit, { problem: wordsOf(error), back });
    }
  },
});

/** A new account whose key the server stores; its claim link is shown once. */
const openedPage = (
  { opened, signIn: bearer }: FormResult,
  { back, publicUrl }: { back: string | undefined; publicUrl: string },
): Shown => ({
  title: 'Account opened',
  files: ['studio.css', 'wallet.css', 'copy.ts'],
  cookie: walletCookie(bearer ?? undefined, publicUrl),
  body: html`<p class="lead">${opened!.credits === 0 ? 'It has no credits: today’s welcome credits for your network are used up.' : `It has ${creditsLabel(opened!.credits)}.`}</p>
<p>The server stores the key of the account until you claim it. Save this link. It is shown only once; without it, you lose the account when you leave this browser.</p>
<at-copy><pre>${opened!.claimUrl}</pre></at-copy>
<p><a class="button main" href="${back ?? '/wallet'}">Continue</a></p>`,
});

interface Said {
  readonly cursor?: string | undefined;
  readonly done?: FormResult;
  /** Message of the action that led to this page. */
  readonly said?: FlashName | undefined;
  /** Error of the action. */
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
  const said = html`${flashHtml(before, problem)}${newKey(done)}${goBack}`;
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
      body: html`${said}${visit.visitor.bearer ? html`<p class="lead">Sign in with its account key, or use one of its API keys.</p>` : ''}${signIn(back)}${worthHtml(visit.studio.tools)}`,
    };
  return {
    ...common,
    heading: html`<div class="head"><h1>${credits === undefined ? 'Balance not available' : creditsLabel(credits)}</h1><form method="post"><code>${wallet}</code> <button class="bare" name="act" value="leave">Sign out</button></form></div>`,
    body: html`${said}${visit.visitor.isOwner ? keySection(wallet) : ''}${packs(visit, wallet)}${await sections(visit, wallet, cursor)}`,
  };
}

const newKey = (done: FormResult | undefined): Html | string =>
  done?.newKey
    ? html`<div class="ticket" role="status"><h2 class="minor">Key for ${done.newKey.name}</h2><p>This key is shown only once. The agent sends it as <code>Authorization: Bearer</code>.</p><at-copy><pre>${done.newKey.token}</pre></at-copy></div>`
    : '';

const packs = ({ studio }: Visit, wallet: string): Html =>
  html`<section class="first" id="credits"><h2 class="minor">Buy credits</h2><ul class="packs">${packListing(
    studio.publicUrl,
    wallet,
  ).map(
    ({ name, credits, price_usd: price, checkout_url: url, savings }) =>
      html`<li><a class="button" href="${addressHere(studio.publicUrl)(url)}">${credits} credits for ${price} USD</a> <span class="small quiet">${name}, ${savings.toLowerCase()}</span></li>`,
  )}</ul></section>`;

/** A section that the visitor may not see is replaced by its error message. */
async function sections(visit: Visit, wallet: string, cursor: string | undefined): Promise<Html> {
  const isOwner = visit.visitor.isOwner === true;
  const [tables, statement, invoices, files, owned] = await Promise.all([
    orSay('Your tables', tablesSection(visit)),
    orSay('Statement', statementSection(visit, cursor)),
    orSay('Invoices', invoicesSection(visit)),
    orSay('Files', assetsSection(visit, wallet)),
    isOwner ? ownerSections(visit) : undefined,
  ]);
  const prove = html`<section><h2>Keys and rules</h2><p class="quiet">Only the owner can manage API keys, budgets and the lock, and export or close the account. Sign a message to verify that you own the wallet.</p><div class="ways">${proveForm}</div></section>`;
  return html`${tables}${statement}${invoices}${files}${owned ?? prove}`;
}

async function orSay(title: string, section: Promise<Html>): Promise<Html> {
  try {
    return await section;
  } catch (error) {
    return html`<section><h2>${title}</h2><p class="quiet">${wordsOf(error)}</p></section>`;
  }
}

/** The first files of the wallet, images with preview. */
async function assetsSection(visit: Visit, wallet: string): Promise<Html> {
  const { assets, count, storage } = await askTool(visit, listAssets, { wallet, limit: FILES_SHOWN });
  return html`<section><div class="head"><h2>Files</h2><p class="small quiet">Files stored: ${count}. Space used: ${bytesLabel(storage.used_bytes)} of ${bytesLabel(storage.limit_bytes)}.</p></div>
${
  assets.length === 0
    ? html`<p class="quiet">No files yet. <a href="/tools/save_asset">Save a file</a> to see it here.</p>`
    : html`<ul class="hang">${assets.map(
        ({ key, url, content_type: type, size_bytes: size }) =>
          html`<li><a href="${url}"><span class="wall">${
            /^image\/(png|jpeg|webp|avif|gif)$/.test(type)
              ? html`<img src="${new URL(url).pathname + new URL(url).search}" alt="${key}" width="240" height="240" loading="lazy">`
              : html`<span class="quiet">${type}</span>`
          }</span><span class="label"><b>${key}</b><span class="quiet">${bytesLabel(size)}</span></span></a></li>`,
      )}</ul>`
}
<p><a class="button" href="/wallet/files">Show all files, versions and trash</a></p></section>`;
}

const ENTRIES_SHOWN = 20;

/** Transactions, newest first, with receipts of paid calls. @param cursor of an older page */
async function statementSection(visit: Visit, cursor: string | undefined): Promise<Html> {
  const { entries, next_cursor: next } = await ask(visit, walletStatement, {
    limit: ENTRIES_SHOWN,
    ...(cursor && { cursor }),
  });
  const titleOf = (tool: string | null, type: string): string =>
    visit.studio.tools.find(({ name }) => name === tool)?.title ?? tool ?? type.replaceAll('_', ' ');
  if (entries.length === 0)
    return html`<section><h2>Statement</h2><p class="quiet">No transactions yet. Purchases and paid calls appear here.</p></section>`;
  return html`<section><div class="head"><h2>Statement</h2><p class="small quiet">Computed from the journal.</p></div>
<table class="ledger"><thead><tr><th scope="col">For</th><th scope="col">When, UTC</th><th scope="col">Receipt</th><th scope="col">Balance</th><th scope="col">Credits</th></tr></thead>
<tbody>${entries.map(
    ({ at, type, tool, amount, balance_after: after, receipt_id: receipt }) =>
      html`<tr><td>${titleOf(tool, type)} <span class="quiet">${tool ? type.replaceAll('_', ' ') : ''}</span></td><td>${momentLabel(at)}</td><td>${receipt ? html`<a href="/wallet/receipts/${receipt}">Receipt</a>` : ''}</td><td class="quiet">${creditsLabel(after)}</td><td>${amount > 0 ? '+' : '−'}${Math.abs(amount)}</td></tr>`,
  )}</tbody></table>
${next ? html`<p><a class="button" href="/wallet?cursor=${next}">Show older entries</a></p>` : ''}</section>`;
}

const TABLES_SHOWN = 4;
const IMAGES_OF_TABLE = 4;

/** Recent tables of the wallet with their newest images; without any, the paid tools. */
async function tablesSection(visit: Visit): Promise<Html> {
  const { workspaces } = await askTable<{ workspaces: readonly WorkspaceView[] }>(visit, listWorkspaces, {
    limit: TABLES_SHOWN,
  });
  if (workspaces.length === 0) return worthHtml(visit.studio.tools);
  const tables = await Promise.all(workspaces.map(({ id }) => openTable(visit, id)));
  return html`<section><div class="head"><h2>Your tables</h2><a href="/table">All tables</a></div><ul class="made">${tables.map(tableHtml)}</ul></section>`;
}

function tableHtml({ pass, state }: OpenTable): Html {
  const { id, title } = state.workspace;
  const items = shownItems(state);
  const images = items
    .filter(({ kind }) => kind === 'image')
    .slice(-IMAGES_OF_TABLE)
    .reverse();
  return html`<li><a href="/table/${id}"><span class="made-images">${images.map(
    ({ item, name, caption }) =>
      html`<img src="${itemAddress(pass, item, 'small')}" width="240" height="240" alt="${caption || name}" loading="lazy" decoding="async">`,
  )}</span><b>${title}</b> <span class="small quiet">${imagesText(items.length)}</span></a></li>`;
}

const INVOICES_SHOWN = 12;

/** Purchases with invoices; empty if there are none or the server issues no invoices. */
async function invoicesSection(visit: Visit): Promise<Html> {
  const listed = await ask(visit, listInvoices, { limit: INVOICES_SHOWN }).catch((error: unknown) => {
    if (error instanceof AtelierError && error.code === 'seller_not_set') return undefined;
    throw error;
  });
  if (!listed || listed.invoices.length === 0) return html``;
  const titleOf = (item: string): string =>
    visit.studio.tools.find(({ name }) => name === item)?.title ?? item;
  return html`<section><div class="head"><h2>Invoices</h2><p class="small quiet">An invoice does not change after you open it.</p></div>
${ledger(
  ['For', 'When, UTC', 'Invoice', 'Paid'],
  listed.invoices.map(({ number, at, item, amount, currency }) => [
    titleOf(item),
    momentLabel(at),
    html`<a href="/wallet/invoices/${number}">${number}</a>`,
    `${amount} ${currency}`,
  ]),
)}
${visit.visitor.isOwner ? await buyerForm(visit) : ''}</section>`;
}

async function buyerForm(visit: Visit): Promise<Html> {
  const { name, address, tax_id: taxId } = await ask(visit, setInvoiceBuyer);
  return html`<form class="line" method="post"><label><span>Billed to</span><input name="name" maxlength="${BUYER_CHARACTERS_MAX}" value="${name}" autocomplete="organization"></label>
<label class="wide"><span>Address (one line)</span><input name="address" maxlength="${BUYER_CHARACTERS_MAX}" value="${address}"></label>
<label><span>Tax number</span><input name="tax_id" maxlength="${TAX_ID_CHARACTERS_MAX}" value="${taxId}"></label>
<button name="act" value="buyer">Save billing details</button></form>`;
}

const makeKey: FormAction = async (visit, field) => {
  const caps = Object.entries({
    max_credits: field('max_credits'),
    max_credits_per_day: field('max_credits_per_day'),
  }).filter(([, text]) => text !== '');
  const scopes = KEY_SCOPES.map(({ scope }) => scope).filter((scope) => field(scope) === 'yes');
  if (scopes.length === 0) throw invalidField('scopes', 'Select at least one permission.');
  const tools = field('tools')
    .split(/[\s,]+/)
    .filter(Boolean);
  const ends = field('ends');
  const { token, key } = await ask(visit, createWalletKey, {
    name: field('name'),
    scopes,
    ...Object.fromEntries(caps.map(([name, text]) => [name, Number(text)])),
    ...(tools.length > 0 && { tools }),
    // The key is valid until the end of the entered day, UTC.
    ...(ends !== '' && { expires_at: `${ends}T23:59:59Z` }),
  });
  return { newKey: { name: key.name, token } };
};

/** Whether the wallet of a message (EIP-4361) has an account. */
const isRegistered = ({ studio: { context } }: Visit, message: string): Promise<boolean> =>
  context.services.wallets.isRegistered(/0x[0-9a-fA-F]{40}/.exec(message)?.[0] ?? '');

/** Form actions of the wallet page. */
const WALLET_ACTS: FormActions = {
  register: async (visit, field) => {
    const wallet = field('wallet');
    await ask(visit, registerOverRest, { wallet });
    return { signIn: wallet };
  },
  enter: async (visit, field) => {
    const bearer = field('bearer');
    await ask({ ...visit, caller: { ...visit.caller, bearer } }, walletOfCaller);
    return { signIn: bearer };
  },
  sign: async (visit, field) => {
    const message = field('message').replaceAll('\r\n', '\n');
    const isNew = field('lock') === 'yes' && !(await isRegistered(visit, message));
    const { token } = await ask(visit, walletSession, { message, signature: field('signature') });
    if (isNew) await ask({ ...visit, caller: { ...visit.caller, bearer: token } }, lockWallet);
    return { signIn: token };
  },
  guest: async (visit) => {
    const { wallet, payer, balance, claim_url } = await askTool(visit, openAccount, { name: 'this browser' });
    return { signIn: payer, opened: { wallet, credits: balance, claimUrl: claim_url } };
  },
  leave: async () => ({ signIn: null }),
  make_key: makeKey,
  revoke_key: async (visit, field) => {
    await ask(visit, revokeWalletKey, { id: field('id') });
    return { said: 'revoked' };
  },
  spending: async (visit, field) => {
    const above = field('approval_above');
    await ask(visit, setSpending, {
      stopped: field('stopped') === 'yes',
      approval_above: above === '' ? null : Number(above),
    });
    return { said: 'rules' };
  },
  buyer: async (visit, field) => {
    await ask(visit, setInvoiceBuyer, {
      name: field('name'),
      address: field('address'),
      tax_id: field('tax_id'),
    });
    return { said: 'buyer' };
  },
  lock: async (visit) => {
    await ask(visit, lockWallet);
    return { said: 'locked' };
  },
  unlock: async (visit) => {
    await ask(visit, unlockWallet);
    return { said: 'unlocked' };
  },
};

/** Paid tools, each with a sample result. */
const worthHtml = (tools: readonly AnyTool[]): Html =>
  html`<section><h2>Paid tools</h2><ul class="made worth">${tools.map(toolHtml)}</ul><p class="quiet">Most tools are free. You are not charged for failed calls.</p></section>`;

function toolHtml({ name, title, price }: AnyTool): Html {
  const image = SHOWN_RESULTS[name]?.image;
  if (!image || price.kind !== 'flat') return html``;
  return html`<li><a href="/tools/${name}"><span class="made-images"><img src="${pageFile(image.file).address}" width="${image.width}" height="${image.height}" alt="${image.alt}" loading="lazy"></span><b>${title}</b> <span class="small quiet">${creditsLabel(price.credits)}</span></a></li>`;
}
