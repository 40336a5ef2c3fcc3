-- While there is a row, servers and workers of this database take nothing new; they look every few seconds.
create table maintenance (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null default clock_timestamp(),
  -- What callers are told beside.
  why text check (char_length(why) between 1 and 300)
);
