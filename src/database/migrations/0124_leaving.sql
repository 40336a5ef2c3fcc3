-- What a wallet takes along when it leaves is found by the wallet.
create index receipts_of_wallet on receipts (wallet, at, id);
create index cafe_posts_of_wallet on cafe_posts (lower(wallet), number);
create index gallery_artworks_of_wallet on gallery_artworks (lower(wallet), number);

-- Assets of an archive. `assets`: the key is new, or was replaced; `unchanged`: it was here with the same bytes; `skipped`: with others.
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

-- Their versions, the oldest first, but those that are here already; how many.
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
