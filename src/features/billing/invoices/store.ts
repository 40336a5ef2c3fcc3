import type { Queryable } from '../../../core/database/types.ts';
import type { Buyer, Invoice, Seller } from './types.ts';

export interface InvoiceRow {
  readonly position: number;
  readonly series: string;
  readonly number: number;
  readonly purchase: string;
  readonly at: Date;
  readonly wallet: string | null;
  /** Current owner of the purchase: the wallet of a card payment may become known after the invoice was issued. */
  readonly owner: string | null;
  readonly facts: Pick<
    Invoice,
    'item' | 'credits' | 'amount' | 'currency' | 'means' | 'payment' | 'network'
  > & {
    readonly seller: Seller;
  };
  /** Null: the invoice was not fetched yet. */
  readonly buyer: Buyer | null;
}

const COLUMNS = 'i.position, i.series, i.number, i.purchase, i.at, i.wallet, i.facts, i.buyer';

/** Issues invoices for purchases without one. @param most maximum number @returns the number issued */
export async function issueInvoices(
  database: Queryable,
  { seller, moment, most }: { seller: Seller; moment: Date; most: number },
): Promise<number> {
  const [row] = await database.query<{ count: number }>('select issue_invoices($1, $2, $3) as count', [
    JSON.stringify(seller),
    moment,
    most,
  ]);
  return row!.count;
}

/** An invoice by the id of the purchase, or by series and number. */
export async function selectInvoice(
  database: Queryable,
  { purchase, series, number }: { purchase?: string; series?: string; number?: number },
): Promise<InvoiceRow | undefined> {
  const [row] = await database.query<InvoiceRow>(
    `select ${COLUMNS}, p.wallet as owner from invoices i join purchases p on p.id = i.purchase
     where i.purchase = $1 or (i.series = $2 and i.number = $3)`,
    [purchase ?? null, series ?? null, number ?? null],
  );
  return row;
}

/** Invoices of a wallet, newest first. */
export const selectInvoices = (
  database: Queryable,
  { wallet, limit, before }: { wallet: string; limit: number; before?: number | undefined },
): Promise<InvoiceRow[]> =>
  database.query<InvoiceRow>(
    `select ${COLUMNS}, i.wallet as owner from invoices i
     where i.wallet = $1 and ($2::bigint is null or i.position < $2) order by i.position desc limit $3`,
    [wallet, before ?? null, limit],
  );

export async function selectBuyer(database: Queryable, wallet: string | null): Promise<Buyer | undefined> {
  const [row] = await database.query<Buyer>(
    'select name, address, tax_id as "taxId" from invoice_buyers where wallet = $1',
    [wallet],
  );
  return row;
}

/** Makes the buyer of an invoice final. @returns the final buyer, which an earlier call may have set */
export async function fixBuyer(database: Queryable, purchase: string, buyer: Buyer): Promise<Buyer> {
  await database.query('update invoices set buyer = $2 where purchase = $1 and buyer is null', [
    purchase,
    JSON.stringify(buyer),
  ]);
  const [row] = await database.query<{ buyer: Buyer }>('select buyer from invoices where purchase = $1', [
    purchase,
  ]);
  return row!.buyer;
}

export async function upsertBuyer(
  database: Queryable,
  wallet: string,
  { name, address, taxId, at }: Partial<Buyer> & { at: Date },
): Promise<Buyer> {
  const [row] = await database.query<Buyer>(
    `insert into invoice_buyers as b (wallet, name, address, tax_id, changed_at)
       values ($1, coalesce($2, ''), coalesce($3, ''), coalesce($4, ''), $5)
     on conflict (wallet) do update set name = coalesce($2, b.name), address = coalesce($3, b.address),
       tax_id = coalesce($4, b.tax_id), changed_at = $5
     returning name, address, tax_id as "taxId"`,
    [wallet, name ?? null, address ?? null, taxId ?? null, at],
  );
  return row!;
}
