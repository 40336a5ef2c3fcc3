-- The dataset: works of museums, kept so that every published edition can still be read as it was.

create table artwork_editions (
  number integer primary key,
  -- A museum, or 'starter' for the catalogue that comes with the program.
  museum text collate "C" not null,
  -- File name or address; never a path of this machine.
  source text not null,
  state text collate "C" not null check (state in ('running', 'published', 'abandoned')),
  started_at timestamptz not null,
  -- While it runs: when it last wrote. An import that is silent for long has died, and the next one takes over.
  written_at timestamptz not null,
  published_at timestamptz,
  -- How many rows were read, kept, left out and why, and which were bad.
  report jsonb not null,
  -- Of the whole dataset once this edition is published: how many works, and the sha256 over their ids and sha256s.
  works integer,
  digest text collate "C"
);
create unique index artwork_editions_one_runs on artwork_editions (state) where state = 'running';

-- A version of a work. It belongs to the editions from added_in up to, but not including, removed_in.
create table artworks (
  number bigint generated always as identity primary key,
  id text collate "C" not null,
  museum text collate "C" not null,
  added_in integer not null references artwork_editions,
  removed_in integer not null default 2147483647,
  -- Of the record as canonical JSON.
  sha256 text collate "C" not null,
  -- When the museum's statement of rights was read.
  seen_on date not null,
  record jsonb not null,
  year_from integer,
  year_to integer,
  has_image boolean not null,
  -- Title A, makers B, medium and subjects C, the rest D; with lexemes for filters ("~museum:met", "~top").
  words tsvector not null
);
create unique index artworks_now on artworks (id) where removed_in = 2147483647;
create index artworks_by_id on artworks (id, added_in);
create index artworks_added on artworks (added_in);
create index artworks_removed on artworks (removed_in) where removed_in < 2147483647;
create index artworks_year_from on artworks (year_from);
create index artworks_year_to on artworks (year_to);
create index artworks_words on artworks using gin (words) with (fastupdate = off);

-- Ids that a running import has met: what is not among them has left the museum's file, and what comes twice is a duplicate.
create table artwork_seen (
  edition integer not null references artwork_editions,
  id text collate "C" not null,
  primary key (edition, id)
);

-- Words of titles, makers and subjects, to repair typing errors. `shortened` holds the word and what remains of it
-- without one letter: two words that share an entry are at most two errors apart (Garbe 2012).
create table artwork_words (
  word text collate "C" primary key,
  works integer not null,
  shortened text[] not null
);
create index artwork_words_shortened on artwork_words using gin (shortened) with (fastupdate = off);
