-- The archive: files that are kept for good, named by their content. And the log: what was promised, in an order nobody can
-- change later without being found out.

create table archive_entries (
  -- CID of the record; what a caller gets as permanent_storage_tx.
  cid text collate "C" primary key,
  -- The record itself: DAG-JSON.
  record text not null,
  content_cid text collate "C" not null,
  sha256 text collate "C" not null,
  size_bytes bigint not null,
  content_type text not null,
  stored_at timestamptz not null,
  -- Calls that have stored it and are not paid yet.
  claims integer not null default 0 check (claims >= 0),
  -- Null until the first of them is paid.
  paid_at timestamptz
);
create index archive_entries_content on archive_entries (content_cid);
create index archive_entries_sha256 on archive_entries (sha256);

-- The open holds that pay for entries.
create table archive_claims (
  hold_id text collate "C" not null,
  cid text collate "C" not null references archive_entries,
  primary key (hold_id, cid)
);
-- A call that comes too late has nobody to pay for it; see 0008.
create trigger archive_claims_check_hold before insert on archive_claims
  for each row execute function check_asset_hold();

-- Stores an entry under a hold, or for good where nothing is held. Storing the same once more is no second entry. Whoever
-- stores or ends a claim holds the entry's row until the end of its transaction.
create function store_archive_entry(
  cid text, record text, content_cid text, sha256 text, size_bytes bigint, content_type text, at timestamptz, hold text
) returns void language plpgsql as $$
declare
  is_new boolean;
begin
  insert into archive_entries as e values (cid, record, content_cid, sha256, size_bytes, content_type, at, 0, null)
    on conflict on constraint archive_entries_pkey do update set stored_at = e.stored_at;
  if hold is null then
    update archive_entries e set paid_at = coalesce(e.paid_at, at) where e.cid = store_archive_entry.cid;
    return;
  end if;
  insert into archive_claims values (hold, cid) on conflict do nothing;
  is_new := found;
  if is_new then
    update archive_entries e set claims = e.claims + 1 where e.cid = store_archive_entry.cid;
  end if;
end $$;

create function end_archive_claims() returns trigger language plpgsql as $$
declare
  ended text;
begin
  for ended in delete from archive_claims c where c.hold_id = new.hold_id returning c.cid loop
    update archive_entries e set claims = e.claims - 1,
        paid_at = case when new.phase = 'post' then coalesce(e.paid_at, new.at) else e.paid_at end
      where e.cid = ended;
    delete from archive_entries e where e.cid = ended and e.claims = 0 and e.paid_at is null;
  end loop;
  return null;
end $$;
create trigger transfers_end_archive_claims after insert on transfers
  for each row when (new.hold_id is not null) execute function end_archive_claims();

create function refuse_archive_loss() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' or old.paid_at is not null then
    raise exception '% refused: what is archived stays', tg_op
      using errcode = 'integrity_constraint_violation', constraint = 'archive_entries_stay';
  end if;
  return old;
end $$;
create trigger archive_entries_stay before delete on archive_entries
  for each row execute function refuse_archive_loss();
create trigger archive_entries_not_truncated before truncate on archive_entries
  for each statement execute function refuse_change();

-- What is to come into the log. Whatever promises something adds its line here in its own transaction; a chore gives the
-- lines their places in the tree later, so no paid call waits for another's place.
create table log_pending (
  position bigint generated always as identity primary key,
  -- What is logged, as text: `receipt:<sha256 of the JWS>`, `hash:<id>:<pdq>:<sha256>`, `archive:<cid>`.
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
-- One row; whoever appends holds it.
create table log_size (size bigint not null);
insert into log_size values (0);

create trigger log_leaves_only_grow before update or delete or truncate on log_leaves
  for each statement execute function refuse_change();
create trigger log_nodes_only_grow before update or delete or truncate on log_nodes
  for each statement execute function refuse_change();

create function log_receipt() returns trigger language plpgsql as $$
begin
  insert into log_pending (entry)
    values ('receipt:' || encode(sha256(convert_to(new.receipt, 'UTF8')), 'hex'));
  return null;
end $$;
create trigger receipts_are_logged after insert on receipts for each row execute function log_receipt();

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

-- What there was before the log.
insert into log_pending (entry)
  select 'receipt:' || encode(sha256(convert_to(r.receipt, 'UTF8')), 'hex') from receipts r order by r.at, r.id;
insert into log_pending (entry)
  select 'hash:' || h.id || ':' || encode(h.pdq, 'hex') || ':' || h.sha256
  from registered_hashes h where h.hold_id is null order by h.number;
