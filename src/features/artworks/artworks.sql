-- The dataset: works of museums, stored so that every published edition can still be read as it was.

create table artwork_editions (
  number integer primary key,
  -- A museum, or 'starter' for the catalogue that comes with the program.
  museum text collate "C" not null,
  -- File name or address; never a path of this machine.
  source text not null,
  state text collate "C" not null check (state in ('running', 'published', 'abandoned')),
  started_at timestamptz not null,
  -- Heartbeat of the import: when it stops, the next import takes over.
  written_at timestamptz not null,
  published_at timestamptz,
  -- Counts of rows read, stored and left out, with reasons.
  report jsonb not null,
  -- Of the whole dataset at this edition: number of works, and sha256 over their ids and sha256s.
  works integer,
  digest text collate "C",
  -- False for old editions whose works were deleted; their numbers stay.
  readable boolean not null default true
);
create unique index artwork_editions_one_runs on artwork_editions (state) where state = 'running';

-- A version of a work. It belongs to the editions from added_in up to, but not including, removed_in.
create table artworks (
  number bigint generated always as identity primary key,
  id text collate "C" not null,
  museum text collate "C" not null,
  -- No foreign keys: they cost a lookup per imported work, the import writes the edition in the same transaction, and editions are never deleted.
  added_in integer not null,
  removed_in integer not null default 2147483647,
  -- Of the record as canonical JSON.
  sha256 text collate "C" not null,
  -- When the museum's statement of rights was read.
  seen_on date not null,
  record jsonb not null,
  year_from integer,
  year_to integer,
  has_image boolean not null
);
create unique index artworks_now on artworks (id) where removed_in = 2147483647;
create index artworks_by_id on artworks (id, added_in);
create index artworks_added on artworks (added_in);
create index artworks_removed on artworks (removed_in) where removed_in < 2147483647;

-- Accession numbers without punctuation: "RP-P-1909-118", "rp p 1909 118"; "JP2822", "JP 2822".
create index artworks_by_accession_number on artworks
  (lower(regexp_replace(record->>'accession_number', '[^a-zA-Z0-9]', '', 'g')));

-- Works withdrawn on request. They leave the next edition, are not served from older ones, and no import adds them again.
create table artwork_withdrawals (
  id text collate "C" primary key,
  withdrawn_at timestamptz not null,
  -- Public.
  reason text not null,
  edition integer not null references artwork_editions
);
create trigger artwork_withdrawals_only_grow before update or delete or truncate on artwork_withdrawals
  for each statement execute function refuse_change();

-- Records fetched on demand from the API of their museum. Editions never change; a row is valid while the edition has the record it completes, so
-- the next import that changes that record wins.
create table artwork_live (
  id text collate "C" primary key,
  museum text collate "C" not null,
  -- sha256 of the record of the edition that it replaces.
  completes text collate "C" not null,
  -- Time of the response.
  asked_at timestamptz not null,
  -- As in artworks; null where the response cannot be used, with the reason in left_out.
  record jsonb,
  sha256 text collate "C",
  left_out text,
  check ((record is null) = (left_out is not null) and (record is null) = (sha256 is null)),
  -- Responses by URL, with their entity tags.
  answers jsonb not null
);

-- Searches with filters read the rows since a moment.
create index artwork_live_by_moment on artwork_live (asked_at, id);

-- Pages with the terms of museums, as `dataset pull` read them: evidence for what a manifest says about terms.
create table museum_terms (
  museum text collate "C" not null,
  url text not null,
  -- Of the bytes as they came.
  sha256 text collate "C" not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (museum, url, sha256)
);

-- Lease of the server that fetches the works of a museum in the background (MUSEUMS_PULL). Renewed while it runs; after a failure it stays until the
-- next attempt is due.
create table museum_pulls (
  museum text collate "C" primary key,
  holder text collate "C" not null,
  held_until timestamptz not null
);

-- Images cached by `dataset mirror`, so that they stay available when a museum does not. The files are in the data folder; a row is written when its
-- file is complete.
create table mirrored_pictures (
  id text collate "C" primary key,
  museum text collate "C" not null,
  -- As in the record at the time.
  url text not null,
  size text collate "C" not null check (size in ('small', 'medium', 'large', 'full')),
  -- Name of the file within the folder of the museum.
  file text not null,
  sha256 text collate "C" not null,
  bytes bigint not null,
  mirrored_at timestamptz not null
);

-- The one run at a time. When its heartbeat stops, the next run takes over.
create table mirror_run (
  one boolean primary key default true check (one),
  owner text not null,
  written_at timestamptz not null
);

-- Words of titles, makers and subjects, to correct typing errors. `shortened` holds the word and its deletions of one letter: two words that share an
-- entry are at most two edits apart (Garbe 2012).
create table artwork_words (
  word text collate "C" primary key,
  works integer not null,
  shortened text[] not null
);
-- No correction leads to a word that only one work has, and half of the words are such.
create index artwork_words_shortened on artwork_words using gin (shortened) with (fastupdate = off) where works > 1;

-- Inverted index of words, built when an edition is written; immutable afterwards.

-- Works of a museum, in the order of artworks.number. Postings name a work by its position here.
create table artwork_segments (
  id integer primary key generated always as identity,
  museum text collate "C" not null,
  works integer not null,
  -- One little-endian value per work: artworks.number (uint32), first and last year (int16, -32768: unknown), static rank (uint8).
  numbers bytea not null,
  years_from bytea not null,
  years_to bytea not null,
  standing bytea not null,
  -- For filters: kinds, licence and has-image as bits (uint32), and the long side of the image in pixels (uint16, 0: unknown).
  traits bytea not null default ''::bytea,
  long_sides bytea not null default ''::bytea
);

-- Segments of a museum from this edition until a newer row.
create table artwork_indexes (
  museum text collate "C" not null,
  edition integer not null references artwork_editions,
  -- Version of tokeniser and term weights; another version is rebuilt.
  version integer not null,
  segments integer[] not null,
  primary key (museum, edition)
);

create table artwork_postings (
  segment integer not null references artwork_segments on delete cascade,
  word text collate "C" not null,
  works integer not null,
  -- Positions of the works in the segment as deltas (LEB128), then a term weight for each (uint8).
  postings bytea not null,
  -- For each work the number of occurrences, then their positions as deltas (LEB128).
  positions bytea not null,
  primary key (segment, word)
);

-- Nearly random bytes: compressing them would only take time.
alter table artwork_postings alter column postings set storage external;
alter table artwork_postings alter column positions set storage external;

-- Visual descriptors: perceptual hash and dominant colours.

-- One row, locked as registered_hash_count is. A measurement that replaces another gets a new number.
create table artwork_look_count (last bigint not null);
insert into artwork_look_count values (0);

create table artwork_looks (
  id text collate "C" primary key,
  number bigint not null unique,
  -- URL of the measured image, or 'file' for one given by the operator. When it changes, the work is measured again.
  source text collate "C" not null,
  pdq bytea not null check (octet_length(pdq) = 32),
  quality smallint not null check (quality between 0 and 100),
  -- Five bytes per colour, largest share first: red, green, blue, and the share in 1/65535.
  colors bytea not null check (octet_length(colors) % 5 = 0),
  measured_at timestamptz not null
);

-- Text embeddings, by the model the operator has configured.

-- One row, locked as artwork_look_count is.
create table artwork_vector_count (last bigint not null);
insert into artwork_vector_count values (0);

create table artwork_vectors (
  -- Vectors of different models cannot be compared.
  model text collate "C" not null,
  id text collate "C" not null,
  number bigint not null unique,
  -- Of the embedded record: when it changes, the work is embedded again.
  sha256 text collate "C" not null,
  -- One signed byte per dimension, scaled so that the largest is 127.
  vector bytea not null,
  primary key (model, id)
);
