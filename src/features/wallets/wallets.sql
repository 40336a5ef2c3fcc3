-- Wallets: registration, ownership, sessions, keys and spending rules. No token is stored, only its sha256.

create function register_wallet(wallet text, bonus bigint, at timestamptz)
  returns table (already_registered boolean, registered_at timestamptz, balance bigint) language plpgsql as $$
declare
  account text := 'wallet:' || wallet;
begin
  insert into accounts (id, kind, created_at) values (account, 'wallet', at) on conflict do nothing;
  already_registered := not found;
  if not already_registered and bonus > 0 then
    insert into transfers (id, at, debit, credit, amount, phase, code)
      values ('welcome:' || wallet, at, 'promo:welcome', account, bonus, 'posted', 'welcome_bonus');
  end if;
  return query select already_registered, a.created_at, a.credit - a.debit from accounts a where a.id = account;
end $$;

-- Grants the welcome bonus once and returns it; 0 for a wallet that is not registered or already has it.
create function welcome_wallet(wallet text, bonus bigint, at timestamptz) returns bigint language plpgsql as $$
declare
  account text := 'wallet:' || wallet;
begin
  perform from accounts a where a.id = account for update;
  if not found or exists (select from transfers t where t.id = 'welcome:' || wallet) then
    return 0;
  end if;
  insert into transfers (id, at, debit, credit, amount, phase, code)
    values ('welcome:' || wallet, at, 'promo:welcome', account, bonus, 'posted', 'welcome_bonus');
  return bonus;
end $$;

-- A wallet without a row is open; with one it is claimed, and locked while locked_at is set.
create table wallet_owners (
  wallet text collate "C" primary key check (wallet ~ '^0x[0-9a-f]{40}$'),
  claimed_at timestamptz not null,
  locked_at timestamptz
);

-- Messages waiting for a signature. A row is deleted by the one request that uses its nonce.
create table wallet_challenges (
  nonce text collate "C" primary key,
  wallet text collate "C" not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  chain_id bigint not null,
  expires_at timestamptz not null
);
create index wallet_challenges_expires_at on wallet_challenges (expires_at);

-- Used nonces of signed requests, until the signature has expired.
create table signed_request_nonces (
  wallet text collate "C" not null,
  nonce text collate "C" not null,
  expires_at timestamptz not null,
  primary key (wallet, nonce)
);
create index signed_request_nonces_expires_at on signed_request_nonces (expires_at);

create table wallet_sessions (
  token_sha256 text collate "C" primary key check (token_sha256 ~ '^[0-9a-f]{64}$'),
  wallet text collate "C" not null references wallet_owners (wallet),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index wallet_sessions_of_wallet on wallet_sessions (wallet);
create index wallet_sessions_expires_at on wallet_sessions (expires_at);

-- Consumes the nonce and opens the session, or does neither: of concurrent requests with the same nonce, one succeeds.
create function open_wallet_session(
  nonce text, wallet text, chain_id bigint, token_sha256 text, at timestamptz, expires_at timestamptz
) returns boolean language plpgsql as $$
begin
  delete from wallet_challenges c
    where c.nonce = open_wallet_session.nonce and c.wallet = open_wallet_session.wallet
      and c.chain_id = open_wallet_session.chain_id and c.expires_at > at;
  if not found then
    return false;
  end if;
  insert into wallet_owners (wallet, claimed_at) values (open_wallet_session.wallet, at) on conflict do nothing;
  insert into wallet_sessions values (token_sha256, open_wallet_session.wallet, at, open_wallet_session.expires_at);
  return true;
end $$;

create table wallet_keys (
  id text collate "C" primary key,
  position bigint generated always as identity,
  token_sha256 text collate "C" not null unique check (token_sha256 ~ '^[0-9a-f]{64}$'),
  wallet text collate "C" not null references wallet_owners (wallet),
  name text not null,
  scopes text[] not null,
  -- null: every tool.
  tools text[],
  -- Thousandths of a credit, as in the ledger; null: no cap.
  max_total bigint check (max_total > 0),
  max_daily bigint check (max_daily > 0),
  spent bigint not null default 0,
  -- Spent on that day, UTC.
  day date not null default 'epoch',
  spent_on_day bigint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  constraint key_within_total check (spent >= 0 and spent <= max_total),
  constraint key_within_day check (spent_on_day >= 0 and spent_on_day <= max_daily)
) with (fillfactor = 50);
create index wallet_keys_of_wallet on wallet_keys (wallet, position);

-- Adds a key; false when the wallet has `active_max` active ones. The row of the owner is the lock.
create function add_wallet_key(
  id text, token_sha256 text, wallet text, name text, scopes text[], tools text[], max_total bigint, max_daily bigint,
  at timestamptz, expires_at timestamptz, active_max integer
) returns boolean language plpgsql as $$
begin
  insert into wallet_owners (wallet, claimed_at) values (add_wallet_key.wallet, at) on conflict do nothing;
  perform from wallet_owners o where o.wallet = add_wallet_key.wallet for update;
  if (select count(*) from wallet_keys k where k.wallet = add_wallet_key.wallet and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > at)) >= active_max then
    return false;
  end if;
  insert into wallet_keys (id, token_sha256, wallet, name, scopes, tools, max_total, max_daily, created_at, expires_at)
    values (add_wallet_key.id, add_wallet_key.token_sha256, add_wallet_key.wallet, add_wallet_key.name,
      add_wallet_key.scopes, add_wallet_key.tools, add_wallet_key.max_total, add_wallet_key.max_daily, at,
      add_wallet_key.expires_at);
  return true;
end $$;

-- What open holds have taken from the budget of a key, so that it can be restored.
create table key_holds (
  hold_id text collate "C" primary key,
  key_id text collate "C" not null references wallet_keys (id),
  day date not null,
  amount bigint not null check (amount > 0)
);

-- However a hold ends, the budget of its key follows in the same statement; what a partial charge leaves of it is restored too.
create function end_key_hold() returns trigger language plpgsql as $$
declare
  ended key_holds;
  given_back bigint;
begin
  delete from key_holds h where h.hold_id = new.hold_id returning * into ended;
  if not found then
    return null;
  end if;
  given_back := case when new.phase = 'post' then ended.amount - new.amount else ended.amount end;
  if given_back > 0 then
    update wallet_keys w set spent = spent - given_back,
      spent_on_day = case when w.day = ended.day then spent_on_day - given_back else spent_on_day end
      where w.id = ended.key_id;
  end if;
  return null;
end $$;
create trigger transfers_end_key_hold after insert on transfers
  for each row when (new.hold_id is not null) execute function end_key_hold();

-- Keys requested by agents. The agent holds a code; the owner gets a link with the id. The key is created when the code is redeemed, so no
-- token is ever stored.
create table key_requests (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{32}$'),
  code_sha256 text collate "C" not null unique check (code_sha256 ~ '^[0-9a-f]{64}$'),
  -- Principal whose requests are limited: a wallet, or a network address.
  asked_by text collate "C" not null,
  name text not null,
  -- Requested limits in thousandths of a credit; null: no cap, every tool.
  tools text[],
  -- Includes access to the assets of the wallet.
  with_files boolean not null,
  max_total bigint check (max_total > 0),
  max_daily bigint check (max_daily > 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Decision of the owner, signed.
  decided_at timestamptz,
  is_granted boolean,
  wallet text collate "C" check (wallet ~ '^0x[0-9a-f]{40}$'),
  given_tools text[],
  given_scopes text[],
  given_total bigint check (given_total > 0),
  given_daily bigint check (given_daily > 0),
  key_expires_at timestamptz,
  signature text,
  redeemed_at timestamptz,
  constraint decided_whole check ((decided_at is null) = (is_granted is null) and (decided_at is null) = (wallet is null)),
  constraint redeemed_if_granted check (redeemed_at is null or is_granted)
);
create index key_requests_expires_at on key_requests (expires_at);
create index key_requests_asked_by on key_requests (asked_by) where decided_at is null;

-- Creates the key for a code, once: of two concurrent requests one succeeds. Outcome: redeemed, or the reason why not.
create function redeem_key_request(
  code_sha256 text, key_id text, token_sha256 text, at timestamptz, active_max integer
) returns table (outcome text, wallet text, name text) language plpgsql as $$
#variable_conflict use_column
declare
  r key_requests;
begin
  select * into r from key_requests k where k.code_sha256 = redeem_key_request.code_sha256 for update;
  outcome := case
    when not found then 'unknown'
    when r.redeemed_at is not null then 'used'
    when r.decided_at is not null and not r.is_granted then 'refused'
    when r.expires_at <= at then 'expired'
    when r.decided_at is null then 'waiting'
    else 'redeemed' end;
  if outcome = 'redeemed' then
    if add_wallet_key(key_id, token_sha256, r.wallet, r.name, r.given_scopes, r.given_tools, r.given_total, r.given_daily,
        at, r.key_expires_at, active_max) then
      update key_requests k set redeemed_at = at where k.id = r.id;
    else
      outcome := 'too_many_keys';
    end if;
  end if;
  return query select outcome, r.wallet, r.name;
end $$;

-- What owners did and what was refused. Equal refusals are one row an hour, so that third parties cannot fill the table.
create table wallet_events (
  position bigint generated always as identity primary key,
  wallet text collate "C" not null,
  event text not null,
  -- Which key, or which tool or path.
  about text not null default '',
  hour timestamptz not null,
  times integer not null default 1,
  at timestamptz not null
);
create index wallet_events_of_wallet on wallet_events (wallet, position);
create index wallet_events_at on wallet_events (at);
create unique index wallet_events_one_refusal_an_hour on wallet_events (wallet, event, about, hour)
  where event like 'refused_%';

-- These wallets cannot spend: blocked by the operator, or closed by the owner.
create table blocked_wallets (
  wallet text collate "C" primary key check (wallet ~ '^0x[0-9a-f]{40}$'),
  at timestamptz not null,
  who text not null,
  why text not null
);

-- A wallet without a row has no spending rules.
create table spending_rules (
  wallet text collate "C" primary key check (wallet ~ '^0x[0-9a-f]{40}$'),
  stopped_at timestamptz,
  -- Thousandths of a credit; a call that costs more needs an approval. null: no call does.
  approval_above bigint check (approval_above >= 0)
);

-- The row of the account is the lock of every hold, so no hold made after this returns uses the old rules.
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

-- One call that the owner has to approve. Bound to tool, parameters and price; used by at most one hold.
create table approvals (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{32}$'),
  wallet text collate "C" not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  tool text not null,
  params_sha256 text collate "C" not null check (params_sha256 ~ '^[0-9a-f]{64}$'),
  amount bigint not null check (amount > 0),
  -- Shown to the owner: shortened parameters, and the principal that sent the call.
  shown text not null,
  asked_by text not null,
  -- Network address of the call: anyone who knows an open wallet can request approvals, so they are limited per address.
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

-- Adds a request unless the same one is open, whose id is returned then; null when a limit is reached.
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

-- A call that was not charged has not used its approval: it is valid for another attempt until it expires.
create function end_approved_hold() returns trigger language plpgsql as $$
begin
  update approvals a set hold_id = null where a.hold_id = new.hold_id;
  return null;
end $$;
create trigger transfers_end_approved_hold after insert on transfers
  for each row when (new.hold_id is not null and new.phase <> 'post') execute function end_approved_hold();
