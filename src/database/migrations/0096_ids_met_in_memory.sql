-- An import keeps the ids it has met in memory: they were read anew after every interruption anyway.
drop table artwork_seen;
