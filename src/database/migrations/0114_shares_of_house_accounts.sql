-- Every paid call moves credits into the income of its tool, and pays its credit-back out of one account. Calls of wallets that have nothing to
-- do with each other met at these two rows, and each waited until the other had been committed. So what moves between a wallet and an account of
-- the house goes to a share of that account, chosen by the last two digits of the wallet's address: income:tool:<name>:<digits>. A share is an
-- account like any other; what an account had before stays where it is, and its income is the sum of both.

-- The share of `house` that `wallet` has to do with, opened where it is new. Where there is no such account of the house the name is answered
-- all the same, and the journal refuses it.
create function share_of_house(house text, wallet text, at timestamptz) returns text language plpgsql as $$
declare
  digits text := ':' || right(wallet, 2);
  share text := house || digits;
begin
  if right(house, 3) = digits then
    return house;
  end if;
  if not exists (select from accounts a where a.id = share) then
    insert into accounts (id, kind, created_at)
      select share, a.kind, at from accounts a where a.id = house on conflict do nothing;
  end if;
  return share;
end $$;

-- What resolves a hold names the accounts of that hold.
create function spread_over_shares() returns trigger language plpgsql as $$
begin
  if new.debit like 'wallet:%' then
    new.credit := share_of_house(new.credit, new.debit, new.at);
  else
    new.debit := share_of_house(new.debit, new.credit, new.at);
  end if;
  return new;
end $$;
create trigger transfers_spread before insert on transfers
  for each row when (new.hold_id is null and (new.debit like 'wallet:%' and new.credit like 'income:%'
    or new.credit like 'wallet:%' and (new.debit like 'income:%' or new.debit like 'promo:%')))
  execute function spread_over_shares();

-- Locks wallets in the order of their addresses. One row, so that it can stand beside what is asked about them.
create function lock_wallets(wallets text[]) returns boolean language plpgsql as $$
begin
  perform from accounts a where a.id in (select 'wallet:' || w from unnest(wallets) w) order by a.id for no key update;
  return true;
end $$;

-- As before (0089), but a hold that is asked for again is known by its tool.
create or replace function hold_credits(
  call text, wallet text, amount bigint, tool text, at timestamptz, expires_at timestamptz,
  approval text default null, params_sha256 text default null, is_signed boolean default false
) returns text language plpgsql as $$
declare
  payer accounts;
  income text := 'income:tool:' || tool;
  first transfers;
  rules spending_rules;
  given approvals;
  problem text;
begin
  select * into payer from accounts a where a.id = 'wallet:' || wallet for no key update;
  if not found then
    return 'wallet_not_registered';
  end if;
  select * into first from transfers t where t.id = 'hold:' || call;
  if found then
    return case when first.debit = payer.id and first.tool = hold_credits.tool and first.amount = hold_credits.amount
      then 'held' else 'differs' end;
  end if;
  select * into rules from spending_rules r where r.wallet = hold_credits.wallet;
  if rules.stopped_at is not null then
    return 'spending_stopped';
  end if;
  if payer.credit - payer.debit - payer.held < amount then
    return 'insufficient_credits';
  end if;
  if amount > rules.approval_above and not is_signed then
    if approval is null then
      return 'approval_required';
    end if;
    select * into given from approvals a where a.id = approval and a.wallet = hold_credits.wallet for no key update;
    problem := case
      when not found then 'approval_not_found'
      when given.tool <> hold_credits.tool or given.amount <> hold_credits.amount
        or given.params_sha256 is distinct from hold_credits.params_sha256 then 'approval_differs'
      when given.hold_id is not null then 'approval_used'
      when not given.is_approved then 'approval_refused'
      when given.expires_at <= at then 'approval_expired'
      when given.decided_at is null then 'approval_waiting' end;
    if problem is not null then
      return problem;
    end if;
    update approvals a set hold_id = 'hold:' || call where a.id = given.id;
  end if;
  if not exists (select from accounts a where a.id = income) then
    insert into accounts (id, kind, created_at) values (income, 'income', at) on conflict do nothing;
  end if;
  insert into transfers (id, at, debit, credit, amount, phase, code, tool, expires_at)
    values ('hold:' || call, at, payer.id, income, amount, 'pending', 'tool_call', tool, expires_at);
  return 'held';
end $$;
