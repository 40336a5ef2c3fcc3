-- Not for older versions: they hand out jobs by tables of their own, so that some would be worked on twice.
-- Who works on a job is said by its own row, so that a process can take jobs of some tools only, and the row, its turn and who has it
-- cannot part.

-- From when on a process may take it: a waiting job, mostly at once; a running one when whoever has it has been silent for too long.
alter table jobs add column free_at timestamptz not null default now();
update jobs set free_at = now() + interval '1 minute' where state = 'running';

-- Among the jobs of one address: its callers take turns as addresses do among each other.
alter table jobs add column caller_turn bigint not null default 0;

drop function next_turn(text);

-- The turn that was last begun, of each tool: not every process works for every tool, and one tool must not run ahead of another.
create table job_turns (
  tool text primary key,
  begun bigint not null
);
insert into job_turns
  select tool, coalesce(max(turn) filter (where run_at is not null), min(turn) filter (where state = 'queued'), 0)
  from jobs group by tool;

-- Live jobs, and how many rounds of its tool each is away from its turn: 0 or less is next.
create view job_rounds as
  select j.id, j.position, j.tool, j.address, j.caller, j.caller_turn, j.state, j.turn - coalesce(b.begun, 0) as round
  from jobs j left join job_turns b on b.tool = j.tool
  where j.state in ('queued', 'running');

-- The place of the next job of a caller: jobs of an address have consecutive rounds, a newcomer begins with the round that runs, and
-- within an address the callers alternate. What stands behind it has to make room.
create function next_round(of_address text, of_caller text, out round bigint, out caller_turn bigint)
language plpgsql stable as $$
begin
  select greatest(
      coalesce(min(r.caller_turn) filter (where r.state = 'queued'), max(r.caller_turn), 0),
      coalesce(max(r.caller_turn) filter (where r.caller = of_caller) + 1, 0))
    into caller_turn from job_rounds r where r.address = of_address;
  select greatest(coalesce(max(r.round) + 1, 0), 0) into round
    from job_rounds r where r.address = of_address and r.caller_turn <= next_round.caller_turn;
end $$;
