-- Points of the works of a segment, three int32 each: position of the work, latitude and longitude in hundredths of a degree.
alter table artwork_segments add column points bytea not null default ''::bytea;
