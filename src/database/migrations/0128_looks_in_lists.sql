-- The index of looks, where an operator has chosen to have it here and not in the memory of each process: colours in lists by what they
-- are and how much of the picture has them, and hashes by their bands. artwork_looks has the looks themselves.

-- How many works have a look: a measurement in place of an earlier one is given a new number, but is no further look.
alter table artwork_look_count add column looks bigint not null default 0;
update artwork_look_count set looks = (select count(*) from artwork_looks);

create function count_looks() returns trigger language plpgsql as $$
begin
  update artwork_look_count set looks = looks + (select count(*) from written);
  return null;
end $$;
create trigger count_looks after insert on artwork_looks
  referencing new table as written for each statement execute function count_looks();

create table artwork_look_lists (
  -- Of the way they are made; rows of another generation are being made or let go of.
  generation integer not null,
  -- Looks with numbers up to this are in their lists; the newer ones are compared one by one.
  folded bigint not null
);
insert into artwork_look_lists values (1, 0);

-- The sixteen runs of sixteen bits of a hash, each with its place above it. Hashes that differ in at most fifteen bits share one.
create function look_bands(pdq bit) returns integer[] language sql immutable strict parallel safe
-- Comparing thousands of bands with those of every row is never quicker than the index.
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
      -- The looks whose number has this remainder by eight.
      create table artwork_look_blocks_%1$s (
        id bigint primary key generated always as identity,
        generation integer not null,
        -- A cell of colours, and a tier of shares (color_lists.ts).
        list integer not null,
        postings integer not null,
        -- Of each colour: artwork_looks.number (uint32), where in the cell it is, and its share (color_lists.ts).
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
