-- Time stamps (RFC 3161) of signed heads of the transparency log. One covers every entry below its size, and so every receipt,
-- registration, kept manifest, archive entry and key that was logged by then.
create table log_stamps (
  tree_size bigint primary key,
  -- Compact JWS of the head: the message that was stamped.
  tree_head text not null,
  -- DER of the time-stamp token.
  token bytea not null,
  stored_at timestamptz not null
);
create trigger log_stamps_only_grow before update or delete or truncate on log_stamps
  for each statement execute function refuse_change();

-- One row once a stamp was requested: when the next request is due, and why the last one failed.
create table log_stamp_attempts (
  id smallint primary key default 1 check (id = 1),
  next_at timestamptz not null,
  -- Since the last stamp.
  failures integer not null,
  -- Null after a stamp.
  reason text
);
