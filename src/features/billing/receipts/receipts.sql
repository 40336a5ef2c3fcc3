-- Signed receipts of paid calls, and every public key that ever signed one.
create table receipt_keys (
  -- Thumbprint of the key (RFC 7638), the `kid` of its receipts.
  kid text collate "C" primary key,
  -- The 32 bytes of the Ed25519 public key, base64url: the `x` of its JWK (RFC 8037).
  public_key text not null,
  first_used timestamptz not null
);
create trigger receipt_keys_only_grow before update or delete or truncate on receipt_keys
  for each statement execute function refuse_change();

create table revoked_keys (
  kid text collate "C" primary key references receipt_keys,
  revoked_at timestamptz not null,
  reason text not null check (reason in ('unspecified', 'compromised', 'superseded'))
);
create trigger revoked_keys_only_grow before update or delete or truncate on revoked_keys
  for each statement execute function refuse_change();

create table receipts (
  -- Derived from the id of the call: rcpt_<…> for the transfer post:call_<…>.
  id text collate "C" primary key,
  wallet text collate "C" not null,
  -- Compact JWS.
  receipt text not null,
  at timestamptz not null
);

-- For the account export.
create index receipts_of_wallet on receipts (wallet, at, id);
create trigger receipts_only_grow before update or delete or truncate on receipts
  for each statement execute function refuse_change();
