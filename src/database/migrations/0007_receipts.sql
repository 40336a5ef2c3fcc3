-- Signed receipts of paid calls, and every public key that ever signed one.

create table receipt_keys (
  -- Thumbprint of the key (RFC 7638), the `kid` of its receipts.
  kid text collate "C" primary key,
  -- The 32 bytes of the Ed25519 public key, base64url: the `x` of its JWK (RFC 8037).
  public_key text not null,
  first_used timestamptz not null
);

create table receipts (
  -- Follows from the id of the call, so that the statement finds it: rcpt_<…> for the transfer post:call_<…>.
  id text collate "C" primary key,
  wallet text collate "C" not null,
  -- Compact JWS.
  receipt text not null,
  at timestamptz not null
);

create trigger receipt_keys_only_grow before update or delete or truncate on receipt_keys
  for each statement execute function refuse_change();
create trigger receipts_only_grow before update or delete or truncate on receipts
  for each statement execute function refuse_change();
