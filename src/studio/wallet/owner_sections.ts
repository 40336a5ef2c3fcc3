import { html } from 'hono/html';
import type { z } from 'zod';
import { type keyFields, listWalletKeys } from '../../operations/account/keys.ts';
import { showSpending } from '../../operations/consent/spending.ts';
import type { Html } from '../../pages/html_page.ts';
import { ask } from '../ask.ts';
import type { Visit } from '../contract.ts';
import { momentLabel } from '../moment_label.ts';

/** Keys, spending and what happened lately: for whoever has proved to own the wallet. */
export async function ownerSections(visit: Visit): Promise<Html> {
  const [{ keys, events }, { stopped, approval_above: above }] = await Promise.all([
    ask(visit, listWalletKeys),
    ask(visit, showSpending),
  ]);
  return html`<section><div class="head"><h2>Keys</h2><p class="small quiet">One for each agent, with its own budget and end.</p></div>
${keys.length > 0 ? keysTable(keys) : html`<p class="quiet">No keys yet.</p>`}
<form class="line" method="post"><label><span>Name</span><input name="name" required maxlength="100" placeholder="my agent"></label>
<label><span>Credits in all</span><input name="max_credits" type="number" min="1" placeholder="no cap"></label>
<label><span>Credits a day</span><input name="max_credits_per_day" type="number" min="1" placeholder="no cap"></label>
<button name="act" value="make_key">Make a key</button></form></section>
<section><h2>Spending</h2>
<form class="line" method="post"><label><span>Ask me above</span><input name="approval_above" type="number" min="0" value="${above ?? ''}" placeholder="never ask"></label>
<label class="tick"><input type="checkbox" name="stopped" value="yes"${stopped ? html` checked` : ''}> Spend nothing at all</label>
<button name="act" value="spending">Keep these rules</button></form></section>
${
  events.length > 0
    ? html`<section><h2>Lately</h2><ul class="events">${events
        .slice(0, 10)
        .map(
          ({ at, event, about, times }) =>
            html`<li><span class="quiet">${momentLabel(at)}</span> ${event.replaceAll('_', ' ')} ${about}${times > 1 ? `, ${times} times` : ''}</li>`,
        )}</ul></section>`
    : ''
}`;
}

type Keys = readonly z.output<typeof keyFields>[];

const keysTable = (
  keys: Keys,
): Html => html`<table class="ledger"><thead><tr><th scope="col">Key</th><th scope="col">Used</th><th scope="col">State</th><th scope="col">Ends</th><th scope="col"><span class="unseen">Action</span></th></tr></thead>
<tbody>${keys.map(
  ({ id, name, state, used_credits: used, max_credits: most, expires_at: end }) =>
    html`<tr><td>${name}</td><td>${used}${most === null ? '' : ` of ${most}`} credits</td><td>${state}</td><td>${end ? momentLabel(end) : 'when revoked'}</td><td>${
      state === 'active'
        ? html`<form method="post"><input type="hidden" name="id" value="${id}"><button class="bare" name="act" value="revoke_key" aria-label="Revoke ${name}">Revoke</button></form>`
        : ''
    }</td></tr>`,
)}</tbody></table>`;
