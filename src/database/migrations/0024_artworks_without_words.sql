-- Search reads artwork_postings now.
drop index artworks_words;
drop index artworks_year_from;
drop index artworks_year_to;
alter table artworks drop column words;
