-- Servers on this database, and the settings that have to agree. A row is valid while `seen_at` is recent by the clock of the database; a server
-- deletes its row when it stops.
create table servers (
  id uuid primary key,
  host text not null,
  pid integer not null,
  started text not null,
  -- As text, by name; secrets as the prefix of a sha256.
  settings jsonb not null,
  seen_at timestamptz not null,
  -- Prefix of the ids of its calls, so that other servers can release their holds once it has died.
  calls text collate "C",
  -- Since when its heartbeat has had no gap: a server that was cut off does not know whether the others live.
  steady_since timestamptz not null default clock_timestamp()
);

-- Leases for work that one server may do at a time, valid until `held_until` by the clock of the database. The holder renews its lease; a server that
-- died loses it. A lease without a holder delays the next run.
create table leases (
  name text collate "C" primary key,
  holder text collate "C" not null,
  held_until timestamptz not null
);

-- One row, rewritten by each health check to test that the database is writable.
create table health_checks (
  only_row boolean primary key default true check (only_row),
  at timestamptz not null
);
