-- Manifests of what a tool made of a picture whose own is kept: they stand behind it and go with it.

alter table kept_manifests
  -- The store that was kept for the first picture of the chain; null for those that were kept for themselves.
  add column made_from text collate "C" check (made_from ~ '^[0-9a-f]{64}$');

create index kept_manifests_made on kept_manifests (made_from) where made_from is not null;
