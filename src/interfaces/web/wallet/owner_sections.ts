import { html } from 'hono/html';
import type { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';
import { type keyFields, listWalletKeys } from '../../../features/account/routes/keys.ts';
import { type approvalFields, listApprovals } from '../../../features/wallets/routes/approvals.ts';
import { showSpending } from '../../../features/wallets/routes/spending.ts';
import { ask } from '../ask.ts';
import { creditsLabel } from '../frame.ts';
import { momentLabel } from '../labels.ts';
import { ledger } from '../ledger.ts';
import { addressHere } from '../tools/result_html.ts';
import type { Studio, Visit } from '../types.ts';
import { rowButton } from './row_button.ts';

type Approvals = readonly z.output<typeof approvalFields>[];

/** Pending approvals and those of the last day; empty if there are none. */
function approvalsSection(
  approvals: Approvals,
  { publicUrl, tools }: Pick<Studio, 'publicUrl' | 'tools'>,
): Html {
  if (approvals.length === 0) return html``;
  const waiting = approvals.filter(({ state }) => state === 'waiting').length;
  const titleOf = (name: string) => tools.find((tool) => tool.name === name)?.title ?? name;
  return html`<section><div class="head"><h2>${waiting === 0 ? 'No pending approvals' : waiting === 1 ? '1 pending approval' : `${waiting} pending approvals`}</h2><p class="small quiet">An approval needs your signature and is valid for one call.</p></div>
${ledger(
  ['Call', 'Price', 'Requested by', 'Expires, UTC', ''],
  approvals.map(({ tool, credits, asked_by: by, state, params, expires_at: ends, url }) => [
    html`${titleOf(tool)} <span class="may small quiet"><bdi>${params.slice(0, PARAMS_CHARACTERS_SHOWN)}</bdi></span>`,
    creditsLabel(credits),
    html`<bdi>${by}</bdi>`,
    momentLabel(ends),
    state === 'waiting'
      ? html`<a class="button" href="${addressHere(publicUrl)(url)}">Review</a>`
      : STATES[state],
  ]),
)}</section>`;
}

const PARAMS_CHARACTERS_SHOWN = 120;

const STATES = {
  approved: 'approved, not sent yet',
  refused: 'refused',
  used: 'approved and sent',
  expired: 'expired',
} as const;

/** Keys, budgets, the lock and recent events, for the verified owner. */
export async function ownerSections(visit: Visit): Promise<Html> {
  const [{ keys, events, state }, rules, { approvals }] = await Promise.all([
    ask(visit, listWalletKeys),
    ask(visit, showSpending),
    ask(visit, listApprovals),
  ]);
  return html`${approvalsSection(approvals, visit.studio)}<section><div class="head"><h2>Keys</h2><p class="small quiet">Create one key per agent, with its own budget and expiry date. Keys cannot be edited: revoke a key and create another.</p></div>
${keys.length > 0 ? keysTable(keys) : html`<p class="quiet">No keys yet. Create a key for an agent.</p>`}
${keyForm(visit)}</section>
<section><div class="head"><h2>Spending</h2><p class="small quiet">These rules apply to every key and session.</p></div>
<form class="line" method="post"><label><span>Approval above, credits</span><input name="approval_above" type="number" min="0" value="${rules.approval_above ?? ''}" placeholder="never"></label>
<label class="tick"><input type="checkbox" name="stopped" value="yes"${rules.stopped ? html` checked` : ''}> Pause all spending</label>
<button name="act" value="spending">Save rules</button></form></section>
${lockSection(state === 'locked')}
${
  events.length > 0
    ? html`<section><h2>Recent events</h2><ul class="events">${events
        .slice(0, EVENTS_SHOWN)
        .map(
          ({ at, event, about, times }) =>
            html`<li><span class="quiet">${momentLabel(at)}</span> ${event.replaceAll('_', ' ')} <bdi>${about}</bdi>${times > 1 ? `, ${times} times` : ''}</li>`,
        )}</ul></section>`
    : ''
}
<section><h2>Export or close</h2><p class="quiet">Download your data as an archive, or close the account.</p><p><a class="button" href="/wallet/leave">Export or close account</a></p></section>`;
}

const EVENTS_SHOWN = 10;

const lockSection = (isLocked: boolean): Html =>
  isLocked
    ? html`<section><h2>Lock</h2><p class="quiet">The wallet is locked: only sessions and keys can spend its credits and read its files.</p>
<form method="post"><button name="act" value="unlock">Unlock wallet</button></form></section>`
    : html`<section><h2>Lock</h2><p class="quiet">The wallet is not locked: anyone who knows its address can spend its credits. Locking ends other sessions and older links; keys stay valid.</p>
<form method="post"><button name="act" value="lock">Lock wallet</button></form></section>`;

const keyForm = ({ studio }: Visit): Html =>
  html`<form class="line" method="post"><label><span>Name</span><input name="name" required maxlength="100" placeholder="my agent"></label>
<label><span>Total credits</span><input name="max_credits" type="number" min="1" placeholder="no limit"></label>
<label><span>Credits per day</span><input name="max_credits_per_day" type="number" min="1" placeholder="no limit"></label>
<label><span>Valid until</span><input name="ends" type="date"></label>
<label class="wide"><span>Allowed tools</span><input name="tools" list="tool-names" placeholder="all tools; separate with commas" autocomplete="off" spellcheck="false"></label><datalist id="tool-names">${studio.tools.map(({ name }) => html`<option value="${name}"></option>`)}</datalist>
<fieldset class="ticks"><legend>Permissions</legend>${KEY_SCOPES.map(
    ({ scope, label }) =>
      html`<label class="tick"><input type="checkbox" name="${scope}" value="yes"${scope === 'spend' ? html` checked` : ''}> ${label}</label>`,
  )}</fieldset>
<button name="act" value="make_key">Create key</button></form>`;

type Keys = readonly z.output<typeof keyFields>[];

const keysTable = (keys: Keys): Html =>
  ledger(
    ['Key', 'Credits used', 'State', 'Expires, UTC', ''],
    keys.map((key) => [
      html`<bdi>${key.name}</bdi> <span class="may small quiet">${mayText(key)}</span>`,
      usedText(key),
      key.state,
      key.expires_at ? momentLabel(key.expires_at) : 'never',
      key.state === 'active'
        ? rowButton({ act: 'revoke_key', field: 'id', value: key.id, label: 'Revoke', about: key.name })
        : '',
    ]),
  );

const mayText = ({ scopes, tools }: Keys[number]): string =>
  [...scopes.map(scopeLabel), ...(tools ? [`only ${tools.join(', ')}`] : [])].join(', ');

function usedText(key: Keys[number]): string {
  const {
    used_credits: used,
    max_credits: most,
    used_credits_today: today,
    max_credits_per_day: daily,
  } = key;
  const whole = most === null ? `${used}, no limit` : `${used} of ${most}`;
  return daily === null ? whole : `${whole}; ${today} of ${daily} today`;
}

type Scope = z.output<typeof keyFields>['scopes'][number];

/** Permissions of a key with labels. */
export const KEY_SCOPES: readonly { readonly scope: Scope; readonly label: string }[] = [
  { scope: 'spend', label: 'pay for tools' },
  { scope: 'assets:read', label: 'read files' },
  { scope: 'assets:write', label: 'save and delete files' },
  { scope: 'account:read', label: 'view balance and statement' },
];

const scopeLabel = (scope: Scope): string => KEY_SCOPES.find((one) => one.scope === scope)?.label ?? scope;
