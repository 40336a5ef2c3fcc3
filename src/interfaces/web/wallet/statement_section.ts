import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { walletStatement } from '../../../features/account/routes/statement.ts';
import { ask } from '../ask.ts';
import { creditsLabel } from '../frame.ts';
import { momentLabel } from '../moment_label.ts';
import type { Visit } from '../types.ts';

const ENTRIES_SHOWN = 20;

/** What moved, newest first; each paid call leads to its receipt. @param cursor of an older page */
export async function statementSection(visit: Visit, cursor: string | undefined): Promise<Html> {
  const { entries, next_cursor: next } = await ask(visit, walletStatement, {
    limit: ENTRIES_SHOWN,
    ...(cursor && { cursor }),
  });
  const titleOf = (tool: string | null, type: string): string =>
    visit.studio.tools.find(({ name }) => name === tool)?.title ?? tool ?? type.replaceAll('_', ' ');
  if (entries.length === 0)
    return html`<section><h2>Statement</h2><p class="quiet">Nothing has moved yet.</p></section>`;
  return html`<section><div class="head"><h2>Statement</h2><p class="small quiet">Recomputed from the journal.</p></div>
<table class="ledger"><thead><tr><th scope="col">For</th><th scope="col">When, UTC</th><th scope="col">Receipt</th><th scope="col">Balance</th><th scope="col">Credits</th></tr></thead>
<tbody>${entries.map(
    ({ at, type, tool, amount, balance_after: after, receipt_id: receipt }) =>
      html`<tr><td>${titleOf(tool, type)} <span class="quiet">${tool ? type.replaceAll('_', ' ') : ''}</span></td><td>${momentLabel(at)}</td><td>${receipt ? html`<a href="/wallet/receipts/${receipt}">Receipt</a>` : ''}</td><td class="quiet">${creditsLabel(after)}</td><td>${amount > 0 ? '+' : '−'}${Math.abs(amount)}</td></tr>`,
  )}</tbody></table>
${next ? html`<p><a class="button" href="/wallet?cursor=${next}">Older</a></p>` : ''}</section>`;
}
