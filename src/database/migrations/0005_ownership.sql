-- Who owns a wallet, and who may act for it. Nothing here holds a token: only its sha256.

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

-- Nonces of signed requests that were used, until the signature has ended anyway.
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

-- What open holds have taken from the budget of a key, so that it can be given back.
create table key_holds (
  hold_id text collate "C" primary key,
  key_id text collate "C" not null references wallet_keys (id),
  day date not null,
  amount bigint not null check (amount > 0)
);

-- What owners did and what was refused. One row an hour for the same refusal, so that strangers cannot fill the table.
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

-- Uses the nonce and opens the session, all or nothing: of requests that come at once with the same nonce, one gets it.
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

-- hold_credits on behalf of a key: the budget and the hold move together or not at all. The wallet is locked before the
-- key, as in every other movement, so that two calls never wait for each other in a circle. Beside the outcomes of
-- hold_credits: key_ended, over_total, over_day. What is told about the key is what holds after the call.
create function hold_credits_of_key(
  key text, call text, wallet text, amount bigint, tool text, at timestamptz, expires_at timestamptz
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
  -- A call that is sent twice takes from the budget once.
  taken := case when exists (select from key_holds h where h.hold_id = 'hold:' || call) then 0 else amount end;
  -- A clock that runs behind must not open a day that is over.
  today := greatest(timezone('UTC', at)::date, k.day);
  if today > k.day then
    k.day := today;
    k.spent_on_day := 0;
  end if;
  outcome := case
    when k.spent + taken > k.max_total then 'over_total'
    when k.spent_on_day + taken > k.max_daily then 'over_day'
    else hold_credits(call, wallet, amount, tool, at, expires_at) end;
  if outcome = 'held' and taken > 0 then
    k.spent := k.spent + taken;
    k.spent_on_day := k.spent_on_day + taken;
    insert into key_holds values ('hold:' || call, key, today, taken);
    update wallet_keys w set spent = k.spent, day = k.day, spent_on_day = k.spent_on_day where w.id = key;
  end if;
  return query select outcome, k.max_total, k.spent, k.max_daily, k.spent_on_day;
end $$;

-- However a hold ends (settled, failed, expired, swept after a crash), the budget follows in the same statement.
create function end_key_hold() returns trigger language plpgsql as $$
declare
  ended key_holds;
begin
  delete from key_holds h where h.hold_id = new.hold_id returning * into ended;
  if found and new.phase <> 'post' then
    update wallet_keys w set spent = spent - ended.amount,
      spent_on_day = case when w.day = ended.day then spent_on_day - ended.amount else spent_on_day end
      where w.id = ended.key_id;
  end if;
  return null;
end $$;

create trigger transfers_end_key_hold after insert on transfers
  for each row when (new.hold_id is not null) execute function end_key_hold();

-- Keeps a key unless the wallet has as many active ones as it may; false then. The owner's row is the lock.
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
