-- How much each caller keeps of each kind of files, for the shares of all servers of one database together: by the part of a lifetime in which it was
-- kept. Not written to the log of the database: a crash of it forgets them, as the restart of a server without PostgreSQL does.
create unlogged table kept_bytes (
  -- The kind of files and who keeps them.
  name text collate "C" primary key,
  -- The number of the newest part, counted since 1970 in parts of so many seconds.
  part bigint not null,
  seconds double precision not null,
  -- Bytes kept in it and in the 24 before it, the newest first.
  parts double precision[] not null,
  -- Bytes the last statement wanted, the smallest file of them, the share as its server had it, and what was taken.
  wanted double precision not null,
  smallest double precision not null,
  bytes_max double precision not null,
  granted double precision not null,
  -- What it told of files that became larger or smaller, or were counted without the database, and of which part.
  owed double precision not null,
  owed_part bigint not null
) with (fillfactor = 50);
