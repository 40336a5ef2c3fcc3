import type { Queryable } from '../../core/database/types.ts';
import type { Audit } from './types.ts';

/** Enough for a diagnosis; a corrupt ledger may have a problem in every row. */
const PROBLEMS_MAX = 100;

/** Recomputes every account from the journal and compares. One statement, so that it sees one snapshot. */
export async function audit(database: Queryable, checkedAt: Date): Promise<Audit> {
  const [row] = await database.query<Omit<Audit, 'balanced' | 'checkedAt'>>(AUDIT, [PROBLEMS_MAX]);
  return { balanced: row!.problems.length === 0, checkedAt, ...row! };
}

const AUDIT = `
with resolved as (
  select h.id, h.debit, h.credit, h.amount, h.expires_at, count(r.id) as times,
    count(r.id) filter (where r.debit <> h.debit or r.credit <> h.credit or r.amount > h.amount) as unfit,
    count(r.id) filter (where r.phase = 'post' and r.at >= h.expires_at) as late
  from transfers h left join transfers r on r.hold_id = h.id
  where h.phase = 'pending' group by h.id
), journal as (
  select account, sum(debit)::int8 as debit, sum(credit)::int8 as credit, sum(held)::int8 as held from (
    select debit as account, amount as debit, 0 as credit, 0 as held from transfers where phase in ('posted', 'post')
    union all select credit, 0, amount, 0 from transfers where phase in ('posted', 'post')
    union all select debit, 0, 0, amount from resolved where times = 0
  ) movements group by account
), books as (
  select coalesce(a.id, j.account) as id, a.id is null as missing,
    coalesce(a.debit, 0) as debit, coalesce(a.credit, 0) as credit, coalesce(a.held, 0) as held,
    coalesce(j.debit, 0) as journal_debit, coalesce(j.credit, 0) as journal_credit, coalesce(j.held, 0) as journal_held,
    coalesce(a.id, j.account) like 'wallet:%' as is_wallet, coalesce(a.id, j.account) like 'prepaid:%' as is_prepaid
  from accounts a full join journal j on j.account = a.id
), claims as (
  select 'hold:' || claim as hold_id from x402_payments where claim is not null
  union all select 'hold:' || claim from payment_intents where claim is not null
), problems as (
  select format('%s has debit %s, credit %s, held %s, but the journal says %s, %s, %s',
    id, debit, credit, held, journal_debit, journal_credit, journal_held) as problem
  from books where (debit, credit, held) <> (journal_debit, journal_credit, journal_held)
  union all select format('%s is in the journal, but is no account', id) from books where missing
  union all select format('%s is overdrawn by %s', id, journal_debit + journal_held - journal_credit)
  from books where (is_wallet or is_prepaid) and journal_credit - journal_debit - journal_held < 0
  union all select format('%s was resolved %s times', id, times) from resolved where times > 1
  union all select format('%s has a resolution that does not fit it', id) from resolved where unfit > 0
  union all select format('%s was posted after its end', id) from resolved where late > 0
  union all select format('%s resolves %s, which is not a hold', r.id, r.hold_id)
  from transfers r left join transfers h on h.id = r.hold_id and h.phase = 'pending'
  where r.hold_id is not null and h.id is null
  union all select format('%s is open, but not among the open holds', r.id)
  from resolved r left join open_holds o on o.hold_id = r.id where r.times = 0 and o.hold_id is null
  union all select format('%s is among the open holds, but is not open', o.hold_id)
  from open_holds o left join resolved r on r.id = o.hold_id and r.times = 0 where r.id is null
  union all select format('%s is claimed by a payment, but is not open', c.hold_id)
  from claims c left join open_holds o on o.hold_id = c.hold_id where o.hold_id is null
  union all select format('%s has no end, but is claimed by no payment', o.hold_id)
  from open_holds o left join claims c on c.hold_id = o.hold_id where o.expires_at = 'infinity' and c.hold_id is null
  union all select format('the accounts together hold %s instead of 0', sum(credit - debit))
  from accounts having sum(credit - debit) <> 0
), reversed as (
  select coalesce(sum(amount), 0) as amount from transfers where code = 'reversal' and debit like 'wallet:%'
)
select
  (select coalesce(sum(amount), 0)::int8 from transfers
    where phase = 'posted' and credit like 'wallet:%' and code <> 'refund') - (select amount from reversed)::int8 as issued,
  (select coalesce(sum(journal_debit), 0)::int8 from books where is_wallet) - (select amount from reversed)::int8 as spent,
  (select coalesce(sum(amount), 0)::int8 from transfers
    where phase = 'posted' and credit like 'wallet:%' and code = 'refund') as refunded,
  (select coalesce(sum(journal_credit - journal_debit), 0)::int8 from books where is_wallet) as outstanding,
  (select coalesce(sum(journal_held), 0)::int8 from books where is_wallet) as held,
  (select count(*) from books where is_wallet) as wallets,
  (select count(*) from transfers) as transfers,
  (select coalesce(array_agg(problem), '{}') from (select problem from problems order by problem limit $1) shown) as problems`;
