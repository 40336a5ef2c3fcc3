-- Jobs: calls answered with 202 that outlive their connection. The row is the job, and says which process runs it. Inputs and pictures are blobs
-- while the job is live or a dead letter.
create table jobs (
  id text collate "C" primary key check (id ~ '^job_[0-9a-f]{32}$'),
  position bigint generated always as identity,
  tool text not null,
  -- Principal for fair scheduling: the wallet, else the network address.
  caller text collate "C" not null,
  wallet text collate "C",
  -- How the wallet was proved: {"by": "session"}, or {"by": "key", "key": {…}}. Never a token.
  proof jsonb,
  address text not null,
  request_id text not null,
  -- The Idempotency-Key whose response is this job, if any.
  answer_principal text collate "C",
  answer_route text collate "C",
  answer_key text collate "C",
  -- Amount of the hold named after the job; null where nothing is held.
  held millicredits,
  warnings jsonb not null,
  input_sha256 text,
  -- [{field, sha256, format, width, height}]
  pictures jsonb not null,
  -- Of the input and its pictures together.
  input_bytes bigint not null default 0,
  -- The input as sent, without images, while the job is kept; null where it is long.
  params jsonb,
  -- Of all its pictures together: runs of similar size predict its duration.
  megapixels real,
  -- The first estimate, from its creation to its end: later ones are compared with it.
  expected_seconds real,
  state text not null default 'queued' check (state in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  -- Fencing token: counts the runs, and only the latest may write.
  attempt integer not null default 0,
  -- Runs whose process died.
  crashes integer not null default 0,
  progress real not null default 0,
  message text not null default '',
  -- Written before the charge. From then on the job can only succeed.
  result_sha256 text,
  problem jsonb,
  created_at timestamptz not null,
  run_at timestamptz,
  finished_at timestamptz,
  -- Live job: when it fails. Finished job: when it is deleted.
  expires_at timestamptz not null,
  -- Scheduling round. Jobs of one address have consecutive rounds, and a new one begins at the current round: addresses alternate,
  -- however many jobs one of them has queued.
  turn bigint not null default 0,
  -- Visibility timeout: from when on a process may claim it. Queued: usually at once. Running: when its process stops renewing.
  free_at timestamptz not null default now(),
  -- The same among the principals of one address.
  caller_turn bigint not null default 0,
  -- How often the job was requeued by a process that lacked a model another process had.
  passes integer not null default 0,
  -- W3C trace context of the call that made the job, as headers carry it; null where nothing is traced.
  trace jsonb,
  -- Dead letter: it failed for a reason of the server, and was neither retried nor dismissed. Its input may still be kept.
  is_dead boolean not null default false,
  -- Retried by an operator: it is free.
  is_waived boolean not null default false,
  constraint dead_is_failed check (not is_dead or state = 'failed'),
  constraint answer_is_whole check (num_nulls(answer_principal, answer_route, answer_key) in (0, 3)),
  constraint finished_is_dated check ((state in ('queued', 'running')) = (finished_at is null)),
  constraint success_has_result check (state <> 'succeeded' or result_sha256 is not null),
  constraint failure_has_problem check ((state = 'failed') = (problem is not null))
) with (
  -- Progress is written every second, into the free part of the page: it changes no indexed column.
  fillfactor = 70,
  -- A row is updated about ten times and deleted after a day. The default waits until a fifth of the table is dead.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05
);
-- The head of each tool; also the summary of its rounds, without the table.
create index queued_jobs on jobs (tool, turn, position) include (created_at) where state = 'queued';
-- Does not name free_at, which changes every second.
create index running_jobs on jobs (tool) where state = 'running';
create index live_jobs_of_address on jobs (address, turn) where state in ('queued', 'running');
create index live_jobs_of_caller on jobs (caller) where state in ('queued', 'running');
create index jobs_of_tool on jobs (tool, position) where state = 'succeeded';
create index succeeded_jobs on jobs (position) where state = 'succeeded';
create index jobs_of_wallet on jobs (wallet, position) where wallet is not null;
create index dead_jobs on jobs (position) where is_dead;
create index dead_inputs on jobs (address) include (id, input_bytes) where is_dead and input_bytes > 0;
create index jobs_expire on jobs (expires_at);
create index jobs_result on jobs (result_sha256) where result_sha256 is not null;

-- Current round of each tool: not every process runs every tool, and no tool may run ahead of another.
create table job_turns (
  tool text primary key,
  begun bigint not null
) with (fillfactor = 50, autovacuum_vacuum_threshold = 500);

-- Live jobs with their distance from the current round of their tool: 0 or less is next.
create view job_rounds as
  select j.id, j.position, j.tool, j.address, j.caller, j.caller_turn, j.state, j.turn - coalesce(b.begun, 0) as round
  from jobs j left join job_turns b on b.tool = j.tool
  where j.state in ('queued', 'running');

-- Round of the next job of a principal. A principal of weight n has n jobs in a round. Where a new round begins for the address, its jobs behind it
-- have to be moved by one round.
create function next_round(of_address text, of_caller text, out round bigint, out caller_turn bigint, out is_new boolean)
language plpgsql stable as $$
declare
  weight integer := weight_of(of_caller);
begin
  select greatest(
      coalesce(min(r.caller_turn) filter (where r.state = 'queued'), max(r.caller_turn), 0),
      coalesce((
        select own.caller_turn + (count(*) >= weight)::integer from job_rounds own
        where own.address = of_address and own.caller = of_caller
        group by own.caller_turn order by own.caller_turn desc limit 1), 0))
    into caller_turn from job_rounds r where r.address = of_address;
  select r.round, bool_or(r.caller <> of_caller) or count(*) >= weight or r.round < 0
    into round, is_new
    from job_rounds r where r.address = of_address and r.caller_turn <= next_round.caller_turn
    group by r.round order by r.round desc limit 1;
  is_new := coalesce(is_new, true);
  round := case when is_new then greatest(coalesce(round + 1, 0), 0) else round end;
end $$;

-- Processes that claim jobs, so that a process without the model for a job leaves it to one that has it.
create table job_takers (
  id text collate "C" primary key,
  -- Tools it runs; null: all.
  tools text[],
  -- Of those, tools it can run only at lower quality.
  lacks text[] not null,
  places integer not null,
  seen_at timestamptz not null default now()
);
