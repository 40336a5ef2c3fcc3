-- Files a wallet keeps. The bytes are blobs on disk; a row names them. Wallets need not be registered to be asked about,
-- so nothing here refers to the ledger's tables.

-- One row a wallet: what it uses and may use. It is the lock that makes parallel saves queue up.
create table asset_storage (
  wallet text primary key check (wallet ~ '^0x[0-9a-f]{40}$'),
  used_bytes bigint not null default 0,
  asset_count integer not null default 0,
  limit_bytes bigint not null default 104857600,
  limit_count integer not null default 10000,
  constraint asset_storage_quota check (used_bytes between 0 and limit_bytes and asset_count between 0 and limit_count)
);

-- Keys sort by code point on every server, whatever its locale, so that pages do not depend on it.
create table assets (
  wallet text not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  key text collate "C" not null check (char_length(key) between 1 and 256),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes integer not null check (size_bytes between 1 and 10485760),
  content_type text not null,
  -- Text, not jsonb: the caller gets back what was sent, in its order and with its numbers.
  metadata text check (octet_length(metadata) <= 65536),
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (wallet, key)
);

-- For the sweep, which asks whether anybody still uses some bytes.
create index assets_sha256 on assets (sha256);

-- Counts in the same statement that changes an asset, so no way of writing can forget it.
create function count_asset_storage() returns trigger language plpgsql as $$
declare
  owner text := case when tg_op = 'DELETE' then old.wallet else new.wallet end;
  more_bytes bigint := 0;
  more_assets integer := 0;
begin
  if tg_op <> 'DELETE' then
    more_bytes := more_bytes + new.size_bytes;
    more_assets := more_assets + 1;
  end if;
  if tg_op <> 'INSERT' then
    more_bytes := more_bytes - old.size_bytes;
    more_assets := more_assets - 1;
  end if;
  insert into asset_storage (wallet) values (owner) on conflict (wallet) do nothing;
  update asset_storage set used_bytes = used_bytes + more_bytes, asset_count = asset_count + more_assets where wallet = owner;
  return null;
end
$$;

create trigger assets_count_storage after insert or update or delete on assets
  for each row execute function count_asset_storage();
