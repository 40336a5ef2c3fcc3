-- Pages on which museums say what may be done with their works, as they were when `dataset pull` has read them: what a
-- manifest says about terms can be held against the page that was read. A page that never came has no row.
create table museum_terms (
  museum text collate "C" not null,
  url text not null,
  -- Of the bytes as they came.
  sha256 text collate "C" not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (museum, url, sha256)
);
