import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html, Page } from '../../../core/html/html_page.ts';
import { showWallet } from '../../../features/operator/routes/look.ts';
import { requireOperator } from '../../../pipeline/authenticate.ts';
import { ask } from '../ask.ts';
import { creditsLabel } from '../frame.ts';
import { bytesLabel, momentLabel } from '../labels.ts';
import { ledger } from '../ledger.ts';
import { definePage, type Visit } from '../types.ts';
import { walletForm } from './admin_action_sections.ts';
import { adminActionLink, adminActionPath } from './admin_actions.ts';
import { asOperator, ofOperators } from './as_operator.ts';
import { sideNav } from './operate_nav.ts';

/** A wallet for operators, with admin actions. */
export const walletReportPage = definePage({
  name: 'operate_wallet',
  path: '/operate/wallets',
  room: '/operate',
  input: z.object({ wallet: z.string().max(100).default('') }),
  show: ({ wallet }, anybody) =>
    asOperator(anybody, (visit) => (wallet.trim() === '' ? lookPage(visit) : seenPage(visit, wallet.trim()))),
});

/** @throws AtelierError operator_required */
async function lookPage(visit: Visit): Promise<Page> {
  await requireOperator(visit.studio.context, visit.caller, 'read');
  return {
    ...ofOperators,
    title: 'Wallets',
    heading: html`<h1>Wallets</h1>`,
    body: sideNav(
      '/operate/wallets',
      html`<p class="quiet">Enter a wallet address to see its balance, holds, jobs, keys and posts, to block it, revoke keys, or grant and refund credits.</p>${walletForm()}`,
    ),
  };
}

async function seenPage(visit: Visit, wallet: string): Promise<Page> {
  try {
    return pageOf(await askWallet(visit, wallet));
  } catch (error) {
    if (!(error instanceof AtelierError && error.code === 'invalid_input')) throw error;
    return {
      ...ofOperators,
      title: 'Wallet',
      status: 400,
      heading: html`<h1>Invalid wallet address</h1>`,
      body: html`<p class="note bad" role="alert">${error.message}</p><p class="after"><a class="button" href="/operate/wallets">Go to wallets</a></p>`,
    };
  }
}

const askWallet = (visit: Visit, wallet: string) => ask(visit, showWallet, { wallet });
type Seen = Awaited<ReturnType<typeof askWallet>>;

const pageOf = (seen: Seen): Page => ({
  ...ofOperators,
  title: 'Wallet',
  heading: html`<div class="head"><h1>${creditsLabel(seen.balance)}</h1><code>${seen.wallet}</code></div>`,
  body: html`${stateOf(seen)}${figuresOf(seen)}${keysOf(seen)}${jobsOf(seen)}${movesOf(seen)}
<p class="after"><a class="button" href="/operate/wallets">Go to wallets</a></p>`,
});

const stateOf = ({ wallet, blocked, registered_at: at }: Seen): Html =>
  html`<p class="lead quiet read">${
    at === null ? 'Not registered on this server.' : `Registered ${momentLabel(at)}.`
  }${blocked ? ` Blocked ${momentLabel(blocked.at)} by ${blocked.who}: ${blocked.why}` : ''}</p>
<p class="row after-act"><a class="button" href="${adminActionPath(blocked ? 'unblock' : 'block', wallet)}">${blocked ? 'Unblock' : 'Block'}</a><a class="button" href="${adminActionPath('grant', wallet)}">Grant credits</a></p>`;

function figuresOf({ held, totals, storage, posts, webhooks }: Seen): Html {
  const shown: readonly [string, string | number][] = [
    ['credits held', held],
    ['purchased', totals.purchased],
    ['spent', totals.spent],
    ['refunded', totals.refunded],
    [`${storage.assets} files`, bytesLabel(storage.used_bytes)],
    ['posts; webhooks', `${posts.length}; ${webhooks}`],
  ];
  return html`<dl class="figures">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

const keysOf = ({ keys }: Seen): Html =>
  html`<section><h2>Keys</h2>${
    keys.length === 0
      ? html`<p class="quiet">No active keys.</p>`
      : ledger(
          ['Key', 'Id', 'Credits used', ''],
          keys.map(({ id, name, used_credits: used }) => [
            name,
            html`<code>${id}</code>`,
            used,
            adminActionLink('revoke', id, `the key ${name}`),
          ]),
        )
  }</section>`;

const jobsOf = ({ jobs }: Seen): Html =>
  html`<section><h2>Jobs</h2>${
    jobs.length === 0
      ? html`<p class="quiet">No jobs queued or running.</p>`
      : ledger(
          ['Tool', 'Id', 'State', ''],
          jobs.map(({ id, tool, state }) => [
            tool,
            html`<code>${id}</code>`,
            state,
            adminActionLink('end', id, tool),
          ]),
        )
  }</section>`;

/** Paid calls can be refunded by the id of their entry. */
const movesOf = ({ recent }: Seen): Html =>
  html`<section><h2>Recent entries</h2>${
    recent.length === 0
      ? html`<p class="quiet">No entries yet.</p>`
      : ledger(
          ['Entry', 'Credits', 'Balance', 'Time, UTC', ''],
          recent.map(({ id, type, amount, balance_after: balance, at }) => [
            type,
            amount,
            balance,
            momentLabel(at),
            id.startsWith('post:') ? adminActionLink('refund', id, id) : '',
          ]),
        )
  }</section>`;
