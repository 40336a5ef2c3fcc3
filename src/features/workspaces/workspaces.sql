-- Workspaces: images and the calls that made them, shared by people and agents. docs/decisions/0065-workspaces.md

create table workspaces (
  id text collate "C" primary key check (id ~ '^wsp_[0-9a-f]{32}$'),
  -- Null: made without a wallet; its own link is the only way in, and it is deleted some days after its last change.
  owner text collate "C" check (owner ~ '^0x[0-9a-f]{40}$'),
  title text not null,
  -- Current branch, shared by all members.
  branch text not null default 'main',
  -- Last numbers given; numbers are never used again.
  events integer not null default 0,
  items integer not null default 0,
  acts integer not null default 0,
  comments integer not null default 0,
  links integer not null default 0,
  people integer not null default 0,
  bytes bigint not null default 0 check (bytes >= 0),
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create index workspaces_of_owner on workspaces (owner, changed_at desc, id) where owner is not null;
create index workspaces_without_owner on workspaces (changed_at) where owner is null;

-- Authors, once per workspace, so that closing an account changes one row of each.
create table workspace_people (
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  number integer not null,
  wallet text collate "C",
  -- Of the key, of the link, or as the visitor calls themselves.
  name text not null,
  is_agent boolean not null,
  -- The link it came by; null: by its wallet.
  link integer,
  primary key (workspace_id, number)
);
create unique index workspace_people_once
  on workspace_people (workspace_id, coalesce(wallet, ''), name, is_agent, coalesce(link, 0));
create index workspace_people_wallet on workspace_people (wallet) where wallet is not null;

-- The token in a link is derived from the secret of the server; nothing stored here opens a workspace.
create table workspace_links (
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  number integer not null,
  role text not null check (role in ('view', 'work', 'own')),
  name text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (workspace_id, number)
);

create table workspace_items (
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  number integer not null,
  -- The act that made it; null: added.
  act integer,
  -- Where its handle is in the response of the act: result, variants.2.result.
  path text,
  name text not null,
  caption text not null default '',
  x real,
  y real,
  is_hidden boolean not null default false,
  trashed_at timestamptz,
  -- Made by an act that has not ended: not shown yet.
  is_pending boolean not null default false,
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes > 0),
  media_type text not null,
  -- px, with orientation applied; null where it is not an image.
  width integer,
  height integer,
  author integer not null,
  created_at timestamptz not null,
  primary key (workspace_id, number)
);
create index workspace_items_sha256 on workspace_items (sha256);

create table workspace_acts (
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  number integer not null,
  tool text not null,
  state text not null check (state in ('running', 'done', 'failed')),
  -- Null: first on its branch, or running.
  parent integer,
  branch text not null,
  -- JSON as text: it may contain what jsonb cannot (NUL). Null where it is too long.
  input text,
  answer text,
  -- Numbers of items.
  inputs jsonb not null,
  outputs jsonb not null default '[]',
  -- Millicredits charged.
  charged bigint not null default 0,
  error jsonb,
  job_id text collate "C",
  -- Name of the step, where it is one of several.
  step text,
  -- Made of acts of its own: it stands beside the branch.
  is_whole boolean not null default false,
  author integer not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- While running: when it counts as interrupted.
  expires_at timestamptz,
  primary key (workspace_id, number),
  constraint parent_is_earlier check (parent < number),
  constraint running_expires check ((state = 'running') = (expires_at is not null)),
  constraint ended_is_dated check ((state = 'running') = (ended_at is null)),
  constraint failure_has_error check ((state = 'failed') = (error is not null))
);
create index workspace_acts_running on workspace_acts (expires_at) where state = 'running';
create index workspace_acts_of_job on workspace_acts (job_id) where state = 'running' and job_id is not null;

-- `head` is where the branch stands, `tip` where redo leads; null: before the first act.
create table workspace_branches (
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  name text not null,
  head integer,
  tip integer,
  primary key (workspace_id, name)
);

create table workspace_comments (
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  number integer not null,
  text text not null,
  item integer,
  act integer,
  author integer not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (workspace_id, number)
);

-- What happened, in order and without gaps, for clients that watch. Older ones are deleted.
create table workspace_events (
  workspace_id text collate "C" not null references workspaces (id) on delete cascade,
  number integer not null,
  kind text not null,
  author integer not null,
  body text not null,
  at timestamptz not null,
  primary key (workspace_id, number)
);

-- Open event streams of all servers. A row whose server died expires, and so does one of a workspace that was deleted.
create table workspace_watchers (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  author integer not null,
  role text not null,
  since timestamptz not null,
  seen_at timestamptz not null
);
create index workspace_watchers_of_workspace on workspace_watchers (workspace_id);
create index workspace_watchers_seen_at on workspace_watchers (seen_at);

-- The acts from a head back to the first. Parents are smaller than their children, so there is no cycle.
create function workspace_chain(of_workspace text, head integer) returns table (act integer) language sql stable as $$
  with recursive chain (number, parent) as (
    select a.number, a.parent from workspace_acts a where a.workspace_id = of_workspace and a.number = head
    union all
    select a.number, a.parent from chain c join workspace_acts a on a.workspace_id = of_workspace and a.number = c.parent
  )
  select number from chain
$$;
