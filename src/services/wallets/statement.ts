import type { Queryable } from '../../database/contract.ts';
import type { StatementEntry, StatementPage } from './contract.ts';

/**
 * What moved a wallet's balance, newest first, each entry with the balance after it, recomputed from the journal. One
 * statement, so that it sees one moment. Holds change no balance; what became of them is an entry.
 */
export async function statement(
  database: Queryable,
  wallet: string,
  { from, until, before, limit }: StatementPage,
): Promise<StatementEntry[]> {
  const rows = await database.query<StatementEntry & { tool: string | null; receiptId: string | null }>(
    `select id, code as type, signed as amount, tool, at, position, balance as "balanceAfter",
       (select r.id from receipts r
         where r.id = 'rcpt_' || substring(entries.id from '^(?:post|creditback):(?:call_|job_)?(.*)$')) as "receiptId"
     from (
       select t.*, (sum(signed) over (order by position))::int8 as balance from (
         select id, code, tool, at, position, -amount as signed from transfers
         where debit = 'wallet:' || $1 and phase in ('posted', 'post')
         union all
         select id, code, tool, at, position, amount from transfers
         where credit = 'wallet:' || $1 and phase in ('posted', 'post')
       ) t
     ) entries
     where ($2::timestamptz is null or at >= $2) and ($3::timestamptz is null or at < $3)
       and ($4::int8 is null or position < $4)
     order by position desc limit $5`,
    [wallet, from ?? null, until ?? null, before ?? null, limit],
  );
  return rows.map(({ tool, receiptId, ...entry }) => ({
    ...entry,
    ...(tool !== null && { tool }),
    ...(receiptId !== null && { receiptId }),
  }));
}
