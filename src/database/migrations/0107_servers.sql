-- The servers that run on this database, and those settings of theirs that have to agree. A row holds while `seen_at` is young, by the clock of the
-- database; a server takes its row along when it stops.
create table servers (
  id uuid primary key,
  host text not null,
  pid integer not null,
  started text not null,
  -- As text, by name; secrets as the start of a sha256.
  settings jsonb not null,
  seen_at timestamptz not null
);
