-- Money: double entry in whole thousandths of a credit. Inserting a transfer is the whole operation: triggers check it and
-- move the balances in the same statement, so the journal and the balances cannot part, and a check refuses an overdraft
-- even when the code is wrong.

-- Amounts stay below 2^53, so that they are exact in JSON and JavaScript.
create domain millicredits as bigint check (value between 0 and 9007199254740991);

create table accounts (
  -- wallet:<address>, income:tool:<name>, promo:<what for>, cash:<processor>
  id text collate "C" primary key,
  kind text not null check (kind in ('wallet', 'income', 'promo', 'cash', 'adjustment')),
  debit millicredits not null default 0,
  credit millicredits not null default 0,
  -- Set aside by holds that are neither posted, voided nor expired.
  held millicredits not null default 0,
  created_at timestamptz not null,
  constraint account_id_shows_kind check (
    case kind when 'wallet' then id ~ '^wallet:0x[0-9a-f]{40}$' else id like kind || ':_%' end
  ),
  constraint no_overdraft check (kind <> 'wallet' or credit - debit - held >= 0)
  -- Room for the next version of a row beside the last one: every paid call updates three of them.
) with (fillfactor = 50);

create table transfers (
  -- Made by the caller from what it names (welcome:<wallet>, hold:<call>, post:<call>, …): sending it twice is one transfer.
  id text collate "C" primary key,
  position bigint generated always as identity,
  at timestamptz not null,
  debit text collate "C" not null references accounts (id),
  credit text collate "C" not null references accounts (id),
  amount bigint not null constraint amount_is_positive check (amount > 0),
  -- posted moves credits at once; pending holds them, and is resolved at most once by post, void or expire.
  phase text not null check (phase in ('posted', 'pending', 'post', 'void', 'expire')),
  hold_id text collate "C" references transfers (id),
  code text not null check (code in ('welcome_bonus', 'purchase', 'tool_call', 'credit_back', 'refund', 'adjustment')),
  tool text,
  expires_at timestamptz,
  constraint two_accounts check (debit <> credit),
  constraint resolution_names_hold check ((phase in ('post', 'void', 'expire')) = (hold_id is not null)),
  constraint hold_has_end check ((phase = 'pending') = (expires_at is not null))
);

create unique index one_resolution on transfers (hold_id) where hold_id is not null;
create index transfers_of_debit on transfers (debit, position);
create index transfers_of_credit on transfers (credit, position);
-- What came in other than by credit-back is a handful of rows a wallet: totals need not read a long history.
create index transfers_into_wallet on transfers (credit) where code <> 'credit_back' and credit like 'wallet:%';

-- The holds without a resolution, so that looking for expired ones does not read the whole journal.
create table open_holds (
  hold_id text collate "C" primary key,
  expires_at timestamptz not null
);
create index open_holds_expires_at on open_holds (expires_at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% refused: % is only ever added to', tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation', constraint = tg_table_name || '_only_grow';
end $$;

-- Balances and open holds follow from transfers: only the trigger of an insert there may write them.
create function refuse_direct_change() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception '% of % refused: insert a transfer instead', tg_op, tg_table_name
      using errcode = 'integrity_constraint_violation', constraint = tg_table_name || '_follow_transfers';
  end if;
  return null;
end $$;

create function check_new_account() returns trigger language plpgsql as $$
begin
  if new.debit + new.credit + new.held <> 0 then
    raise exception 'account % does not start empty', new.id
      using errcode = 'integrity_constraint_violation', constraint = 'account_starts_empty';
  end if;
  return new;
end $$;

-- A resolution must fit its hold: the same accounts, at most its amount (void and expire: all of it), post before its
-- end, expire not before.
create function check_resolution() returns trigger language plpgsql as $$
declare
  hold transfers;
begin
  select * into hold from transfers where id = new.hold_id;
  if hold.phase is distinct from 'pending' then
    raise exception '% is not a hold', new.hold_id
      using errcode = 'integrity_constraint_violation', constraint = 'resolution_has_hold';
  end if;
  if new.debit <> hold.debit or new.credit <> hold.credit
    or new.amount > hold.amount or (new.phase <> 'post' and new.amount <> hold.amount) then
    raise exception '% does not fit %', new.id, hold.id
      using errcode = 'integrity_constraint_violation', constraint = 'resolution_fits_hold';
  end if;
  if (new.phase = 'post' and new.at >= hold.expires_at) or (new.phase = 'expire' and new.at < hold.expires_at) then
    raise exception '% at %: % ends at %', new.phase, new.at, hold.id, hold.expires_at
      using errcode = 'integrity_constraint_violation', constraint = 'resolution_in_time';
  end if;
  return new;
end $$;

create function apply_transfer() returns trigger language plpgsql as $$
declare
  freed bigint := 0;
begin
  if new.phase = 'pending' then
    update accounts set held = held + new.amount where id = new.debit;
    insert into open_holds values (new.id, new.expires_at);
    return null;
  end if;
  if new.hold_id is not null then
    select amount into freed from transfers where id = new.hold_id;
    delete from open_holds where hold_id = new.hold_id;
  end if;
  if new.phase in ('void', 'expire') then
    update accounts set held = held - freed where id = new.debit;
  else
    update accounts set held = held - freed, debit = debit + new.amount where id = new.debit;
    update accounts set credit = credit + new.amount where id = new.credit;
  end if;
  return null;
end $$;

create trigger transfers_only_grow before update or delete or truncate on transfers
  for each statement execute function refuse_change();
create trigger transfers_check_resolution before insert on transfers
  for each row when (new.hold_id is not null) execute function check_resolution();
create trigger transfers_apply after insert on transfers
  for each row execute function apply_transfer();
create trigger accounts_start_empty before insert on accounts
  for each row execute function check_new_account();
create trigger accounts_follow_transfers before update on accounts
  for each statement execute function refuse_direct_change();
create trigger accounts_only_grow before delete or truncate on accounts
  for each statement execute function refuse_change();
create trigger open_holds_follow_transfers before insert or update or delete on open_holds
  for each statement execute function refuse_direct_change();
create trigger open_holds_not_truncated before truncate on open_holds
  for each statement execute function refuse_change();

insert into accounts (id, kind, created_at) values
  ('promo:welcome', 'promo', now()),
  ('promo:creditback', 'promo', now()),
  ('cash:card', 'cash', now()),
  ('adjustment:manual', 'adjustment', now());

-- Answers kept under an Idempotency-Key. The bytes are a blob; a row without one belongs to a call that still runs.
create table answers (
  principal text collate "C" not null,
  route text collate "C" not null,
  key text collate "C" not null,
  body_sha256 text not null check (body_sha256 ~ '^[0-9a-f]{64}$'),
  answer_sha256 text check (answer_sha256 ~ '^[0-9a-f]{64}$'),
  -- Of a running call: when it is given up for dead. Of a kept answer: when it is forgotten.
  expires_at timestamptz not null,
  primary key (principal, route, key)
);
create index answers_expires_at on answers (expires_at);
create index answers_answer_sha256 on answers (answer_sha256) where answer_sha256 is not null;

-- One function a movement of money, so that each costs one round trip. They lock the wallet first; whoever comes second
-- sees what the first has done.

create function register_wallet(wallet text, bonus bigint, at timestamptz)
  returns table (already_registered boolean, registered_at timestamptz, balance bigint) language plpgsql as $$
declare
  account text := 'wallet:' || wallet;
begin
  insert into accounts (id, kind, created_at) values (account, 'wallet', at) on conflict do nothing;
  already_registered := not found;
  if not already_registered then
    insert into transfers (id, at, debit, credit, amount, phase, code)
      values ('welcome:' || wallet, at, 'promo:welcome', account, bonus, 'posted', 'welcome_bonus');
  end if;
  return query select already_registered, a.created_at, a.credit - a.debit from accounts a where a.id = account;
end $$;

-- held, wallet_not_registered, insufficient_credits, or differs: the call's name was used for another hold.
create function hold_credits(call text, wallet text, amount bigint, tool text, at timestamptz, expires_at timestamptz)
  returns text language plpgsql as $$
declare
  payer accounts;
  income text := 'income:tool:' || tool;
  first transfers;
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
  if payer.credit - payer.debit - payer.held < amount then
    return 'insufficient_credits';
  end if;
  if not exists (select from accounts a where a.id = income) then
    insert into accounts (id, kind, created_at) values (income, 'income', at) on conflict do nothing;
  end if;
  insert into transfers (id, at, debit, credit, amount, phase, code, tool, expires_at)
    values ('hold:' || call, at, payer.id, income, amount, 'pending', 'tool_call', tool, expires_at);
  return 'held';
end $$;

-- Takes what was held, pays the credit-back, and keeps the answer when one is named.
-- settled, already_settled, or why not: unknown, released, expired.
create function settle_hold(
  call text, back_percent integer, at timestamptz,
  principal text, route text, key text, answer_sha256 text, answer_expires_at timestamptz
) returns table (outcome text, balance bigint, credit_back bigint) language plpgsql as $$
declare
  hold transfers;
  phase_before text;
begin
  select * into hold from transfers t where t.id = 'hold:' || call;
  if not found then
    return query select 'unknown', null::bigint, null::bigint;
    return;
  end if;
  perform from accounts a where a.id = hold.debit for no key update;
  select t.phase into phase_before from transfers t where t.hold_id = hold.id;
  credit_back := hold.amount * back_percent / 100;
  outcome := case
    when phase_before = 'post' then 'already_settled'
    when phase_before = 'void' then 'released'
    when phase_before = 'expire' or at >= hold.expires_at then 'expired'
    else 'settled' end;
  if outcome = 'settled' then
    insert into transfers (id, at, debit, credit, amount, phase, hold_id, code, tool)
      values ('post:' || call, at, hold.debit, hold.credit, hold.amount, 'post', hold.id, hold.code, hold.tool);
    if credit_back > 0 then
      insert into transfers (id, at, debit, credit, amount, phase, code, tool)
        values ('creditback:' || call, at, 'promo:creditback', hold.debit, credit_back, 'posted', 'credit_back', hold.tool);
    end if;
    if answer_sha256 is not null then
      update answers a set answer_sha256 = settle_hold.answer_sha256, expires_at = answer_expires_at
        where a.principal = settle_hold.principal and a.route = settle_hold.route and a.key = settle_hold.key
          and a.answer_sha256 is null;
      -- Another call has answered under this key, or the claim is gone: nothing may be charged for a second answer.
      if not found then
        raise exception 'the idempotency key of % is not claimed', call
          using errcode = 'integrity_constraint_violation', constraint = 'answer_is_claimed';
      end if;
    end if;
  end if;
  select a.credit - a.debit into balance from accounts a where a.id = hold.debit;
  return next;
end $$;

-- Resolves a hold without taking anything. False when it was resolved before or never made.
create function end_hold(hold_id text, phase text, at timestamptz) returns boolean language plpgsql as $$
declare
  hold transfers;
begin
  select * into hold from transfers t where t.id = end_hold.hold_id;
  if not found then
    return false;
  end if;
  perform from accounts a where a.id = hold.debit for no key update;
  if not exists (select from open_holds o where o.hold_id = hold.id) then
    return false;
  end if;
  insert into transfers (id, at, debit, credit, amount, phase, hold_id, code, tool)
    values (phase || substr(hold.id, 5), at, hold.debit, hold.credit, hold.amount, phase, hold.id, hold.code, hold.tool);
  return true;
end $$;

-- Expires what is over at `moment`; with `running`, also voids the holds that are not. In the order of wallets, so that two
-- processes that do this at once do not wait for each other in a circle.
create function expire_holds(moment timestamptz, running boolean) returns bigint language sql as $$
  select count(*) filter (where end_hold(due.id, case when due.expires_at <= moment then 'expire' else 'void' end, moment))
  from (
    select t.id, t.expires_at from open_holds o join transfers t on t.id = o.hold_id
    where running or o.expires_at <= moment
    order by t.debit, t.position
  ) due
$$;
