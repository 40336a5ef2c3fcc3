-- Saved recipes. The unguessable id grants reading and running; steps never change.
create table recipes (
  id text collate "C" primary key check (id ~ '^rcp_[0-9a-f]{32}$'),
  wallet text collate "C" not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  title text not null,
  -- JSON as text: it may contain what jsonb cannot (NUL).
  steps text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null,
  unique (wallet, sha256)
);
create index recipes_of_wallet on recipes (wallet, created_at);

-- Cached results of steps, by a hash of what produced them. A row made under a hold is valid once that is posted; until then only for the call that
-- has the hold.
create table kept_steps (
  wallet text collate "C" not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  key text collate "C" not null check (key ~ '^[0-9a-f]{64}$'),
  answer text not null,
  -- Null where the step was free.
  hold_id text collate "C",
  expires_at timestamptz not null,
  primary key (wallet, key)
);
create index kept_steps_expires_at on kept_steps (expires_at);
