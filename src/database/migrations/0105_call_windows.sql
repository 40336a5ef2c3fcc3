-- How often each caller called, for the limits of all servers of one database together: the window that runs and the one before it. Not written to
-- the log of the database: a crash of it forgets them, as the restart of a server without PostgreSQL does.
create unlogged table call_windows (
  -- The limit and who is counted.
  name text collate "C" primary key,
  -- When the window began, in seconds since 1970.
  started double precision not null,
  calls double precision not null,
  calls_before double precision not null,
  -- Calls the last statement needed, and those it got; below zero where it gave back.
  needed double precision not null,
  granted double precision not null,
  -- The limit as the last server to ask had it.
  calls_max double precision not null,
  seconds double precision not null
) with (fillfactor = 50);
