import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { drawInvoice } from './draw_invoice.ts';
import { ISSUED_AT_ONCE, NUMBER_DIGITS } from './limits.ts';
import {
  fixBuyer,
  type InvoiceRow,
  issueInvoices,
  selectBuyer,
  selectInvoice,
  selectInvoices,
  upsertBuyer,
} from './store.ts';
import type { Asking, Buyer, Invoice, Invoices, Seller } from './types.ts';

interface Deps {
  readonly database: Database;
  readonly seller: Seller;
  readonly clock: () => Date;
}

export function createInvoices({ database, seller, clock }: Deps): Invoices {
  const issue = async () => {
    if (seller.name === undefined) return 0;
    for (let issued = 0; ; ) {
      const count = await issueInvoices(database, { seller, moment: clock(), most: ISSUED_AT_ONCE });
      issued += count;
      if (count < ISSUED_AT_ONCE) return issued;
    }
  };
  const find: Find = async (id, asking) => {
    await issue();
    const row = await selectInvoice(database, namedBy(id));
    if (!row && seller.name === undefined) throw sellerNotSet();
    if (!row || (asking !== 'operator' && asking.wallet !== row.owner)) throw notFound(id, asking);
    return invoiceOf(row, await buyerOf(database, row, asking));
  };
  return {
    issue,
    async pdf(id, asking, { pixels, ...control }) {
      const invoice = await find(id, asking);
      return { number: invoice.number, bytes: await drawInvoice(pixels, invoice, control) };
    },
    async list(wallet, page) {
      await issue();
      const rows = await selectInvoices(database, { wallet, ...page });
      if (rows.length === 0 && seller.name === undefined) throw sellerNotSet();
      return rows.map((row) => invoiceOf(row, row.buyer ?? NONE));
    },
    async setBuyer(wallet, buyer) {
      if (Object.values(buyer).some((text) => text !== undefined))
        return upsertBuyer(database, wallet, { ...buyer, at: clock() });
      return (await selectBuyer(database, wallet)) ?? NONE;
    },
  };
}

type Find = (id: string, asking: Asking) => Promise<Invoice>;

const NONE: Buyer = { name: '', address: '', taxId: '' };

/** The buyer on an invoice, which the first access by the proven owner or the operator makes final. */
async function buyerOf(database: Database, row: InvoiceRow, asking: Asking): Promise<Buyer> {
  const buyer = row.buyer ?? (await selectBuyer(database, row.owner)) ?? NONE;
  if (asking === 'operator' || asking.isProved) return row.buyer ?? fixBuyer(database, row.purchase, buyer);
  if (Object.values(buyer).some(Boolean))
    throw new AtelierError(
      'proof_required',
      'This invoice contains personal data of the buyer, which the wallet address alone cannot access. Send a session or key of its owner as Authorization: Bearer atl_….',
    );
  return NONE;
}

const NUMBER = /^((?:TEST-)?\d{4})-(\d{1,9})$/;

function namedBy(id: string): Parameters<typeof selectInvoice>[1] {
  const [, series, number] = NUMBER.exec(id) ?? [];
  return series === undefined ? { purchase: id } : { series, number: Number(number) };
}

const invoiceOf = ({ series, number, facts, ...row }: InvoiceRow, buyer: Buyer): Invoice => ({
  position: row.position,
  number: `${series}-${String(number).padStart(NUMBER_DIGITS, '0')}`,
  purchase: row.purchase,
  wallet: row.wallet ?? row.owner,
  ...facts,
  at: row.at,
  buyer,
});

const notFound = (id: string, asking: Asking): AtelierError =>
  new AtelierError(
    'invoice_not_found',
    `${asking === 'operator' ? 'There is' : 'This wallet has'} no invoice ${JSON.stringify(id.slice(0, 100))}.`,
  );

const sellerNotSet = (): AtelierError =>
  new AtelierError(
    'seller_not_set',
    'This server issues no invoices because no seller is configured. Ask the operator to set SELLER_NAME.',
  );
