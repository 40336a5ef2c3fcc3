import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { listTokens } from '../../../features/operator/routes/keys.ts';
import { listEntries, showLog } from '../../../features/operator/routes/look.ts';
import { requireOperator } from '../../../pipeline/authenticate.ts';
import { ask } from '../ask.ts';
import { momentLabel } from '../labels.ts';
import { ledger } from '../ledger.ts';
import type { Visit } from '../types.ts';
import { ADMIN_ACTIONS, adminActionLabel, adminActionLink, adminActionPath } from './admin_actions.ts';

const ACTS_SHOWN = 20;

/** Recent posts of all boards. @throws AtelierError */
export const postsPart = async (visit: Visit): Promise<Html> => postsTable((await askEntries(visit)).entries);

/** All admin actions, active tokens and the audit log. @throws AtelierError */
export async function actionsPart(visit: Visit): Promise<Html> {
  const [{ acts }, tokens] = await Promise.all([askActs(visit), tokensSection(visit)]);
  return html`${actionsList()}${tokens}${logSection(acts)}`;
}

const askEntries = (visit: Visit) => ask(visit, listEntries);
const askActs = (visit: Visit) => ask(visit, showLog, { limit: ACTS_SHOWN });
type Entries = Awaited<ReturnType<typeof askEntries>>['entries'];
type Acts = Awaited<ReturnType<typeof askActs>>['acts'];

const postsTable = (entries: Entries): Html =>
  entries.length === 0
    ? html`<p class="quiet">No posts yet.</p>`
    : ledger(
        ['Author', 'Text', 'Time, UTC', 'State', ''],
        entries.map(({ id, board, name, text, posted_at: at, hidden_at: hidden }) => [
          `${name}, ${board}`,
          html`<span class="clamp">${text}</span>`,
          momentLabel(at),
          hidden ? html`<span class="warn">hidden</span>` : 'shown',
          adminActionLink(hidden ? 'unhide' : 'hide', id, `the post of ${name}`),
        ]),
      );

/** Form to look up a wallet. */
export const walletForm = (wallet = ''): Html =>
  html`<form class="row look" action="/operate/wallets"><label><span class="unseen">Wallet</span><input name="wallet" value="${wallet}" required pattern="0[xX][0-9a-fA-F]{40}" placeholder="0x…" autocomplete="off" spellcheck="false" title="0x and 40 digits of 0 to 9, a to f"></label><button>Show wallet</button></form>`;

/** Only for operators who may revoke them. */
async function tokensSection(visit: Visit): Promise<Html | string> {
  const { scopes: own } = await requireOperator(visit.studio.context, visit.caller, 'read');
  if (!own.includes(listTokens.operator!)) return '';
  const { tokens } = await ask(visit, listTokens);
  const inForce = tokens.filter(
    ({ revoked_at: revoked, expires_at: end }) => !revoked && Date.parse(end) > Date.now(),
  );
  return html`<section id="tokens"><div class="head"><h2>Operator tokens</h2><p class="small quiet">Active tokens only.</p></div>${
    inForce.length === 0
      ? html`<p class="quiet">No active tokens.</p>`
      : ledger(
          ['Name', 'Scopes', 'Id', 'Expires, UTC', ''],
          inForce.map(({ id, name, scopes, expires_at: end }) => [
            name,
            scopes.join(', '),
            html`<code>${id}</code>`,
            momentLabel(end),
            adminActionLink('revoke', id, `the token of ${name}`),
          ]),
        )
  }</section>`;
}

const actionsList = (): Html =>
  html`<p class="quiet">The audit log records every action with its reason. It cannot be changed.</p>
<dl class="rows">${ADMIN_ACTIONS.map(
    (act) =>
      html`<div><dt><a href="${adminActionPath(act.name.replace('operator_', ''))}"><b>${adminActionLabel(act)}</b></a></dt><dd>${act.summary}</dd></div>`,
  )}</dl>`;

const logSection = (acts: Acts): Html =>
  html`<section id="log"><h2>Audit log</h2>${
    acts.length > 0
      ? ledger(
          ['Action', 'Target', 'Operator and reason', 'Time, UTC'],
          acts.map(({ act, about, who, why, at }) => [act, about, `${who}: ${why}`, momentLabel(at)]),
        )
      : html`<p class="quiet">No actions yet.</p>`
  }</section>`;
