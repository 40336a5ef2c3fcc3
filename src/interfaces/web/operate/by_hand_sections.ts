import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { listTokens } from '../../../features/operator/routes/keys.ts';
import { listEntries, showLog } from '../../../features/operator/routes/look.ts';
import { requireOperator } from '../../../pipeline/authenticate.ts';
import { ask } from '../ask.ts';
import { ledger } from '../ledger.ts';
import { momentLabel } from '../moment_label.ts';
import type { Visit } from '../types.ts';
import { actLink } from './act_link.ts';
import { ACTS, actLabel, actPath } from './acts.ts';

const ACTS_SHOWN = 20;

/** What is done by hand: posts, wallets, every act there is, and what was done. @throws AtelierError */
export async function byHandSections(visit: Visit): Promise<Html> {
  const [{ entries }, { acts }, tokens] = await Promise.all([
    askEntries(visit),
    askActs(visit),
    tokensSection(visit),
  ]);
  return html`${postsSection(entries)}${walletSection}${tokens}${actsSection()}${logSection(acts)}`;
}

const askEntries = (visit: Visit) => ask(visit, listEntries);
const askActs = (visit: Visit) => ask(visit, showLog, { limit: ACTS_SHOWN });
type Entries = Awaited<ReturnType<typeof askEntries>>['entries'];
type Acts = Awaited<ReturnType<typeof askActs>>['acts'];

const postsSection = (entries: Entries): Html =>
  html`<section id="posts"><h2>Posts</h2>${
    entries.length === 0
      ? html`<p class="quiet">There are no posts yet.</p>`
      : ledger(
          ['By', 'Text', 'When, UTC', 'State', ''],
          entries.map(({ id, board, name, text, posted_at: at, hidden_at: hidden }) => [
            `${name}, ${board}`,
            html`<span class="clamp">${text}</span>`,
            momentLabel(at),
            hidden ? html`<span class="warn">hidden</span>` : 'shown',
            actLink(hidden ? 'unhide' : 'hide', id, `the post of ${name}`),
          ]),
        )
  }</section>`;

const walletSection = html`<section id="wallets"><div class="head"><h2>Wallets</h2><p class="small quiet">What a wallet has, holds and runs; block it, end its jobs, revoke its keys.</p></div>
<form class="row look" action="/operate/wallets"><label><span class="unseen">Wallet</span><input name="wallet" required pattern="0[xX][0-9a-fA-F]{40}" placeholder="0x…" autocomplete="off" spellcheck="false" title="0x and 40 digits of 0 to 9, a to f"></label><button>Look</button></form></section>`;

/** For those who may revoke them; to others nothing is said of them. */
async function tokensSection(visit: Visit): Promise<Html | string> {
  const { scopes: own } = await requireOperator(visit.studio.kit, visit.caller, 'read');
  if (!own.includes(listTokens.operator!)) return '';
  const { tokens } = await ask(visit, listTokens);
  const inForce = tokens.filter(
    ({ revoked_at: revoked, expires_at: end }) => !revoked && Date.parse(end) > Date.now(),
  );
  return html`<section id="tokens"><div class="head"><h2>Tokens of operators</h2><p class="small quiet">Those in force.</p></div>${
    inForce.length === 0
      ? html`<p class="quiet">None.</p>`
      : ledger(
          ['For', 'May', 'Id', 'Until, UTC', ''],
          inForce.map(({ id, name, scopes, expires_at: end }) => [
            name,
            scopes.join(', '),
            html`<code>${id}</code>`,
            momentLabel(end),
            actLink('revoke', id, `the token of ${name}`),
          ]),
        )
  }</section>`;
}

const actsSection = (): Html =>
  html`<section id="acts"><div class="head"><h2>By hand</h2><p class="small quiet">Every action is recorded in the audit log with its reason. The log cannot be changed.</p></div>
<dl class="rows">${ACTS.map(
    (act) =>
      html`<div><dt><a href="${actPath(act.name.replace('operator_', ''))}"><b>${actLabel(act)}</b></a></dt><dd>${act.summary}</dd></div>`,
  )}</dl></section>`;

const logSection = (acts: Acts): Html =>
  html`<section id="log"><h2>Done by operators</h2>${
    acts.length > 0
      ? ledger(
          ['What', 'To', 'Who, and why', 'When, UTC'],
          acts.map(({ act, about, who, why, at }) => [act, about, `${who}: ${why}`, momentLabel(at)]),
        )
      : html`<p class="quiet">Nothing yet.</p>`
  }</section>`;
