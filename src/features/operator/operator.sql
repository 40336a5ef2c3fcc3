-- Audit log of admin actions.
create table operator_acts (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  act text not null,
  about text not null,
  why text not null,
  who text not null default 'command line'
);
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

-- While there is a row, servers and workers of this database accept no new calls; they poll it every few seconds.
create table maintenance (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null default clock_timestamp(),
  -- Shown to clients.
  why text check (char_length(why) between 1 and 300)
);

-- Downloads requested by operators: museums and models. One of the servers claims each.
create table fetches (
  name text collate "C" primary key,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'stopped')),
  asked_at timestamptz not null,
  who text not null,
  -- Heartbeat of the server; when it stops, the download is queued again.
  holder text collate "C",
  signed_at timestamptz,
  is_unwanted boolean not null default false,
  fraction real not null default 0 check (fraction between 0 and 1),
  -- Progress, or result.
  said text not null default '',
  ended_at timestamptz
);
create unique index fetches_one_at_a_time on fetches ((true)) where state in ('waiting', 'running');

-- The last backup of this database; after a restore, the one it was restored from.
create table last_backup (
  only_row boolean primary key default true check (only_row),
  name text not null,
  made_at timestamptz not null,
  folder text not null,
  bytes bigint not null,
  added_bytes bigint not null,
  damaged bigint not null
);

-- Figures of one server, about one row a minute in which anything happened, for the graphs of the last 24 hours.
create table server_samples (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  requests integer not null,
  -- Responses with status 500 and above, except 503.
  failed integer not null,
  -- Requests per bucket of atelier_http_request_seconds.
  latencies integer[] not null,
  queued integer not null,
  credits double precision not null
);
create index server_samples_age on server_samples (at);

-- Price rules, current and past: a rule that has ended is still asked for some minutes, so that a quoted price holds.
create table price_rules (
  number bigint generated always as identity primary key,
  name text collate "C" not null,
  -- Of the list price.
  percent smallint not null check (percent between 0 and 100),
  -- Null: wallets of any tier, and calls without a wallet.
  tier text collate "C",
  -- Null: every tool.
  tools text[],
  -- Above so many calls, or so many whole credits, of the wallet in the calendar month.
  volume_unit text check (volume_unit in ('calls', 'credits')),
  volume_min bigint check (volume_min >= 1),
  starts_at timestamptz,
  ends_at timestamptz,
  -- Hours of the day in UTC, from the first until before the second; 22 to 6 passes midnight.
  hour_from smallint check (hour_from between 0 and 23),
  hour_until smallint check (hour_until between 0 and 24),
  made_at timestamptz not null,
  removed_at timestamptz,
  constraint volume_is_whole check ((volume_unit is null) = (volume_min is null)),
  constraint hours_are_whole check ((hour_from is null) = (hour_until is null)),
  -- Free for all is no rule but another price list.
  constraint free_for_some check (percent > 0 or tier is not null or volume_unit is not null)
);
create unique index price_rules_in_force on price_rules (name) where removed_at is null;

create table wallet_tiers (
  wallet text collate "C" primary key,
  -- Null: the wallet has none any more.
  tier text collate "C",
  earlier_tier text collate "C",
  changed_at timestamptz not null
);

-- Shares of the fair queue: of a wallet (0x…), or of every wallet of a tier.
create table queue_weights (
  who text collate "C" primary key,
  weight smallint not null check (weight between 1 and 10)
);

create function weight_of(caller text) returns smallint language sql stable as $$
  select coalesce(
    (select weight from queue_weights where who = caller),
    (select w.weight from wallet_tiers t join queue_weights w on w.who = t.tier where t.wallet = caller),
    1)::smallint
$$;
