-- For every work and every word of an index the database looked up the edition or segment it belongs to. Whoever writes one has
-- written that row in the same transaction or just before, and nobody deletes editions; segments take their words with them by hand.
alter table artworks drop constraint artworks_added_in_fkey;
alter table artwork_postings drop constraint artwork_postings_segment_fkey;

-- Nothing is repaired to a word that one work has, and half of the words are such. They are looked up by themselves only.
drop index artwork_words_shortened;
create index artwork_words_shortened on artwork_words using gin (shortened) with (fastupdate = off) where works > 1;
