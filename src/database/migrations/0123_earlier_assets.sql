-- What assets were before they were saved again or deleted. An earlier version stays beside its key, a deleted asset in the trash with the
-- versions it had, until `purge_at`. They take nothing of the space for assets; they have a space of their own, and the oldest go first.

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
  -- It was what the key held when it was deleted.
  is_deleted boolean not null,
  -- Null while the key is there.
  purge_at timestamptz
);
create index earlier_assets_of_key on earlier_assets (wallet, key, number);
create index earlier_assets_of_wallet on earlier_assets (wallet, number);
create index earlier_assets_sha256 on earlier_assets (sha256);
create index earlier_assets_purge_at on earlier_assets (purge_at) where purge_at is not null;

alter table asset_storage
  add column earlier_bytes bigint not null default 0 check (earlier_bytes >= 0),
  add column earlier_count integer not null default 0 check (earlier_count >= 0),
  add column earlier_limit_bytes bigint not null default 104857600,
  add column earlier_limit_count integer not null default 10000,
  add column versions_per_key integer not null default 10;

create function count_earlier_assets() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into asset_storage (wallet) values (new.wallet) on conflict (wallet) do nothing;
    update asset_storage s set earlier_bytes = s.earlier_bytes + new.size_bytes, earlier_count = s.earlier_count + 1
      where s.wallet = new.wallet;
  else
    update asset_storage s set earlier_bytes = s.earlier_bytes - old.size_bytes, earlier_count = s.earlier_count - 1
      where s.wallet = old.wallet;
  end if;
  return null;
end $$;

-- Named to run before the trimming, which reads what this has counted.
create trigger earlier_assets_count after insert or delete on earlier_assets
  for each row execute function count_earlier_assets();

-- As many versions of a key as its wallet may keep, and as many bytes: the oldest go.
create function trim_earlier_assets() returns trigger language plpgsql as $$
declare
  room asset_storage;
begin
  select * into room from asset_storage s where s.wallet = new.wallet;
  delete from earlier_assets e where e.wallet = new.wallet and e.key = new.key and e.number <= (
    select o.number from earlier_assets o where o.wallet = new.wallet and o.key = new.key
    order by o.number desc offset room.versions_per_key limit 1);
  select * into room from asset_storage s where s.wallet = new.wallet;
  if room.earlier_bytes > room.earlier_limit_bytes or room.earlier_count > room.earlier_limit_count then
    delete from earlier_assets e using (
      select o.number, sum(o.size_bytes) over (order by o.number desc) as bytes,
        row_number() over (order by o.number desc) as place
      from earlier_assets o where o.wallet = new.wallet
    ) kept where e.number = kept.number and (kept.bytes > room.earlier_limit_bytes or kept.place > room.earlier_limit_count);
  end if;
  return null;
end $$;

create trigger earlier_assets_trim after insert on earlier_assets
  for each row execute function trim_earlier_assets();

-- What nobody has paid for yet is no version of anything.
create function keep_earlier_asset(was assets, deleted boolean, purged_at timestamptz) returns void language sql as $$
  insert into earlier_assets (wallet, key, sha256, size_bytes, content_type, metadata, created_at, saved_at, is_deleted, purge_at)
  select was.wallet, was.key, was.sha256, was.size_bytes, was.content_type, was.metadata, was.created_at, was.updated_at,
    deleted, purged_at
  where not exists (select from unpaid_assets u where u.hold_id = was.hold_id)
$$;

create function is_same_asset(a assets, b assets) returns boolean language sql immutable as $$
  select (a.sha256, a.content_type, a.metadata) is not distinct from (b.sha256, b.content_type, b.metadata)
$$;

-- A save that nothing is held for counts at once; one that is held for counts when its hold is posted (below).
create function keep_replaced_asset() returns trigger language plpgsql as $$
begin
  if not is_same_asset(old, new) then
    perform keep_earlier_asset(old, false, null);
  end if;
  return null;
end $$;

create trigger assets_keep_replaced after update on assets
  for each row when (new.hold_id is null and new.version > old.version) execute function keep_replaced_asset();

-- As before (0008); what a paid save has replaced becomes a version.
create or replace function end_unpaid_asset() returns trigger language plpgsql as $$
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
    -- The room the old bytes had has gone to other assets since: the new ones stay. Credits are given back all the same.
    null;
  end;
  return null;
end $$;

-- Deletes an asset into the trash, with its versions. Its size; null where there is none.
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

-- Makes something earlier what its key holds again; what the key holds now becomes a version. Nothing where there is none of that id.
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
