-- Which server fetches a museum's works in its background (MUSEUMS_PULL), so that of several on one database one does. A row holds until
-- `held_until`: whoever works renews it, and after a failure it stays until it may be tried again.
create table museum_pulls (
  museum text collate "C" primary key,
  holder text collate "C" not null,
  held_until timestamptz not null
);
