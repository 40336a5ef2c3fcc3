-- What operators have asked this service to fetch: museums and networks. Any server of the database sees it, and one of them takes what waits.
create table fetches (
  name text collate "C" primary key,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'stopped')),
  asked_at timestamptz not null,
  who text not null,
  -- The server at work says so every few seconds; once it is silent for long, its row waits again.
  holder text collate "C",
  signed_at timestamptz,
  is_unwanted boolean not null default false,
  fraction real not null default 0 check (fraction between 0 and 1),
  -- What it does now, or what came of it.
  said text not null default '',
  ended_at timestamptz
);
create unique index fetches_one_at_a_time on fetches ((true)) where state in ('waiting', 'running');

-- The last backup that was made of this database. What was restored from one says of it that it is the last.
create table last_backup (
  only_row boolean primary key default true check (only_row),
  name text not null,
  made_at timestamptz not null,
  folder text not null,
  bytes bigint not null,
  added_bytes bigint not null,
  damaged bigint not null
);
