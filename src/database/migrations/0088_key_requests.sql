-- Keys that agents have asked for. The agent holds a code, of which only the sha256 is here; the owner gets a link with the id. The key
-- itself is made when the code is redeemed, so no token is ever kept.
create table key_requests (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{32}$'),
  code_sha256 text collate "C" not null unique check (code_sha256 ~ '^[0-9a-f]{64}$'),
  -- Who is counted: a wallet, or an address.
  asked_by text collate "C" not null,
  name text not null,
  -- What was asked for, in thousandths of a credit; null: no cap, every tool.
  tools text[],
  -- Also to read and change what the wallet keeps.
  with_files boolean not null,
  max_total bigint check (max_total > 0),
  max_daily bigint check (max_daily > 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- What the owner decided, under a signature.
  decided_at timestamptz,
  is_granted boolean,
  wallet text collate "C" check (wallet ~ '^0x[0-9a-f]{40}$'),
  given_tools text[],
  given_scopes text[],
  given_total bigint check (given_total > 0),
  given_daily bigint check (given_daily > 0),
  key_expires_at timestamptz,
  signature text,
  redeemed_at timestamptz,
  constraint decided_whole check ((decided_at is null) = (is_granted is null) and (decided_at is null) = (wallet is null)),
  constraint redeemed_if_granted check (redeemed_at is null or is_granted)
);
create index key_requests_expires_at on key_requests (expires_at);
create index key_requests_asked_by on key_requests (asked_by) where decided_at is null;

-- Makes the key a code stands for, once: of two that redeem it at once, one gets it. Beside `redeemed` and why not, what was granted.
create function redeem_key_request(
  code_sha256 text, key_id text, token_sha256 text, at timestamptz, active_max integer
) returns table (outcome text, wallet text, name text) language plpgsql as $$
#variable_conflict use_column
declare
  r key_requests;
begin
  select * into r from key_requests k where k.code_sha256 = redeem_key_request.code_sha256 for update;
  outcome := case
    when not found then 'unknown'
    when r.redeemed_at is not null then 'used'
    when r.decided_at is not null and not r.is_granted then 'refused'
    when r.expires_at <= at then 'expired'
    when r.decided_at is null then 'waiting'
    else 'redeemed' end;
  if outcome = 'redeemed' then
    if add_wallet_key(key_id, token_sha256, r.wallet, r.name, r.given_scopes, r.given_tools, r.given_total, r.given_daily,
        at, r.key_expires_at, active_max) then
      update key_requests k set redeemed_at = at where k.id = r.id;
    else
      outcome := 'too_many_keys';
    end if;
  end if;
  return query select outcome, r.wallet, r.name;
end $$;
