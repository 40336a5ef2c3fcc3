import type { Database, Queryable } from '../../../core/database/types.ts';
import type { Seller } from '../../billing/invoices/types.ts';
import { moneyText, taxOf } from '../../definitions/tax.ts';

export const createSales = (database: Database, seller: Seller): Sales => ({
  async *csvOf(month) {
    yield csvLine(COLUMNS);
    const [year = 0, number = 0] = month.split('-').map(Number);
    const [from, until] = [new Date(Date.UTC(year, number - 1)), new Date(Date.UTC(year, number))];
    for (let after = 0; ; ) {
      const page = await selectPurchases(database, { from, until, after, limit: SALES_PAGE });
      if (page.length > 0) yield page.map((purchase) => csvLine(cellsOf(purchase, seller))).join('');
      if (page.length < SALES_PAGE) return;
      after = page.at(-1)!.position;
    }
  },
});

const COLUMNS = [
  'date',
  'purchase_id',
  'wallet',
  'item',
  'credits',
  'credits_reversed',
  'currency',
  'amount',
  'tax_percent',
  'tax',
  'net',
  'means',
  'payment',
  'seller_name',
  'seller_address',
  'seller_tax_id',
  'invoice',
];

type Cell = string | number | null | undefined;

function cellsOf(purchase: Purchase, { name, address, taxId, taxPercent }: Seller): Cell[] {
  const { at, id, wallet, item, credits, reversed, currency, amount, means, payment, invoice } = purchase;
  const tax = taxOf(amount, taxPercent);
  return [
    at.toISOString(),
    id,
    wallet,
    item,
    credits / 1000,
    reversed / 1000,
    currency,
    moneyText(amount),
    taxPercent,
    tax && moneyText(tax.tax),
    tax && moneyText(tax.net),
    means,
    payment,
    name,
    address,
    taxId,
    invoice,
  ];
}

/** A CSV line (RFC 4180). */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** Prefixes text that a spreadsheet would run as a formula with an apostrophe (OWASP, CSV injection). */
function csvCell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const FORMULA = /^\s*[=+\-@\t\r\n|%＝＋－＠]/;

/** Purchases per database query. */
const SALES_PAGE = 1_000;

/** Payments for credits or calls, oldest first. */
const selectPurchases = (
  database: Queryable,
  { from, until, after, limit }: { from: Date; until: Date; after: number; limit: number },
): Promise<Purchase[]> =>
  database.query<Purchase>(
    `select p.position, p.at, p.id, p.wallet, p.item, p.credits, p.reversed, p.amount, p.currency, p.means, p.payment,
       i.series || '-' || lpad(i.number::text, greatest(6, length(i.number::text)), '0') as invoice
     from purchases p left join invoices i on i.purchase = p.id
     where p.at >= $1 and p.at < $2 and p.position > $3
     order by p.position limit $4`,
    [from, until, after, limit],
  );

export interface Sales {
  /** The purchases of a calendar month (UTC) as CSV (RFC 4180), oldest first. @param month such as 2026-11 */
  csvOf(month: string): AsyncGenerator<string>;
}

interface Purchase {
  readonly position: number;
  readonly at: Date;
  /** Id of the transfer of the payment. */
  readonly id: string;
  readonly wallet: string | null;
  /** Name of the credit pack or the paid tool. */
  readonly item: string;
  /** Millicredits. */
  readonly credits: number;
  /** Millicredits reversed since, after a refund or chargeback. */
  readonly reversed: number;
  /** Ten-thousandths of the currency, tax included. */
  readonly amount: number;
  readonly currency: string;
  /** `card`, `card_test`, `simulated` or `x402`. */
  readonly means: string;
  /** Id of the payment at the processor, or hash of the on-chain transaction. */
  readonly payment: string | null;
  /** Invoice number; null where none was issued. */
  readonly invoice: string | null;
}
