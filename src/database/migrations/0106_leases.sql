-- Which server does what only one of several on a database may do at a time. A row holds until `held_until`, by the clock of the database: whoever
-- works renews it, and one that died or sleeps loses it. It stays without a holder while nobody is to begin again yet. The museum_pulls of
-- earlier versions were the same for museums alone.
create table leases (
  name text collate "C" primary key,
  holder text collate "C" not null,
  held_until timestamptz not null
);
