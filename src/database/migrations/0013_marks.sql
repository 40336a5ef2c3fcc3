-- Payloads of watermarks by the short id that rides along with them in the picture.

create table marks (
  id text collate "C" primary key check (id ~ '^[0-9a-f]{12}$'),
  -- Who had it embedded; null for callers without a wallet.
  wallet text collate "C",
  -- UTF-8. Not text: a payload may hold zeros.
  payload bytea not null check (octet_length(payload) between 1 and 1024),
  created_at timestamptz not null
);
