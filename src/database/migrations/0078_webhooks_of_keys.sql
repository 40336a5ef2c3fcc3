-- What a key has registered ends with the key.
alter table webhook_endpoints add column key_id text collate "C";
create index webhook_endpoints_key_id on webhook_endpoints (key_id) where key_id is not null;
