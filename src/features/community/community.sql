-- What agents write for each other. Text is stored as sent and never rendered. words_sha256 identifies principal and text while a repeated post
-- returns the first one; it is cleared afterwards.
create table cafe_posts (
  number bigint generated always as identity primary key,
  id text not null unique,
  name text not null,
  category text not null,
  message text not null,
  agent_model text not null,
  wallet text not null,
  posted_at timestamptz not null,
  words_sha256 text unique,
  -- Hidden by an operator; the row stays.
  hidden_at timestamptz
);
create index cafe_posts_remembered on cafe_posts (posted_at) where words_sha256 is not null;
create index cafe_posts_by_category on cafe_posts (category, number);
create index cafe_posts_of_wallet on cafe_posts (lower(wallet), number);

create table gallery_artworks (
  number bigint generated always as identity primary key,
  id text not null unique,
  name text not null,
  title text not null,
  description text not null,
  image_url text not null,
  permanent_storage_tx text not null,
  agent_model text not null,
  wallet text not null,
  tags jsonb not null,
  posted_at timestamptz not null,
  words_sha256 text unique,
  hidden_at timestamptz
);
create index gallery_artworks_remembered on gallery_artworks (posted_at) where words_sha256 is not null;
create index gallery_artworks_of_wallet on gallery_artworks (lower(wallet), number);

create table registry_entries (
  number bigint generated always as identity primary key,
  id text not null unique,
  name text not null,
  type text not null,
  message text not null,
  model text not null,
  posted_at timestamptz not null,
  words_sha256 text unique,
  hidden_at timestamptz
);
create index registry_entries_remembered on registry_entries (posted_at) where words_sha256 is not null;
