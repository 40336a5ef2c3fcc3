-- Id of the folder or bucket that holds the blobs of this database, as in its file storage_id. One row at most.
create table storage (
  only_one boolean primary key default true check (only_one),
  id text not null,
  tied_at timestamptz not null default now()
);

-- SHA-256 of each MiB of a blob, so that a range can be verified without reading the rest. Blobs of at most one MiB have none; where the row is
-- missing, it is written at the first range request.
create table blob_checksums (
  sha256 text collate "C" primary key,
  bytes bigint not null check (bytes > 0),
  -- 32 bytes a chunk, in order.
  chunks bytea not null check (octet_length(chunks) % 32 = 0)
);

-- Blobs found damaged or missing, until the same bytes are stored again.
create table damaged_blobs (
  sha256 text collate "C" primary key,
  is_missing boolean not null,
  found_at timestamptz not null default now()
);

-- Objects that were unreferenced at the last cleanup. An object store cannot delete conditionally, so the process that deletes one and a process that
-- stores the same bytes again synchronise on this row. docs/decisions/0016-stored-bytes.md
create table condemned_objects (
  name text primary key,
  condemned_at timestamptz not null default now(),
  -- A process is deleting it until then.
  deleting_until timestamptz
);

-- Fingerprints of the keys that all servers of this database have to share.
create table shared_keys (
  name text primary key,
  fingerprint text not null,
  since timestamptz not null default now()
);

-- Storage quota of temporary files, across all servers: bytes stored per principal and kind of file, by time slice of the lifetime. Unlogged: a
-- crash of the database resets it.
create unlogged table kept_bytes (
  -- Kind of file and principal.
  name text collate "C" primary key,
  -- Number of the newest slice since 1970, and the length of a slice.
  part bigint not null,
  seconds double precision not null,
  -- Bytes stored in it and in the 24 before it, newest first.
  parts double precision[] not null,
  -- Of the last statement: bytes requested, the smallest file, the quota configured on its server, and bytes granted.
  wanted double precision not null,
  smallest double precision not null,
  bytes_max double precision not null,
  granted double precision not null,
  -- Corrections for files whose size changed or that were counted while the database was away, and their slice.
  owed double precision not null,
  owed_part bigint not null
) with (fillfactor = 50);
