-- What pictures of works look like, measured when one is at hand. The index that is searched is made of these rows.

-- One row, as with registered_hash_count: numbers appear in order and without gaps.
create table artwork_look_count (last bigint not null);
insert into artwork_look_count values (0);

create table artwork_looks (
  id text collate "C" primary key,
  number bigint not null unique,
  -- What was measured: the address of the museum's picture, or 'file' for one its operator gave. Another one is measured anew.
  source text collate "C" not null,
  pdq bytea not null check (octet_length(pdq) = 32),
  quality smallint not null check (quality between 0 and 100),
  -- Five bytes a colour, the largest share first: red, green, blue, and the share in 1/65535.
  colors bytea not null check (octet_length(colors) % 5 = 0),
  measured_at timestamptz not null
);

-- Of old editions only the numbers stay: works nobody can ask for any more are deleted.
alter table artwork_editions add column readable boolean not null default true;
