-- Assets: files stored by a wallet. The bytes are blobs. Wallets need not be registered, so nothing here references the ledger.

-- Usage and limits, one row per wallet. The row is also the lock that serialises concurrent saves.
create table asset_storage (
  wallet text primary key check (wallet ~ '^0x[0-9a-f]{40}$'),
  used_bytes bigint not null default 0,
  asset_count integer not null default 0,
  limit_bytes bigint not null default 104857600,
  limit_count integer not null default 10000,
  earlier_bytes bigint not null default 0 check (earlier_bytes >= 0),
  earlier_count integer not null default 0 check (earlier_count >= 0),
  earlier_limit_bytes bigint not null default 104857600,
  earlier_limit_count integer not null default 10000,
  versions_per_key integer not null default 10,
  constraint asset_storage_quota check (used_bytes between 0 and limit_bytes and asset_count between 0 and limit_count)
);

-- Keys are sorted by code point, so that pagination does not depend on the locale of the server.
create table assets (
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  key text collate "C" not null check (char_length(key) between 1 and 256),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes integer not null check (size_bytes between 1 and 10485760),
  content_type text not null,
  -- Text, not jsonb: the client gets back what it sent, with its order of keys and spelling of numbers.
  metadata text check (octet_length(metadata) <= 65536),
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- The hold under which the asset was last saved; null where nothing was held.
  hold_id text collate "C",
  primary key (wallet, key)
);

-- For the cleanup of unreferenced blobs.
create index assets_sha256 on assets (sha256);

-- The row is the lock of the wallet, so it is updated even when the figures stay the same.
create function count_assets(of_wallet text, more_bytes numeric, more_assets numeric) returns void language plpgsql as $$
begin
  insert into asset_storage (wallet) values (of_wallet) on conflict (wallet) do nothing;
  update asset_storage s set used_bytes = s.used_bytes + more_bytes, asset_count = s.asset_count + more_assets
    where s.wallet = of_wallet;
end $$;

-- Once per statement, not per row: n updates of one row in one transaction leave n dead versions, and each update reads all of them (an import of
-- 8,000 rows took 6 s of CPU).
create function count_asset_storage() returns trigger language plpgsql as $$
declare
  change record;
begin
  if tg_op = 'INSERT' then
    for change in select a.wallet, sum(a.size_bytes) as bytes, count(*) as assets from added a group by a.wallet order by a.wallet loop
      perform count_assets(change.wallet, change.bytes, change.assets);
    end loop;
  elsif tg_op = 'DELETE' then
    for change in select r.wallet, sum(r.size_bytes) as bytes, count(*) as assets from removed r group by r.wallet order by r.wallet loop
      perform count_assets(change.wallet, -change.bytes, -change.assets);
    end loop;
  else
    for change in select c.wallet, sum(c.bytes) as bytes, sum(c.assets) as assets from (
        select a.wallet, a.size_bytes as bytes, 1 as assets from added a
        union all select r.wallet, -r.size_bytes, -1 from removed r
      ) c group by c.wallet order by c.wallet loop
      perform count_assets(change.wallet, change.bytes, change.assets);
    end loop;
  end if;
  return null;
end $$;
create trigger assets_count_storage after insert on assets
  referencing new table as added for each statement execute function count_asset_storage();
create trigger assets_count_storage_updated after update on assets
  referencing old table as removed new table as added for each statement execute function count_asset_storage();
create trigger assets_count_storage_deleted after delete on assets
  referencing old table as removed for each statement execute function count_asset_storage();

-- A call that saves an asset is charged afterwards. When it is not charged (it failed, timed out, or its process died), what it saved is undone in
-- the statement that releases the hold.
create table unpaid_assets (
  hold_id text collate "C" primary key,
  wallet text collate "C" not null,
  key text collate "C" not null,
  -- The version this call wrote; a later version belongs to another call.
  version integer not null,
  -- The previous asset; null where there was none. Its blob is kept while it is referenced here.
  before jsonb
);
create trigger assets_check_hold before insert on assets
  for each row when (new.hold_id is not null) execute function check_asset_hold();

-- A job whose process died runs again and saves under the same hold: a release still restores what was there before the first run, unless another
-- call has written in between.
create function remember_unpaid_asset() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.hold_id = new.hold_id then
    return null;
  end if;
  delete from unpaid_assets u where u.hold_id = new.hold_id and u.wallet = new.wallet and u.key = new.key;
  insert into unpaid_assets values (new.hold_id, new.wallet, new.key, new.version,
    case when tg_op = 'UPDATE' then to_jsonb(old) end);
  return null;
end $$;
create trigger assets_remember_unpaid after insert or update on assets
  for each row when (new.hold_id is not null) execute function remember_unpaid_asset();

-- Replaced and deleted assets. An earlier version is stored beside its key, a deleted asset in the trash with its versions until `purge_at`. They have
-- a quota of their own; the oldest are deleted first.
create table earlier_assets (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity,
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  key text collate "C" not null check (char_length(key) between 1 and 256),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes integer not null check (size_bytes between 1 and 10485760),
  content_type text not null,
  metadata text check (octet_length(metadata) <= 65536),
  created_at timestamptz not null,
  saved_at timestamptz not null,
  ended_at timestamptz not null default clock_timestamp(),
  -- The current version when the key was deleted.
  is_deleted boolean not null,
  -- Null while the key exists.
  purge_at timestamptz
);
create index earlier_assets_of_key on earlier_assets (wallet, key, number);
create index earlier_assets_of_wallet on earlier_assets (wallet, number);
create index earlier_assets_sha256 on earlier_assets (sha256);
create index earlier_assets_purge_at on earlier_assets (purge_at) where purge_at is not null;

create function count_earlier_assets() returns trigger language plpgsql as $$
declare
  change record;
begin
  if tg_op = 'INSERT' then
    for change in select a.wallet, sum(a.size_bytes) as bytes, count(*) as versions from added a group by a.wallet order by a.wallet loop
      insert into asset_storage (wallet) values (change.wallet) on conflict (wallet) do nothing;
      update asset_storage s set earlier_bytes = s.earlier_bytes + change.bytes, earlier_count = s.earlier_count + change.versions
        where s.wallet = change.wallet;
    end loop;
  else
    for change in select r.wallet, sum(r.size_bytes) as bytes, count(*) as versions from removed r group by r.wallet order by r.wallet loop
      update asset_storage s set earlier_bytes = s.earlier_bytes - change.bytes, earlier_count = s.earlier_count - change.versions
        where s.wallet = change.wallet;
    end loop;
  end if;
  return null;
end $$;
-- Named to fire before earlier_assets_trim, which reads these counts.
create trigger earlier_assets_count after insert on earlier_assets
  referencing new table as added for each statement execute function count_earlier_assets();
create trigger earlier_assets_count_deleted after delete on earlier_assets
  referencing old table as removed for each statement execute function count_earlier_assets();

-- Deletes the oldest versions beyond the limits of the wallet, once per statement.
create function trim_earlier_assets() returns trigger language plpgsql as $$
declare
  of_wallet text;
  room asset_storage;
begin
  for of_wallet in select distinct a.wallet from added a order by a.wallet loop
    select * into room from asset_storage s where s.wallet = of_wallet;
    delete from earlier_assets e using (select distinct a.key from added a where a.wallet = of_wallet) touched
      cross join lateral (select o.number from earlier_assets o where o.wallet = of_wallet and o.key = touched.key
        order by o.number desc offset room.versions_per_key limit 1) oldest
      where e.wallet = of_wallet and e.key = touched.key and e.number <= oldest.number;
    select * into room from asset_storage s where s.wallet = of_wallet;
    if room.earlier_bytes > room.earlier_limit_bytes or room.earlier_count > room.earlier_limit_count then
      delete from earlier_assets e using (
        select o.id, sum(o.size_bytes) over (order by o.number desc) as bytes, row_number() over (order by o.number desc) as place
        from earlier_assets o where o.wallet = of_wallet
      ) kept where e.id = kept.id and (kept.bytes > room.earlier_limit_bytes or kept.place > room.earlier_limit_count);
    end if;
  end loop;
  return null;
end $$;
create trigger earlier_assets_trim after insert on earlier_assets
  referencing new table as added for each statement execute function trim_earlier_assets();

-- An unpaid asset does not become an earlier version.
create function keep_earlier_asset(was assets, deleted boolean, purged_at timestamptz) returns void language sql as $$
  insert into earlier_assets (wallet, key, sha256, size_bytes, content_type, metadata, created_at, saved_at, is_deleted, purge_at)
  select was.wallet, was.key, was.sha256, was.size_bytes, was.content_type, was.metadata, was.created_at, was.updated_at,
    deleted, purged_at
  where not exists (select from unpaid_assets u where u.hold_id = was.hold_id)
$$;

create function is_same_asset(a assets, b assets) returns boolean language sql immutable as $$
  select (a.sha256, a.content_type, a.metadata) is not distinct from (b.sha256, b.content_type, b.metadata)
$$;

-- A save without a hold counts at once; one with a hold when that is posted (end_unpaid_asset).
create function keep_replaced_asset() returns trigger language plpgsql as $$
begin
  if not is_same_asset(old, new) then
    perform keep_earlier_asset(old, false, null);
  end if;
  return null;
end $$;
create trigger assets_keep_replaced after update on assets
  for each row when (new.hold_id is null and new.version > old.version) execute function keep_replaced_asset();

-- Posted: the replaced asset becomes an earlier version. Otherwise: undoes the save.
create function end_unpaid_asset() returns trigger language plpgsql as $$
declare
  unpaid unpaid_assets;
  was assets;
  is_now assets;
begin
  delete from unpaid_assets u where u.hold_id = new.hold_id returning * into unpaid;
  if not found then
    return null;
  end if;
  if unpaid.before is not null then
    was := jsonb_populate_record(null::assets, unpaid.before);
  end if;
  if new.phase = 'post' then
    select * into is_now from assets a where a.wallet = unpaid.wallet and a.key = unpaid.key;
    if was.wallet is not null and found and not is_same_asset(was, is_now) then
      perform keep_earlier_asset(was, false, null);
    end if;
    return null;
  end if;
  if unpaid.before is null then
    delete from assets a where a.wallet = unpaid.wallet and a.key = unpaid.key and a.version = unpaid.version;
    return null;
  end if;
  begin
    update assets a set sha256 = was.sha256, size_bytes = was.size_bytes, content_type = was.content_type,
        metadata = was.metadata, version = was.version, updated_at = was.updated_at, hold_id = null
      where a.wallet = unpaid.wallet and a.key = unpaid.key and a.version = unpaid.version;
  exception when check_violation then
    -- Other assets have used the space of the old bytes since: the new asset stays. The credits are released all the same.
    null;
  end;
  return null;
end $$;
create trigger transfers_end_unpaid_asset after insert on transfers
  for each row when (new.hold_id is not null) execute function end_unpaid_asset();

-- Moves an asset and its versions to the trash. Returns its size; null where there is none.
create function trash_asset(of_wallet text, of_key text, until timestamptz) returns integer language plpgsql as $$
declare
  gone assets;
begin
  delete from assets a where a.wallet = of_wallet and a.key = of_key returning * into gone;
  if not found then
    return null;
  end if;
  update earlier_assets e set purge_at = until where e.wallet = of_wallet and e.key = of_key and e.purge_at is null;
  perform keep_earlier_asset(gone, true, until);
  return gone.size_bytes;
end $$;

-- Restores an earlier version; the current one becomes an earlier version. No row where the id is unknown.
create function restore_asset(of_wallet text, earlier uuid) returns setof assets language plpgsql as $$
declare
  was earlier_assets;
begin
  delete from earlier_assets e where e.id = earlier and e.wallet = of_wallet returning * into was;
  if not found then
    return;
  end if;
  return query insert into assets as a (wallet, key, sha256, size_bytes, content_type, metadata, created_at)
    values (was.wallet, was.key, was.sha256, was.size_bytes, was.content_type, was.metadata, was.created_at)
    on conflict (wallet, key) do update set sha256 = excluded.sha256, size_bytes = excluded.size_bytes,
      content_type = excluded.content_type, metadata = excluded.metadata, version = a.version + 1,
      updated_at = clock_timestamp(), hold_id = null
    returning a.*;
  if was.is_deleted then
    update earlier_assets e set purge_at = null where e.wallet = was.wallet and e.key = was.key and not e.is_deleted;
  end if;
end $$;

-- Imports assets of an account export. Outcome per key: assets (new or replaced), unchanged (same bytes), skipped (other bytes are here).
create function import_assets(of_wallet text, archive jsonb, replaces boolean)
  returns table (key text, outcome text) language plpgsql as $$
declare
  one record;
  here assets;
begin
  for one in
    select r.key, r.sha256, r.bytes, r.content_type, r.metadata, r.created_at, r.saved_at
    from jsonb_to_recordset(archive) as r (key text, sha256 text, bytes integer, content_type text, metadata text,
      created_at timestamptz, saved_at timestamptz)
  loop
    key := one.key;
    select * into here from assets a where a.wallet = of_wallet and a.key = one.key for update;
    outcome := case when not found then 'assets'
      when here.sha256 = one.sha256 then 'unchanged'
      when replaces then 'assets' else 'skipped' end;
    if outcome = 'assets' then
      insert into assets as a (wallet, key, sha256, size_bytes, content_type, metadata, created_at, updated_at)
        values (of_wallet, one.key, one.sha256, one.bytes, one.content_type, one.metadata, one.created_at, one.saved_at)
        on conflict on constraint assets_pkey do update set sha256 = excluded.sha256, size_bytes = excluded.size_bytes,
          content_type = excluded.content_type, metadata = excluded.metadata, version = a.version + 1,
          updated_at = clock_timestamp(), hold_id = null;
    end if;
    return next;
  end loop;
end $$;

-- Imports their earlier versions, oldest first, without those that are here. Returns how many.
create function import_versions(of_wallet text, archive jsonb, keys text[]) returns bigint language sql as $$
  with versions as (
    select r.key, v.*, r.created_at
    from jsonb_to_recordset(archive) as r (key text, created_at timestamptz, versions jsonb)
      cross join lateral jsonb_to_recordset(r.versions) as v (sha256 text, bytes integer, content_type text, metadata text,
        saved_at timestamptz, ended_at timestamptz)
    where r.key = any(keys)
  ), added as (
    insert into earlier_assets (wallet, key, sha256, size_bytes, content_type, metadata, created_at, saved_at, ended_at, is_deleted)
    select of_wallet, v.key, v.sha256, v.bytes, v.content_type, v.metadata, v.created_at, v.saved_at, v.ended_at, false
    from versions v where not exists (select from earlier_assets e
      where e.wallet = of_wallet and e.key = v.key and e.sha256 = v.sha256 and e.saved_at = v.saved_at)
    order by v.ended_at
    returning 1
  )
  select count(*) from added
$$;
