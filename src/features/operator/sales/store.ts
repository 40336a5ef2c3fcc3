import type { Queryable } from '../../../core/database/types.ts';
import type { Purchase } from './types.ts';

/** Money that came in for credits or calls, oldest first. */
export const selectPurchases = (
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
