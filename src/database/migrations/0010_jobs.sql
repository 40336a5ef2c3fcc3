-- Jobs: calls that were answered 202 and outlive their connection. A row is the job; the queue's own tables only say who
-- works on it now. No input and no picture is in here: those are blobs while the job lives.

create table jobs (
  id text collate "C" primary key check (id ~ '^job_[0-9a-f]{32}$'),
  position bigint generated always as identity,
  tool text not null,
  -- Who is counted: the wallet, else the address.
  caller text collate "C" not null,
  wallet text collate "C",
  -- How the wallet was proved: {"by": "session"}, or {"by": "key", "key": {…}}. Never a token.
  proof jsonb,
  address text not null,
  request_id text not null,
  -- The Idempotency-Key that answers with this job, where one came along.
  answer_principal text collate "C",
  answer_route text collate "C",
  answer_key text collate "C",
  -- Millicredits under the hold that has the name of the job; null where nothing is held.
  held millicredits,
  warnings jsonb not null,
  input_sha256 text,
  -- [{field, sha256, format, width, height}]
  pictures jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  -- Counts the runs. Only the last one may write: an earlier one that still goes on has lost its place.
  attempt integer not null default 0,
  -- Runs that ended without a word: the process died.
  crashes integer not null default 0,
  progress real not null default 0,
  message text not null default '',
  -- Written before the money moves. From then on the job can only succeed.
  result_sha256 text,
  problem jsonb,
  created_at timestamptz not null,
  run_at timestamptz,
  finished_at timestamptz,
  -- Of a live job: when it is given up. Of a finished one: when it is forgotten.
  expires_at timestamptz not null,
  constraint answer_is_whole check (num_nulls(answer_principal, answer_route, answer_key) in (0, 3)),
  constraint finished_is_dated check ((state in ('queued', 'running')) = (finished_at is null)),
  constraint success_has_result check (state <> 'succeeded' or result_sha256 is not null),
  constraint failure_has_problem check ((state = 'failed') = (problem is not null))
);

create index live_jobs on jobs (position) where state in ('queued', 'running');
create index jobs_of_tool on jobs (tool, position) where state = 'succeeded';
create index jobs_expire on jobs (expires_at);
create index jobs_result on jobs (result_sha256) where result_sha256 is not null;

-- A 202 is kept under its Idempotency-Key as well.
alter table answers add column status smallint not null default 200;

-- As before, but what a live job holds is not of a dead call: it stays until its own end.
create or replace function expire_holds(moment timestamptz, running boolean) returns bigint language sql as $$
  select count(*) filter (where end_hold(due.id, case when due.expires_at <= moment then 'expire' else 'void' end, moment))
  from (
    select t.id, t.expires_at from open_holds o join transfers t on t.id = o.hold_id
    where o.expires_at <= moment
      or (running and not exists (
        select from jobs j where 'hold:' || j.id = o.hold_id and j.state in ('queued', 'running')))
    order by t.debit, t.position
  ) due
$$;

-- Voids what jobs still hold that have ended, or that died before they were written down.
create function void_holds_of_no_job(moment timestamptz, made_before timestamptz) returns bigint language sql as $$
  select count(*) filter (where end_hold(due.id, 'void', moment))
  from (
    select t.id from open_holds o join transfers t on t.id = o.hold_id
    where o.hold_id like 'hold:job\_%' and t.at < made_before and not exists (
      select from jobs j where 'hold:' || j.id = o.hold_id and j.state in ('queued', 'running'))
    order by t.debit, t.position
  ) due
$$;

-- As before, but a job may be run again after its process died, and then saves again under the same hold: what was there
-- before the first run is still what a release brings back, unless somebody else has written in between.
create or replace function remember_unpaid_asset() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.hold_id = new.hold_id then
    return null;
  end if;
  delete from unpaid_assets u where u.hold_id = new.hold_id and u.wallet = new.wallet and u.key = new.key;
  insert into unpaid_assets values (new.hold_id, new.wallet, new.key, new.version,
    case when tg_op = 'UPDATE' then to_jsonb(old) end);
  return null;
end $$;
