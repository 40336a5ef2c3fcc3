-- For every work the database looked up its edition. Whoever writes a work has written that row in the same transaction, and nobody
-- deletes editions.
alter table artworks drop constraint artworks_added_in_fkey;

-- Nothing is repaired to a word that a single work has, and half of the words are such. They are looked up by themselves only.
drop index artwork_words_shortened;
create index artwork_words_shortened on artwork_words using gin (shortened) with (fastupdate = off) where works > 1;
