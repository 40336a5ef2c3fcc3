-- Processes that take jobs, so that what one of them lacks a network for is left to another that has it.
create table job_takers (
  id text collate "C" primary key,
  -- Tools it takes jobs of; null: all.
  tools text[],
  -- Of those, what it could do only worse than meant.
  lacks text[] not null,
  places integer not null,
  seen_at timestamptz not null default now()
);

-- How often a job was given back by a process that lacked something another one had.
alter table jobs add column passes integer not null default 0;
