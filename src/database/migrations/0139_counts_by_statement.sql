-- Storage is counted once a statement, not once a row. A row of asset_storage that one transaction updates n times has n dead versions, and
-- each update reads all of them: an import of 8,000 rows took 6 s of CPU. See docs/decisions/0149-bounded-json.md.

create or replace function count_asset_storage() returns trigger language plpgsql as $$
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

-- The row is the lock of the wallet, also where nothing changes.
create function count_assets(of_wallet text, more_bytes numeric, more_assets numeric) returns void language plpgsql as $$
begin
  insert into asset_storage (wallet) values (of_wallet) on conflict (wallet) do nothing;
  update asset_storage s set used_bytes = s.used_bytes + more_bytes, asset_count = s.asset_count + more_assets
    where s.wallet = of_wallet;
end $$;

create or replace trigger assets_count_storage after insert on assets
  referencing new table as added for each statement execute function count_asset_storage();
create trigger assets_count_storage_updated after update on assets
  referencing old table as removed new table as added for each statement execute function count_asset_storage();
create trigger assets_count_storage_deleted after delete on assets
  referencing old table as removed for each statement execute function count_asset_storage();

create or replace function count_earlier_assets() returns trigger language plpgsql as $$
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

create or replace trigger earlier_assets_count after insert on earlier_assets
  referencing new table as added for each statement execute function count_earlier_assets();
create trigger earlier_assets_count_deleted after delete on earlier_assets
  referencing old table as removed for each statement execute function count_earlier_assets();

-- As before (0123), for all rows of a statement: as many versions of a key as its wallet may keep, and as many bytes. The oldest go.
create or replace function trim_earlier_assets() returns trigger language plpgsql as $$
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

create or replace trigger earlier_assets_trim after insert on earlier_assets
  referencing new table as added for each statement execute function trim_earlier_assets();

-- As before (0113), once a statement.
create function tell_saved_assets() returns trigger language plpgsql as $$
begin
  insert into webhook_events (wallet, type, data, at)
    select a.wallet, 'asset.saved', jsonb_build_object('key', a.key), a.updated_at from added a
    where a.hold_id is null and a.wallet in (select e.account from webhook_endpoints e
      where e.state = 'active' and wants_event(e.events, 'asset.saved'));
  return null;
end $$;
create or replace trigger assets_saved_are_told after insert on assets
  referencing new table as added for each statement execute function tell_saved_assets();
