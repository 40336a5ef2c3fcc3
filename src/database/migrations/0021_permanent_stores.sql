-- What is kept for good may lie in another store than the archive here, such as Arweave: then `cid` and `content_cid` are the
-- names that store gives. And whoever stores what is kept already learns so, and pays nothing.

alter table archive_entries add column store text collate "C" not null default 'archive'
  check (store in ('archive', 'arweave'));

drop function store_archive_entry(text, text, text, text, bigint, text, timestamptz, text);

-- As before (0015), and answers whether the entry was kept for good already: then nobody has to pay for it.
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
