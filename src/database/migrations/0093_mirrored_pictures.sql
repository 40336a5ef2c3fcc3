-- Pictures of works that `dataset mirror` has brought here, so that a museum that refuses or closes changes nothing. The files lie in
-- the data folder; a row is written when its file is whole.
create table mirrored_pictures (
  id text collate "C" primary key,
  museum text collate "C" not null,
  -- What the record named when it was brought.
  url text not null,
  size text collate "C" not null check (size in ('small', 'medium', 'large', 'full')),
  -- Name of the file within the folder of the museum.
  file text not null,
  sha256 text collate "C" not null,
  bytes bigint not null,
  mirrored_at timestamptz not null
);

-- The one run there is. A run that is silent for long has died, and the next one takes over.
create table mirror_run (
  one boolean primary key default true check (one),
  owner text not null,
  written_at timestamptz not null
);
