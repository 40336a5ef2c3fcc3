-- Transparency log (RFC 9162): the order of entries cannot be changed later without detection.

-- Entries waiting for their place in the tree. They are added in the transaction of what they record, and a maintenance job appends them, so that no
-- paid call waits for the lock of the tree.
create table log_pending (
  position bigint generated always as identity primary key,
  -- `receipt:<sha256 of the JWS>`, `hash:<id>:<pdq>:<sha256>`, `archive:<cid>`, `manifest:<sha256>`, `key:<kid>`, `key_revoked:<kid>:<reason>`.
  entry text not null
);

-- The tree (RFC 9162, 2.1): its leaves and every full subtree, which never change.
create table log_leaves (
  index bigint primary key,
  leaf_hash bytea not null unique check (octet_length(leaf_hash) = 32),
  entry text not null,
  at timestamptz not null
);

create table log_nodes (
  level smallint not null,
  index bigint not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (level, index)
);

-- One row, locked while appending.
create table log_size (size bigint not null);

insert into log_size values (0);
create trigger log_leaves_only_grow before update or delete or truncate on log_leaves
  for each statement execute function refuse_change();
create trigger log_nodes_only_grow before update or delete or truncate on log_nodes
  for each statement execute function refuse_change();

-- Time stamps (RFC 3161) of signed tree heads. One covers every entry below its size.
create table log_stamps (
  tree_size bigint primary key,
  -- Compact JWS of the head: the stamped message.
  tree_head text not null,
  -- DER of the time-stamp token.
  token bytea not null,
  stored_at timestamptz not null
);
create trigger log_stamps_only_grow before update or delete or truncate on log_stamps
  for each statement execute function refuse_change();

-- One row after the first request: when the next one is due, and why the last one failed.
create table log_stamp_attempts (
  id smallint primary key default 1 check (id = 1),
  next_at timestamptz not null,
  -- Since the last stamp.
  failures integer not null,
  -- Null after a stamp.
  reason text
);

-- The log is the outbox of what this service promises: a row here and its entry commit together.
create function log_receipt() returns trigger language plpgsql as $$
begin
  insert into log_pending (entry)
    values ('receipt:' || encode(sha256(convert_to(new.receipt, 'UTF8')), 'hex'));
  return null;
end $$;
create trigger receipts_are_logged after insert on receipts for each row execute function log_receipt();

create function log_key() returns trigger language plpgsql as $$
begin
  insert into log_pending (entry) values ('key:' || new.kid);
  return null;
end $$;
create trigger receipt_keys_are_logged after insert on receipt_keys for each row execute function log_key();

create function log_revoked_key() returns trigger language plpgsql as $$
begin
  insert into log_pending (entry) values ('key_revoked:' || new.kid || ':' || new.reason);
  return null;
end $$;
create trigger revoked_keys_are_logged after insert on revoked_keys for each row execute function log_revoked_key();

create function log_archive_entry() returns trigger language plpgsql as $$
begin
  insert into log_pending (entry) values ('archive:' || new.cid);
  return null;
end $$;
create trigger archive_entries_are_logged after update of paid_at on archive_entries
  for each row when (old.paid_at is null and new.paid_at is not null) execute function log_archive_entry();

create function log_registered_hash() returns trigger language plpgsql as $$
begin
  insert into log_pending (entry)
    values ('hash:' || new.id || ':' || encode(new.pdq, 'hex') || ':' || new.sha256);
  return null;
end $$;
create trigger registered_hashes_are_logged after update of hold_id on registered_hashes
  for each row when (old.hold_id is not null and new.hold_id is null) execute function log_registered_hash();
create trigger unheld_hashes_are_logged after insert on registered_hashes
  for each row when (new.hold_id is null) execute function log_registered_hash();

create function log_kept_manifest() returns trigger language plpgsql as $$
begin
  insert into log_pending (entry) values ('manifest:' || new.sha256);
  return null;
end $$;
create trigger kept_manifests_are_logged after update of hold_id on kept_manifests
  for each row when (old.hold_id is not null and new.hold_id is null) execute function log_kept_manifest();
create trigger unheld_manifests_are_logged after insert on kept_manifests
  for each row when (new.hold_id is null) execute function log_kept_manifest();
