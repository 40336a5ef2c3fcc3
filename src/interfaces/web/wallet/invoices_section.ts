import { html } from 'hono/html';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { BUYER_CHARACTERS_MAX, TAX_ID_CHARACTERS_MAX } from '../../../features/billing/invoices/limits.ts';
import { listInvoices, setInvoiceBuyer } from '../../../features/billing/routes/invoices.ts';
import { ask } from '../ask.ts';
import { ledger } from '../ledger.ts';
import { momentLabel } from '../moment_label.ts';
import type { Visit } from '../types.ts';

const INVOICES_SHOWN = 12;

/** What was bought, each with its invoice; nothing where this server issues none, or nothing was bought. */
export async function invoicesSection(visit: Visit): Promise<Html> {
  const listed = await ask(visit, listInvoices, { limit: INVOICES_SHOWN }).catch((error: unknown) => {
    if (error instanceof AtelierError && error.code === 'seller_not_set') return undefined;
    throw error;
  });
  if (!listed || listed.invoices.length === 0) return html``;
  const titleOf = (item: string): string =>
    visit.studio.tools.find(({ name }) => name === item)?.title ?? item;
  return html`<section><div class="head"><h2>Invoices</h2><p class="small quiet">An invoice stays as it is once you have opened it.</p></div>
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
<label class="wide"><span>Address, in one line</span><input name="address" maxlength="${BUYER_CHARACTERS_MAX}" value="${address}"></label>
<label><span>Tax number</span><input name="tax_id" maxlength="${TAX_ID_CHARACTERS_MAX}" value="${taxId}"></label>
<button name="act" value="buyer">Print this on invoices</button></form>`;
}
