-- What filters of a search ask of each work of a segment, one little-endian value each: its kinds, licence and whether it has a
-- picture, a bit each (uint32), and the pixels of the picture's long side (uint16, 0: not known). Segments of before have none; they
-- are made anew, for their index is of an older version.
alter table artwork_segments add column traits bytea not null default ''::bytea;
alter table artwork_segments add column long_sides bytea not null default ''::bytea;

-- Searches with filters ask what museums have answered since.
create index artwork_live_by_moment on artwork_live (asked_at, id);
