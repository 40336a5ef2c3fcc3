-- Archive: files stored permanently, addressed by content.
create table archive_entries (
  -- CID of the record; permanent_storage_tx in responses.
  cid text collate "C" primary key,
  -- The record itself: DAG-JSON.
  record text not null,
  content_cid text collate "C" not null,
  sha256 text collate "C" not null,
  size_bytes bigint not null,
  content_type text not null,
  stored_at timestamptz not null,
  -- Calls that stored it and are not charged yet.
  claims integer not null default 0 check (claims >= 0),
  -- Null until the first of them is charged.
  paid_at timestamptz,
  -- In Arweave, `cid` and `content_cid` are ids of that store.
  store text collate "C" not null default 'archive' check (store in ('archive', 'arweave'))
);
create index archive_entries_content on archive_entries (content_cid);
create index archive_entries_sha256 on archive_entries (sha256);

-- The open holds that pay for entries.
create table archive_claims (
  hold_id text collate "C" not null,
  cid text collate "C" not null references archive_entries,
  primary key (hold_id, cid)
);

create trigger archive_claims_check_hold before insert on archive_claims
  for each row execute function check_asset_hold();

-- Stores an entry under a hold, or permanently where nothing is held. True when it was already permanent: then the call is free. Locks the entry
-- until the end of the transaction, as ending a claim does.
create function store_archive_entry(
  cid text, record text, content_cid text, sha256 text, size_bytes bigint, content_type text, at timestamptz, hold text,
  store text
) returns boolean language plpgsql as $$
declare
  was_kept boolean;
begin
  insert into archive_entries as e
    values (cid, record, content_cid, sha256, size_bytes, content_type, at, 0, null, store)
    on conflict on constraint archive_entries_pkey do update set stored_at = e.stored_at
    returning e.paid_at is not null into was_kept;
  if was_kept then
    return true;
  end if;
  if hold is null then
    update archive_entries e set paid_at = at where e.cid = store_archive_entry.cid;
    return false;
  end if;
  insert into archive_claims values (hold, cid) on conflict do nothing;
  if found then
    update archive_entries e set claims = e.claims + 1 where e.cid = store_archive_entry.cid;
  end if;
  return false;
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
