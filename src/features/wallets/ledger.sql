-- Credits: double-entry bookkeeping in whole thousandths of a credit. Inserting a transfer is the whole operation: triggers check it and move the
-- balances in the same statement, so the journal and the balances cannot diverge, and a check constraint refuses an overdraft even when the
-- code is wrong.

-- Amounts stay below 2^53, so that they are exact in JSON and JavaScript.
create domain millicredits as bigint check (value between 0 and 9007199254740991);

create table accounts (
  -- wallet:<address>, income:tool:<name>[:<digits>], promo:<purpose>[:<digits>], cash:<processor>, prepaid:<payment intent>
  id text collate "C" primary key,
  kind text not null check (kind in ('wallet', 'income', 'promo', 'cash', 'adjustment', 'prepaid')),
  debit millicredits not null default 0,
  credit millicredits not null default 0,
  -- Set aside by holds that are neither posted, voided nor expired.
  held millicredits not null default 0,
  created_at timestamptz not null,
  constraint account_id_shows_kind check (
    case kind when 'wallet' then id ~ '^wallet:0x[0-9a-f]{40}$' else id like kind || ':_%' end
  ),
  constraint no_overdraft check (kind not in ('wallet', 'prepaid') or credit - debit - held >= 0)
  -- Every paid call updates three accounts: free space keeps the new row version on the same page (HOT update).
) with (fillfactor = 50);

create table transfers (
  -- Derived from what the transfer is for (welcome:<wallet>, hold:<call>, post:<call>, …): inserting it twice fails.
  id text collate "C" primary key,
  position bigint generated always as identity,
  at timestamptz not null,
  debit text collate "C" not null references accounts (id),
  credit text collate "C" not null references accounts (id),
  amount bigint not null constraint amount_is_positive check (amount > 0),
  -- posted moves credits at once; pending holds them, and is resolved at most once by post, void or expire.
  phase text not null check (phase in ('posted', 'pending', 'post', 'void', 'expire')),
  hold_id text collate "C" references transfers (id),
  -- surplus: what a card payment leaves beyond whole calls. reversal: bought credits taken back because the money was.
  code text not null check (code in
    ('welcome_bonus', 'purchase', 'tool_call', 'credit_back', 'refund', 'adjustment', 'surplus', 'reversal')),
  tool text,
  expires_at timestamptz,
  constraint two_accounts check (debit <> credit),
  constraint resolution_names_hold check ((phase in ('post', 'void', 'expire')) = (hold_id is not null)),
  constraint hold_has_end check ((phase = 'pending') = (expires_at is not null))
);
create unique index one_resolution on transfers (hold_id) where hold_id is not null;
create index transfers_of_debit on transfers (debit, position);
create index transfers_of_credit on transfers (credit, position);

-- Credits that came in other than by credit-back are a few rows per wallet: totals need not read a long history.
create index transfers_into_wallet on transfers (credit) where code <> 'credit_back' and credit like 'wallet:%';
-- The charges of a month: for price rules by volume, and for invoices.
create index transfers_charged on transfers (debit, at) where phase = 'post' and code = 'tool_call';
create index transfers_reversed on transfers (debit) where code = 'reversal';

-- Holds without a resolution, so that the expiry job does not read the whole journal.
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

-- Balances and open holds are derived from transfers: only the trigger of that table may write them.
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

-- Every paid call credits the income of its tool and debits the credit-back account, so calls of unrelated wallets would queue for the locks of
-- two rows. Both are therefore split by the last two digits of the wallet address: income:tool:<name>:<digits>. The balance of a house account
-- is the sum of its parts. Returns the part of `house` for `wallet` and creates it if needed; for an unknown house account the name is
-- returned all the same, and the foreign key of transfers refuses it.
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

-- Not for resolutions: they name the accounts of their hold.
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

-- Test cards and the simulated processor have accounts of their own, so that their amounts are never mixed with real money.
insert into accounts (id, kind, created_at) values
  ('promo:welcome', 'promo', now()),
  ('promo:creditback', 'promo', now()),
  ('cash:card', 'cash', now()),
  ('cash:card_test', 'cash', now()),
  ('cash:simulated', 'cash', now()),
  ('cash:x402', 'cash', now()),
  ('adjustment:manual', 'adjustment', now());

create function open_account(id text, kind text, at timestamptz) returns void language sql as $$
  insert into accounts (id, kind, created_at) values (id, kind, at) on conflict do nothing
$$;

-- Lock order of all functions that move credits: prepaid, wallet, cash, income, promo. It prevents deadlocks.

-- Locks wallets in the order of their addresses.
create function lock_wallets(wallets text[]) returns boolean language plpgsql as $$
begin
  perform from accounts a where a.id in (select 'wallet:' || w from unnest(wallets) w) order by a.id for no key update;
  return true;
end $$;

-- Resolves a hold without charging. False when it is already resolved or does not exist.
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

-- For rows that a paid call stores before it is charged (assets, registrations, …): refuses them once their hold is resolved. The hold is locked
-- before the row, in the same order as a resolution does.
create function check_asset_hold() returns trigger language plpgsql as $$
begin
  perform from open_holds o where o.hold_id = new.hold_id for key share;
  if not found then
    raise exception '% is not open', new.hold_id
      using errcode = 'integrity_constraint_violation', constraint = 'asset_hold_is_open';
  end if;
  return new;
end $$;
