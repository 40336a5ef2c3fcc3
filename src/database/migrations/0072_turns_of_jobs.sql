-- Jobs of one address have consecutive turns, and a newcomer gets the turn that was last begun: so addresses take turns,
-- however many jobs one of them has put in. All wallets of an address are one.

alter table jobs add column turn bigint not null default 0;

create index turns_begun on jobs (turn) where run_at is not null;
create index live_jobs_of_address on jobs (address, turn) where state in ('queued', 'running');

-- The turn of the next job of an address.
create function next_turn(of_address text) returns bigint stable language sql as $$
  select greatest(
    coalesce(
      (select max(turn) from jobs where run_at is not null),
      (select min(turn) from jobs where state = 'queued'),
      0),
    coalesce((select max(turn) + 1 from jobs where address = of_address and state in ('queued', 'running')), 0))
$$;
