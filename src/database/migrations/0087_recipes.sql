-- Recipes somebody has saved. Whoever knows the id, which nobody can guess, may read and run one; steps never change.
create table recipes (
  id text collate "C" primary key check (id ~ '^rcp_[0-9a-f]{32}$'),
  wallet text collate "C" not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  title text not null,
  -- JSON as text: it may hold what jsonb cannot.
  steps text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null,
  unique (wallet, sha256)
);
create index recipes_of_wallet on recipes (wallet, created_at);

-- What steps of recipes have answered, by what made it, so that the same step of the same wallet need not run again. A row
-- made under a hold counts once the hold was posted; until then only the call that has the hold may use it.
create table kept_steps (
  wallet text collate "C" not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  key text collate "C" not null check (key ~ '^[0-9a-f]{64}$'),
  answer text not null,
  -- Absent where the step cost nothing.
  hold_id text collate "C",
  expires_at timestamptz not null,
  primary key (wallet, key)
);
create index kept_steps_expires_at on kept_steps (expires_at);
