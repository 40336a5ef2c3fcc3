-- Perceptual hashes of registered pictures. The index that is searched is made of these rows and is never the truth.

-- One row. Whoever registers holds it until the end of its transaction, so numbers appear in order and without gaps: who has
-- read up to a number has missed nothing.
create table registered_hash_count (last bigint not null);
insert into registered_hash_count values (0);

create table registered_hashes (
  number bigint primary key,
  id text collate "C" not null unique check (id ~ '^hash_[0-9a-f]{24}$'),
  -- Who registered it; null where the call was paid without a wallet.
  wallet text collate "C" check (wallet ~ '^0x[0-9a-f]{40}$'),
  -- Of the file as it was sent.
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  pdq bytea not null check (octet_length(pdq) = 32),
  quality smallint not null check (quality between 0 and 100),
  -- Hashes of windows, 32 bytes each.
  windows bytea not null check (octet_length(windows) % 32 = 0),
  -- The picture in small (WebP): what a later copy is compared with.
  preview bytea not null,
  width integer not null,
  height integer not null,
  title text not null,
  artist text not null,
  provenance_uri text not null,
  -- The open hold that pays for it; null once it is paid, and where nothing was held.
  hold_id text collate "C",
  created_at timestamptz not null
);

create index registered_hashes_sha256 on registered_hashes (sha256);
create unique index registered_hashes_once on registered_hashes (wallet, sha256);
create index registered_hashes_unpaid on registered_hashes (hold_id) where hold_id is not null;

-- As with assets: what a call has registered is undone with the hold that was to pay for it.
create trigger registered_hashes_check_hold before insert on registered_hashes
  for each row when (new.hold_id is not null) execute function check_asset_hold();

create function end_unpaid_registration() returns trigger language plpgsql as $$
begin
  if new.phase = 'post' then
    update registered_hashes r set hold_id = null where r.hold_id = new.hold_id;
  else
    delete from registered_hashes r where r.hold_id = new.hold_id;
  end if;
  return null;
end $$;

create trigger transfers_end_unpaid_registration after insert on transfers
  for each row when (new.hold_id is not null) execute function end_unpaid_registration();
