import { html } from 'hono/html';
import type { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';
import { type keyFields, listWalletKeys } from '../../../features/account/routes/keys.ts';
import { type approvalFields, listApprovals } from '../../../features/wallets/routes/approvals.ts';
import { showSpending } from '../../../features/wallets/routes/spending.ts';
import { ask } from '../ask.ts';
import { creditsLabel } from '../frame.ts';
import { ledger } from '../ledger.ts';
import { momentLabel } from '../moment_label.ts';
import { addressHere } from '../tools/result_html.ts';
import type { Studio, Visit } from '../types.ts';
import { KEY_SCOPES, scopeLabel } from './key_scopes.ts';
import { rowButton } from './row_button.ts';

type Approvals = readonly z.output<typeof approvalFields>[];

/** Calls that wait for their owner, and those of the last day; nothing where no call ever asked. */
function approvalsSection(
  approvals: Approvals,
  { publicUrl, tools }: Pick<Studio, 'publicUrl' | 'tools'>,
): Html {
  if (approvals.length === 0) return html``;
  const waiting = approvals.filter(({ state }) => state === 'waiting').length;
  const titleOf = (name: string) => tools.find((tool) => tool.name === name)?.title ?? name;
  return html`<section><div class="head"><h2>${waiting === 0 ? 'No call waits for you' : waiting === 1 ? 'One call waits for you' : `${waiting} calls wait for you`}</h2><p class="small quiet">Approving takes your signature, and is good for that call alone, once.</p></div>
${ledger(
  ['Call', 'Costs', 'Asked by', 'Until, UTC', ''],
  approvals.map(({ tool, credits, asked_by: by, state, params, expires_at: ends, url }) => [
    html`${titleOf(tool)} <span class="may small quiet"><bdi>${params.slice(0, PARAMS_CHARACTERS_SHOWN)}</bdi></span>`,
    creditsLabel(credits),
    html`<bdi>${by}</bdi>`,
    momentLabel(ends),
    state === 'waiting'
      ? html`<a class="button" href="${addressHere(publicUrl)(url)}">Decide</a>`
      : STATES[state],
  ]),
)}</section>`;
}

const PARAMS_CHARACTERS_SHOWN = 120;

const STATES = {
  approved: 'approved, not sent yet',
  refused: 'refused',
  used: 'approved and sent',
  expired: 'not answered in time',
} as const;

/** Keys, budgets, the lock and recent events: for visitors that have proved to own the wallet. */
export async function ownerSections(visit: Visit): Promise<Html> {
  const [{ keys, events, state }, rules, { approvals }] = await Promise.all([
    ask(visit, listWalletKeys),
    ask(visit, showSpending),
    ask(visit, listApprovals),
  ]);
  return html`${approvalsSection(approvals, visit.studio)}<section><div class="head"><h2>Keys</h2><p class="small quiet">One for each agent, with its own budget and end. A key is not changed: revoke it and make another.</p></div>
${keys.length > 0 ? keysTable(keys) : html`<p class="quiet">No keys yet.</p>`}
${keyForm(visit)}</section>
<section><div class="head"><h2>Spending</h2><p class="small quiet">These rules hold for every key and every session.</p></div>
<form class="line" method="post"><label><span>Ask me above</span><input name="approval_above" type="number" min="0" value="${rules.approval_above ?? ''}" placeholder="never ask"></label>
<label class="tick"><input type="checkbox" name="stopped" value="yes"${rules.stopped ? html` checked` : ''}> Spend nothing at all</label>
<button name="act" value="spending">Keep these rules</button></form></section>
${lockSection(state === 'locked')}
${
  events.length > 0
    ? html`<section><h2>Lately</h2><ul class="events">${events
        .slice(0, EVENTS_SHOWN)
        .map(
          ({ at, event, about, times }) =>
            html`<li><span class="quiet">${momentLabel(at)}</span> ${event.replaceAll('_', ' ')} <bdi>${about}</bdi>${times > 1 ? `, ${times} times` : ''}</li>`,
        )}</ul></section>`
    : ''
}
<section><h2>Leave</h2><p class="quiet">Take everything along as an archive, or close the account.</p><p><a class="button" href="/wallet/leave">Take it along, or close it</a></p></section>`;
}

const EVENTS_SHOWN = 10;

const lockSection = (isLocked: boolean): Html =>
  isLocked
    ? html`<section><h2>It is locked</h2><p class="quiet">Only sessions and keys spend its credits and reach what it keeps.</p>
<form method="post"><button name="act" value="unlock">Unlock it</button></form></section>`
    : html`<section><h2>It is not locked</h2><p class="quiet">Everyone who knows the address can spend from it. Locking ends other sessions and older links; keys stay valid.</p>
<form method="post"><button name="act" value="lock">Lock it</button></form></section>`;

const keyForm = ({ studio }: Visit): Html =>
  html`<form class="line" method="post"><label><span>Name</span><input name="name" required maxlength="100" placeholder="my agent"></label>
<label><span>Credits in all</span><input name="max_credits" type="number" min="1" placeholder="no cap"></label>
<label><span>Credits a day</span><input name="max_credits_per_day" type="number" min="1" placeholder="no cap"></label>
<label><span>Ends after</span><input name="ends" type="date"></label>
<label class="wide"><span>Tools alone</span><input name="tools" list="tool-names" placeholder="every tool; several with commas" autocomplete="off" spellcheck="false"></label><datalist id="tool-names">${studio.tools.map(({ name }) => html`<option value="${name}"></option>`)}</datalist>
<fieldset class="ticks"><legend>It may</legend>${KEY_SCOPES.map(
    ({ scope, label }) =>
      html`<label class="tick"><input type="checkbox" name="${scope}" value="yes"${scope === 'spend' ? html` checked` : ''}> ${label}</label>`,
  )}</fieldset>
<button name="act" value="make_key">Make a key</button></form>`;

type Keys = readonly z.output<typeof keyFields>[];

const keysTable = (keys: Keys): Html =>
  ledger(
    ['Key', 'Used, credits', 'State', 'Ends, UTC', ''],
    keys.map((key) => [
      html`<bdi>${key.name}</bdi> <span class="may small quiet">${mayText(key)}</span>`,
      usedText(key),
      key.state,
      key.expires_at ? momentLabel(key.expires_at) : 'when revoked',
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
  const whole = most === null ? `${used}, no cap` : `${used} of ${most}`;
  return daily === null ? whole : `${whole}; ${today} of ${daily} today`;
}
