-- Perceptual hashes of registered pictures. The in-memory index is built from these rows.

-- One row, locked by each registration until its commit, so that numbers become visible in order and without gaps: a reader that has seen a number
-- has missed none below it.
create table registered_hash_count (last bigint not null);
insert into registered_hash_count values (0);

create table registered_hashes (
  number bigint primary key,
  id text collate "C" not null unique check (id ~ '^hash_[0-9a-f]{24}$'),
  -- Null where the call was paid without a wallet.
  wallet text collate "C" check (wallet ~ '^0x[0-9a-f]{40}$'),
  -- Of the file as it was sent.
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  pdq bytea not null check (octet_length(pdq) = 32),
  quality smallint not null check (quality between 0 and 100),
  -- Hashes of windows, 32 bytes each.
  windows bytea not null check (octet_length(windows) % 32 = 0),
  -- Thumbnail (WebP) that a later copy is compared with.
  preview bytea not null,
  width integer not null,
  height integer not null,
  title text not null,
  artist text not null,
  provenance_uri text not null,
  -- The open hold that pays for it; null once it is paid, and where nothing was held.
  hold_id text collate "C",
  created_at timestamptz not null,
  -- Of the dataset of artworks; null for what a caller has registered.
  work_id text collate "C" check (work_id is null or wallet is null)
);
create index registered_hashes_sha256 on registered_hashes (sha256);
create unique index registered_hashes_once on registered_hashes (wallet, sha256);
create unique index registered_hashes_work_once on registered_hashes (work_id, sha256) where work_id is not null;
create index registered_hashes_unpaid on registered_hashes (hold_id) where hold_id is not null;

-- A registration is undone when the hold that pays for it is released.
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

-- C2PA manifest stores stored apart from their pictures, found again by perceptual hash or watermark (soft binding).
create table kept_manifests (
  number bigint generated always as identity primary key,
  -- Label of the active manifest.
  manifest_id text collate "C" not null check (manifest_id ~ '^[!-~]{1,200}$'),
  -- Of the manifest store, whose bytes are a blob.
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes integer not null check (size_bytes > 0),
  -- Null where the call was paid without a wallet.
  wallet text collate "C" check (wallet ~ '^0x[0-9a-f]{40}$'),
  -- Written and signed by this server.
  is_ours boolean not null,
  -- Registration of its picture, or the known work it resembles; and the watermark read in it.
  bound_to text collate "C",
  mark_id text collate "C" check (mark_id ~ '^[0-9a-f]{12}$'),
  -- The open hold that pays for it; null once it is paid, and where nothing was held.
  hold_id text collate "C",
  created_at timestamptz not null,
  -- sha256 of the store of the first picture in the chain of results; null for a store that was not derived.
  made_from text collate "C" check (made_from ~ '^[0-9a-f]{64}$')
);
create unique index kept_manifests_once on kept_manifests (coalesce(wallet, ''), sha256);
create index kept_manifests_id on kept_manifests (manifest_id);
create index kept_manifests_sha256 on kept_manifests (sha256);
create index kept_manifests_bound on kept_manifests (bound_to) where bound_to is not null;
create index kept_manifests_mark on kept_manifests (mark_id) where mark_id is not null;
create index kept_manifests_foreign on kept_manifests (wallet) where not is_ours;
create index kept_manifests_made on kept_manifests (made_from) where made_from is not null;
create index kept_manifests_unpaid on kept_manifests (hold_id) where hold_id is not null;

-- As with registrations: undone when the hold is released.
create trigger kept_manifests_check_hold before insert on kept_manifests
  for each row when (new.hold_id is not null) execute function check_asset_hold();

create function end_unpaid_manifest() returns trigger language plpgsql as $$
begin
  if new.phase = 'post' then
    update kept_manifests m set hold_id = null where m.hold_id = new.hold_id;
  else
    delete from kept_manifests m where m.hold_id = new.hold_id;
  end if;
  return null;
end $$;
create trigger transfers_end_unpaid_manifest after insert on transfers
  for each row when (new.hold_id is not null) execute function end_unpaid_manifest();

-- Watermark payloads by the short id that is embedded in the picture.
create table marks (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{12}$'),
  -- Null for calls without a wallet.
  wallet text collate "C",
  -- UTF-8. Not text: a payload may contain NUL.
  payload bytea not null check (octet_length(payload) between 1 and 1024),
  created_at timestamptz not null
);

-- Marks without a wallet are deleted after a while.
create index marks_anonymous on marks (created_at) where wallet is null;

-- Pictures a mark was embedded in: a signature of the pixels, and the statement signed by this service.
create table mark_bindings (
  mark_id text collate "C" not null references marks (id) on delete cascade,
  -- Of the marked picture, as hash_pixels says.
  pixels_sha256 text collate "C" not null check (pixels_sha256 ~ '^[0-9a-f]{64}$'),
  -- Two bits per block: which of two adjacent blocks is brighter, and whether clearly.
  columns smallint not null,
  rows smallint not null,
  brighter bytea not null check (octet_length(brighter) = (2 * columns * rows + 7) / 8),
  clear bytea not null check (octet_length(clear) = octet_length(brighter)),
  -- Compact JWS (mark+jwt), signed with the key of receipts.
  jws text not null,
  created_at timestamptz not null,
  primary key (mark_id, pixels_sha256)
);
