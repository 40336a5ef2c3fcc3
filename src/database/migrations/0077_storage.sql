-- Which folder holds the bytes this database names: the id that stands in its file storage_id. One row at most.
create table storage (
  only_one boolean primary key default true check (only_one),
  id text not null,
  tied_at timestamptz not null default now()
);
