-- SHA-256 of each MiB of a stored file, so that a part of it can be checked without reading the rest. Files of at most one MiB, and those of
-- earlier versions, have none; the latter get them when a part of them is read first.
create table blob_checksums (
  sha256 text collate "C" primary key,
  bytes bigint not null check (bytes > 0),
  -- 32 bytes a chunk, in order.
  chunks bytea not null check (octet_length(chunks) % 32 = 0)
);

-- Stored files that were found damaged or gone, until the same bytes are stored again.
create table damaged_blobs (
  sha256 text collate "C" primary key,
  is_missing boolean not null,
  found_at timestamptz not null default now()
);
