-- Rate limits across all servers: calls per principal in the current window and the one before it. Unlogged: a crash of the database resets them.
create unlogged table call_windows (
  -- Limit and principal.
  name text collate "C" primary key,
  -- Start of the window, in seconds since 1970.
  started double precision not null,
  calls double precision not null,
  calls_before double precision not null,
  -- Of the last statement: calls requested and granted; negative where it returned some.
  needed double precision not null,
  granted double precision not null,
  -- Limit configured on the server that asked last.
  calls_max double precision not null,
  seconds double precision not null
) with (fillfactor = 50);
