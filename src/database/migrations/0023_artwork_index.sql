-- The index of words that search reads: for every word, which works have it and how much it says about them. It is made of
-- the works when an edition is written, and never changes after that.

-- Works of a museum, in the order of artworks.number. A work's place in it is what the lists of words name.
create table artwork_segments (
  id integer primary key generated always as identity,
  museum text collate "C" not null,
  works integer not null,
  -- One little-endian value for each work: artworks.number (uint32), first and last year (int16, -32768: unknown), and how
  -- likely it is to be looked for (uint8).
  numbers bytea not null,
  years_from bytea not null,
  years_to bytea not null,
  standing bytea not null
);

-- The segments of a museum from this edition on, until there is a newer row.
create table artwork_indexes (
  museum text collate "C" not null,
  edition integer not null references artwork_editions,
  -- Of the way words are cut and weighed; what was made another way is made anew.
  version integer not null,
  segments integer[] not null,
  primary key (museum, edition)
);

create table artwork_postings (
  segment integer not null references artwork_segments on delete cascade,
  word text collate "C" not null,
  works integer not null,
  -- Places of the works, each as its distance from the one before (LEB128), then for each how much the word says (uint8).
  postings bytea not null,
  -- For each work how often the word comes, then where, each as its distance from the one before (LEB128).
  positions bytea not null,
  primary key (segment, word)
);
-- Nearly random bytes: compressing them would only take time.
alter table artwork_postings alter column postings set storage external;
alter table artwork_postings alter column positions set storage external;
