-- The index of words, where an operator has chosen to have it here and not in the memory of each process: for each work what
-- it is found by, in eight parts that are asked side by side, each if need be at a server of its own. A work is in the part
-- that the remainder of its number by eight says.

-- Tables of their own, not partitions: they are copied, emptied and read like any other.
do $$
begin
  for part in 0..7 loop
    execute format($part$
      create table artwork_texts_%1$s (
        -- artworks.number, and what an edition asks of it.
        number bigint primary key,
        added_in integer not null,
        removed_in integer not null,
        museum text collate "C" not null,
        -- Of the way words are cut and weighed; what was made another way is made anew.
        version smallint not null,
        year_from smallint,
        year_to smallint,
        -- As in artwork_segments, the bits of traits as a signed number.
        standing smallint not null,
        traits integer not null,
        long_side integer not null,
        -- Words with how much each says about the work, written as weights (impact_labels.ts); their positions mean nothing else.
        words tsvector not null,
        -- Words with where they stand. Only phrases ask.
        places tsvector not null
      );
      -- What asks for most works reads the short columns and the words; phrases wait beside.
      alter table artwork_texts_%1$s alter column places set storage external;
      create index artwork_texts_%1$s_words on artwork_texts_%1$s using gin (words) with (fastupdate = off);
    $part$, part);
  end loop;
end $$;

-- In how many works a word was ever written, by the language in which the museum writes.
create table artwork_text_words (
  version smallint not null,
  language text collate "C" not null,
  word text collate "C" not null,
  works integer not null,
  primary key (version, language, word)
);

-- All works of a museum up to this edition are in their parts.
create table artwork_text_editions (
  museum text collate "C" primary key,
  version smallint not null,
  edition integer not null
);

-- Works leave an edition, come back and are deleted in many places of the program. Whichever it is, the index follows in the same transaction.
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
