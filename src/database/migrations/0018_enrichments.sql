-- What enrich_metadata has answered to a wallet, so that the same call again within 30 days costs nothing.

create table enrichments (
  wallet text collate "C" not null,
  -- Of everything the answer depends on: the bytes of the picture, every input, and the edition of the engine.
  request_sha256 text collate "C" not null,
  -- The hold that was to pay for it. The row counts only once that has been posted.
  hold_id text collate "C" not null,
  answer jsonb not null,
  answered_at timestamptz not null,
  primary key (wallet, request_sha256)
);

create index enrichments_by_age on enrichments (answered_at);
