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
