-- Indexes inside the database, used where WORDS_INDEX, VECTORS_INDEX or LOOKS_INDEX is `database`. Each is split in eight parts by the remainder of
-- the number by eight, which are queried in parallel. The parts are ordinary tables, not partitions: they are copied, emptied and read like any other.

-- Words: the text of each work as tsvector.
do $$
begin
  for part in 0..7 loop
    execute format($part$
      create table artwork_texts_%1$s (
        -- artworks.number, and the editions it belongs to.
        number bigint primary key,
        added_in integer not null,
        removed_in integer not null,
        museum text collate "C" not null,
        -- As in artwork_indexes.
        version smallint not null,
        year_from smallint,
        year_to smallint,
        -- As in artwork_segments; the bits of traits as a signed number.
        standing smallint not null,
        traits integer not null,
        long_side integer not null,
        -- Term weights are written as labels (impact_labels.ts); positions have no other meaning.
        words tsvector not null,
        -- Real positions, read for phrases only.
        places tsvector not null
      );
      -- Out of line: most queries read the other columns only.
      alter table artwork_texts_%1$s alter column places set storage external;
      create index artwork_texts_%1$s_words on artwork_texts_%1$s using gin (words) with (fastupdate = off);
    $part$, part);
  end loop;
end $$;

-- Document frequency of a word, by the language of the museum; never decreases.
create table artwork_text_words (
  version smallint not null,
  language text collate "C" not null,
  word text collate "C" not null,
  works integer not null,
  primary key (version, language, word)
);

-- Works of a museum up to this edition are indexed.
create table artwork_text_editions (
  museum text collate "C" primary key,
  version smallint not null,
  edition integer not null
);

-- Keeps the parts in step with artworks, which change in several places, in the same transaction.
create function follow_artwork_texts() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    execute format('delete from artwork_texts_%s where number = $1', old.number % 8) using old.number;
  elsif new.removed_in <> old.removed_in then
    execute format('update artwork_texts_%s set removed_in = $2 where number = $1', old.number % 8)
      using old.number, new.removed_in;
  end if;
  return null;
end $$;
create trigger follow_artwork_texts after delete or update of removed_in on artworks
  for each row execute function follow_artwork_texts();

-- Vectors: IVF lists with one bit per dimension. Only the lists nearest to a query are read; artwork_vectors has the full vectors.
create table artwork_vector_cells (
  model text collate "C" primary key,
  -- Blocks of another generation are being built or deleted.
  generation integer not null,
  dimensions integer not null,
  -- Centroids, one signed byte per dimension. Cell n belongs to centroid n.
  centres bytea not null,
  -- Number of vectors when the centroids were computed: many more need new ones.
  made_of bigint not null,
  -- Vectors with numbers up to this are in the lists; newer ones are scanned.
  folded bigint not null,
  -- Lease of the process that builds the lists.
  claimed_until timestamptz not null
);

do $$
begin
  for part in 0..7 loop
    execute format($part$
      -- Cells whose number has this remainder by eight.
      create table artwork_vector_blocks_%1$s (
        id bigint primary key generated always as identity,
        model text collate "C" not null,
        generation integer not null,
        cell integer not null,
        vectors integer not null,
        -- Per vector: artwork_vectors.number (uint32), scale of its bits (float32), its bits (vector_bits.ts).
        packed bytea not null
      );
      create index on artwork_vector_blocks_%1$s (model, generation, cell);
      -- Nearly random bytes: compressing them would only take time.
      alter table artwork_vector_blocks_%1$s alter column packed set storage external;
    $part$, part);
  end loop;
end $$;

-- Visual descriptors: colours in lists by colour cell and share, and hashes by their bands. artwork_looks has the descriptors.

create function count_looks() returns trigger language plpgsql as $$
begin
  update artwork_look_count set looks = looks + (select count(*) from written);
  return null;
end $$;
create trigger count_looks after insert on artwork_looks
  referencing new table as written for each statement execute function count_looks();

create table artwork_look_lists (
  -- Rows of another generation are being built or deleted.
  generation integer not null,
  -- Descriptors with numbers up to this are in the lists; newer ones are scanned.
  folded bigint not null
);
insert into artwork_look_lists values (1, 0);

-- Multi-index hashing: the sixteen bands of sixteen bits of a hash, with their position in the upper bits. Hashes within distance 15 share one.
create function look_bands(pdq bit) returns integer[] language sql immutable strict parallel safe
-- The high cost keeps the planner from a sequential scan, which is never faster.
cost 10000 as $$
  select array[
    (0 << 16) | substring(pdq from 1 for 16)::bit(16)::integer,
    (1 << 16) | substring(pdq from 17 for 16)::bit(16)::integer,
    (2 << 16) | substring(pdq from 33 for 16)::bit(16)::integer,
    (3 << 16) | substring(pdq from 49 for 16)::bit(16)::integer,
    (4 << 16) | substring(pdq from 65 for 16)::bit(16)::integer,
    (5 << 16) | substring(pdq from 81 for 16)::bit(16)::integer,
    (6 << 16) | substring(pdq from 97 for 16)::bit(16)::integer,
    (7 << 16) | substring(pdq from 113 for 16)::bit(16)::integer,
    (8 << 16) | substring(pdq from 129 for 16)::bit(16)::integer,
    (9 << 16) | substring(pdq from 145 for 16)::bit(16)::integer,
    (10 << 16) | substring(pdq from 161 for 16)::bit(16)::integer,
    (11 << 16) | substring(pdq from 177 for 16)::bit(16)::integer,
    (12 << 16) | substring(pdq from 193 for 16)::bit(16)::integer,
    (13 << 16) | substring(pdq from 209 for 16)::bit(16)::integer,
    (14 << 16) | substring(pdq from 225 for 16)::bit(16)::integer,
    (15 << 16) | substring(pdq from 241 for 16)::bit(16)::integer
  ]
$$;

do $$
begin
  for part in 0..7 loop
    execute format($part$
      -- Descriptors whose number has this remainder by eight.
      create table artwork_look_blocks_%1$s (
        id bigint primary key generated always as identity,
        generation integer not null,
        -- Colour cell and tier of shares (color_lists.ts).
        list integer not null,
        postings integer not null,
        -- Per colour: artwork_looks.number (uint32), position in the cell, share (color_lists.ts).
        packed bytea not null
      );
      create index on artwork_look_blocks_%1$s (generation, list);
      -- Nearly random bytes: compressing them would only take time.
      alter table artwork_look_blocks_%1$s alter column packed set storage external;

      create table artwork_look_hashes_%1$s (
        generation integer not null,
        number bigint not null,
        pdq bit(256) not null
      );
      create index on artwork_look_hashes_%1$s using gin (look_bands(pdq));
    $part$, part);
  end loop;
end $$;
