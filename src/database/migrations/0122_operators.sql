-- What an operator does gets a name beside it, and stays as it was written. Operators have tokens; wallets can be blocked.

alter table operator_acts add column who text not null default 'command line';
alter table operator_acts alter column who drop default;
create trigger operator_acts_only_grow before update or delete or truncate on operator_acts
  for each statement execute function refuse_change();

create table operator_tokens (
  id text collate "C" primary key,
  token_sha256 text collate "C" not null unique check (token_sha256 ~ '^[0-9a-f]{64}$'),
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  created_by text not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);

-- A wallet in here spends nothing: the operator has blocked it, or its owner has closed it.
create table blocked_wallets (
  wallet text collate "C" primary key check (wallet ~ '^0x[0-9a-f]{40}$'),
  at timestamptz not null,
  who text not null,
  why text not null
);

-- As before (0114); a blocked wallet holds nothing.
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
  if exists (select from blocked_wallets b where b.wallet = hold_credits.wallet) then
    return 'wallet_blocked';
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
