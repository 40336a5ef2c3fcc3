import type { Queryable } from '../../../core/database/types.ts';
import type { Purchase } from './types.ts';

/** Money that came in for credits or calls, oldest first. */
export const selectPurchases = (
  database: Queryable,
  { from, until, after, limit }: { from: Date; until: Date; after: number; limit: number },
): Promise<Purchase[]> =>
  database.query<Purchase>(
    `select t.position, t.at, t.id, coalesce(c.wallet, i.wallet, x.payer) as wallet, coalesce(c.pack, t.tool, '') as item,
       t.amount as credits, coalesce(c.taken + c.owed, i.prepaid_reversed + i.surplus_reversed, 0) as reversed,
       coalesce(c.amount_cents * 100, i.amount_cents * 100, t.amount) as amount,
       upper(coalesce(c.currency, i.currency, 'usd')) as currency, substr(t.debit, 6) as means,
       coalesce(c.payment, i.id, x.transaction) as payment
     from transfers t
       left join card_checkouts c on t.id like 'checkout:%' and c.id = substr(t.id, 10)
       left join payment_intents i on t.id like 'capture:%' and i.id = substr(t.id, 9)
       left join x402_payments x on t.id like 'x402:%' and x.id = substr(t.id, 6)
     where t.debit > 'cash:' and t.debit < 'cash;' and t.phase in ('posted', 'post') and t.code in ('purchase', 'tool_call')
       and t.at >= $1 and t.at < $2 and t.position > $3
     order by t.position limit $4`,
    [from, until, after, limit],
  );
