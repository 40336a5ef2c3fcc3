-- Results of enrich_metadata, so that the same call of a wallet is free for 30 days.
create table enrichments (
  wallet text collate "C" not null,
  -- Of everything the result depends on: the bytes of the picture, every input, and the version of the engine.
  request_sha256 text collate "C" not null,
  -- The row is valid once this hold is posted.
  hold_id text collate "C" not null,
  answer jsonb not null,
  answered_at timestamptz not null,
  primary key (wallet, request_sha256)
);
create index enrichments_by_age on enrichments (answered_at);

-- Usage of vision models, or its upper bound while a request runs, so that the daily budget holds across servers and restarts.
create table vision_requests (
  id bigint generated always as identity primary key,
  -- UTC.
  day date not null,
  -- Null for the service itself.
  address text collate "C",
  caller text collate "C",
  tokens bigint not null check (tokens >= 0),
  micro_usd bigint not null check (micro_usd >= 0),
  -- End of the reservation; null once the usage is known.
  reserved_until timestamptz
);
create index vision_requests_by_day on vision_requests (day);
