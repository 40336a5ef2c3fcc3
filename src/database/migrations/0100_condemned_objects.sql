-- Names in the object store that nobody needed at the last sweep. Whoever deletes one, and whoever keeps the same bytes again, meet here: a store
-- cannot delete on a condition. docs/decisions/0107-bytes-in-object-storage.md
create table condemned_objects (
  name text primary key,
  condemned_at timestamptz not null default now(),
  -- One process is deleting it until then.
  deleting_until timestamptz
);

-- What servers with a data folder each have to have alike, by its fingerprint.
create table shared_keys (
  name text primary key,
  fingerprint text not null,
  since timestamptz not null default now()
);
