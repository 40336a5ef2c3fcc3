-- A call that saves an asset is charged after it has saved it. When it is not charged after all (it failed later, took too
-- long, or the process died) what it saved is undone in the statement that gives the credits back.

-- The hold under which the asset was last saved; null where nothing was held.
alter table assets add column hold_id text collate "C";

create table unpaid_assets (
  hold_id text collate "C" primary key,
  wallet text collate "C" not null,
  key text collate "C" not null,
  -- The version this call has written; a later one is somebody else's.
  version integer not null,
  -- The asset as it was before; null where there was none. Its bytes stay while it is named here.
  before jsonb
);

-- Holds are locked before assets, as by whoever resolves a hold. A save that comes too late has nobody to pay for it.
create function check_asset_hold() returns trigger language plpgsql as $$
begin
  perform from open_holds o where o.hold_id = new.hold_id for key share;
  if not found then
    raise exception '% is not open', new.hold_id
      using errcode = 'integrity_constraint_violation', constraint = 'asset_hold_is_open';
  end if;
  return new;
end $$;

create function remember_unpaid_asset() returns trigger language plpgsql as $$
begin
  insert into unpaid_assets values (new.hold_id, new.wallet, new.key, new.version,
    case when tg_op = 'UPDATE' then to_jsonb(old) end);
  return null;
end $$;

create function end_unpaid_asset() returns trigger language plpgsql as $$
declare
  unpaid unpaid_assets;
begin
  delete from unpaid_assets u where u.hold_id = new.hold_id returning * into unpaid;
  if not found or new.phase = 'post' then
    return null;
  end if;
  if unpaid.before is null then
    delete from assets a where a.wallet = unpaid.wallet and a.key = unpaid.key and a.version = unpaid.version;
    return null;
  end if;
  begin
    update assets a set sha256 = b.sha256, size_bytes = b.size_bytes, content_type = b.content_type,
        metadata = b.metadata, version = b.version, updated_at = b.updated_at, hold_id = null
      from jsonb_populate_record(null::assets, unpaid.before) b
      where a.wallet = unpaid.wallet and a.key = unpaid.key and a.version = unpaid.version;
  exception when check_violation then
    -- The room the old bytes had has gone to other assets since: the new ones stay. Credits are given back all the same.
    null;
  end;
  return null;
end $$;

create trigger assets_check_hold before insert on assets
  for each row when (new.hold_id is not null) execute function check_asset_hold();
create trigger assets_remember_unpaid after insert or update on assets
  for each row when (new.hold_id is not null) execute function remember_unpaid_asset();
create trigger transfers_end_unpaid_asset after insert on transfers
  for each row when (new.hold_id is not null) execute function end_unpaid_asset();
