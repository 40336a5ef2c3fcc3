-- Accounts whose private key the server made and keeps, sealed, until its owner claims it.
create table guest_accounts (
  wallet text collate "C" primary key check (wallet ~ '^0x[0-9a-f]{40}$'),
  -- Of the token in the link; the token itself is not stored.
  claim_sha256 text collate "C" not null unique check (claim_sha256 ~ '^[0-9a-f]{64}$'),
  -- AES-256-GCM under a key that is not in the database; null from the claim on.
  sealed_key text,
  created_at timestamptz not null,
  claimed_at timestamptz,
  check ((sealed_key is null) = (claimed_at is not null))
);

-- Welcome bonuses of guest accounts by network and day (UTC), for a few days.
create table guest_bonuses (
  day date not null,
  network text collate "C" not null,
  granted integer not null check (granted > 0),
  primary key (day, network)
);
