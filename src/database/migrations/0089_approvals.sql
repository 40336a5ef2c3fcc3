-- What an owner lets be spent: nothing for now, or above an amount only what he has signed for, call by call.

-- A wallet without a row has no rules.
create table spending_rules (
  wallet text collate "C" primary key check (wallet ~ '^0x[0-9a-f]{40}$'),
  stopped_at timestamptz,
  -- Thousandths of a credit; a call that costs more needs an approval. null: none does.
  approval_above bigint check (approval_above >= 0)
);

-- One call an owner was asked about. Bound to what it asks for and costs; used by at most one hold.
create table approvals (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{32}$'),
  wallet text collate "C" not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  tool text not null,
  params_sha256 text collate "C" not null check (params_sha256 ~ '^[0-9a-f]{64}$'),
  amount bigint not null check (amount > 0),
  -- For the person: the parameters, shortened, and who sent the call.
  shown text not null,
  asked_by text not null,
  -- From where the call came: whoever knows the address of an open wallet may ask, and none takes all the room.
  address text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  is_approved boolean,
  signature text,
  hold_id text collate "C" unique,
  constraint decided_whole check ((decided_at is null) = (is_approved is null)),
  constraint used_if_approved check (hold_id is null or is_approved)
);
create index approvals_of_wallet on approvals (wallet, expires_at);
create index approvals_expires_at on approvals (expires_at);

-- The row of the account is the lock of every hold, so no hold that begins after this returns goes by the old rules.
create function set_spending_rules(wallet text, is_stopped boolean, sets_above boolean, above bigint, at timestamptz)
  returns table (stopped_at timestamptz, approval_above bigint) language plpgsql as $$
#variable_conflict use_column
begin
  perform from accounts a where a.id = 'wallet:' || set_spending_rules.wallet for no key update;
  insert into spending_rules as r (wallet, stopped_at, approval_above)
    values (set_spending_rules.wallet, case when is_stopped then at end, above)
    on conflict (wallet) do update set
      stopped_at = case when is_stopped is null then r.stopped_at when is_stopped then coalesce(r.stopped_at, at) end,
      approval_above = case when sets_above then above else r.approval_above end;
  return query select r.stopped_at, r.approval_above from spending_rules r where r.wallet = set_spending_rules.wallet;
end $$;

-- As before (0001), and by the rules of the owner: spending_stopped; approval_required, or what is wrong with the approval that came.
-- A hold that was made stays good whatever the rules become. is_signed: the owner has signed the very request.
drop function hold_credits(text, text, bigint, text, timestamptz, timestamptz);
create function hold_credits(
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
    return case when first.debit = payer.id and first.credit = income and first.amount = hold_credits.amount
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

-- As before (0005), handing the approval on.
drop function hold_credits_of_key(text, text, text, bigint, text, timestamptz, timestamptz);
create function hold_credits_of_key(
  key text, call text, wallet text, amount bigint, tool text, at timestamptz, expires_at timestamptz,
  approval text default null, params_sha256 text default null
) returns table (outcome text, max_total bigint, spent bigint, max_daily bigint, spent_on_day bigint)
language plpgsql as $$
declare
  k wallet_keys;
  today date;
  taken bigint;
begin
  perform from accounts a where a.id = 'wallet:' || wallet for no key update;
  select * into k from wallet_keys w where w.id = key and w.wallet = hold_credits_of_key.wallet for no key update;
  if not found or k.revoked_at is not null or k.expires_at <= at then
    return query select 'key_ended', null::bigint, null::bigint, null::bigint, null::bigint;
    return;
  end if;
  taken := case when exists (select from key_holds h where h.hold_id = 'hold:' || call) then 0 else amount end;
  today := greatest(timezone('UTC', at)::date, k.day);
  if today > k.day then
    k.day := today;
    k.spent_on_day := 0;
  end if;
  outcome := case
    when k.spent + taken > k.max_total then 'over_total'
    when k.spent_on_day + taken > k.max_daily then 'over_day'
    else hold_credits(call, wallet, amount, tool, at, expires_at, approval, params_sha256) end;
  if outcome = 'held' and taken > 0 then
    k.spent := k.spent + taken;
    k.spent_on_day := k.spent_on_day + taken;
    insert into key_holds values ('hold:' || call, key, today, taken);
    update wallet_keys w set spent = k.spent, day = k.day, spent_on_day = k.spent_on_day where w.id = key;
  end if;
  return query select outcome, k.max_total, k.spent, k.max_daily, k.spent_on_day;
end $$;

-- A call that failed has used nothing: its approval is good for another try, as long as it lasts.
create function end_approved_hold() returns trigger language plpgsql as $$
begin
  update approvals a set hold_id = null where a.hold_id = new.hold_id;
  return null;
end $$;

create trigger transfers_end_approved_hold after insert on transfers
  for each row when (new.hold_id is not null and new.phase <> 'post') execute function end_approved_hold();

-- Keeps a question unless the same is open already, whose id it answers then; null where the wallet has as many as it may.
create function ask_approval(
  id text, wallet text, tool text, params_sha256 text, amount bigint, shown text, asked_by text, address text,
  at timestamptz, expires_at timestamptz, open_max integer, open_per_address_max integer
) returns text language plpgsql as $$
#variable_conflict use_column
declare
  same text;
begin
  perform from accounts a where a.id = 'wallet:' || ask_approval.wallet for no key update;
  select a.id into same from approvals a where a.wallet = ask_approval.wallet and a.tool = ask_approval.tool
    and a.params_sha256 = ask_approval.params_sha256 and a.amount = ask_approval.amount
    and a.asked_by = ask_approval.asked_by and a.decided_at is null and a.expires_at > ask_approval.at
    order by a.expires_at desc limit 1;
  if found then
    return same;
  end if;
  if (select count(*) >= open_max or count(*) filter (where a.address = ask_approval.address) >= open_per_address_max
      from approvals a where a.wallet = ask_approval.wallet and a.decided_at is null and a.expires_at > ask_approval.at) then
    return null;
  end if;
  insert into approvals (id, wallet, tool, params_sha256, amount, shown, asked_by, address, created_at, expires_at)
    values (ask_approval.id, ask_approval.wallet, ask_approval.tool, ask_approval.params_sha256, ask_approval.amount,
      ask_approval.shown, ask_approval.asked_by, ask_approval.address, ask_approval.at, ask_approval.expires_at);
  return ask_approval.id;
end $$;
