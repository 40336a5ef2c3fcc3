-- Weights of single keys in the fair queue: `who` of queue_weights may be the id of a key (key_…).
create function weight_of(caller text, key text) returns smallint language sql stable as $$
  select coalesce((select weight from queue_weights where who = key), weight_of(caller))::smallint
$$;

-- As before, for a call with a key of the caller (null: without one): the principal has as many jobs in a round as the weight of that key.
create function next_round(of_address text, of_caller text, of_key text, out round bigint, out caller_turn bigint, out is_new boolean)
language plpgsql stable as $$
declare
  weight integer := weight_of(of_caller, of_key);
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

-- For servers of the version before.
create or replace function next_round(of_address text, of_caller text, out round bigint, out caller_turn bigint, out is_new boolean)
language sql stable as $$
  select * from next_round(of_address, of_caller, null)
$$;
