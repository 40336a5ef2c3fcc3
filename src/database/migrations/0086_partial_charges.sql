-- A call that delivers less than it holds for is charged for that: the post of a hold may be smaller than the hold, and the
-- rest is given back by the same row. The journal has allowed it from the start; now settling can ask for it.

drop function settle_hold(text, integer, timestamptz, text, text, text, text, timestamptz);

-- As before; `taken` is what is charged of the hold, all of it where none is named.
create function settle_hold(
  call text, back_percent integer, at timestamptz,
  principal text, route text, key text, answer_sha256 text, answer_expires_at timestamptz, taken bigint default null
) returns table (outcome text, balance bigint, credit_back bigint) language plpgsql as $$
declare
  hold transfers;
  phase_before text;
  charged bigint;
begin
  select * into hold from transfers t where t.id = 'hold:' || call;
  if not found then
    return query select 'unknown', null::bigint, null::bigint;
    return;
  end if;
  perform from accounts a where a.id = hold.debit for no key update;
  select t.phase into phase_before from transfers t where t.hold_id = hold.id;
  charged := coalesce(taken, hold.amount);
  credit_back := charged * back_percent / 100;
  outcome := case
    when phase_before = 'post' then 'already_settled'
    when phase_before = 'void' then 'released'
    when phase_before = 'expire' or at >= hold.expires_at then 'expired'
    else 'settled' end;
  if outcome = 'settled' then
    insert into transfers (id, at, debit, credit, amount, phase, hold_id, code, tool)
      values ('post:' || call, at, hold.debit, hold.credit, charged, 'post', hold.id, hold.code, hold.tool);
    if credit_back > 0 then
      insert into transfers (id, at, debit, credit, amount, phase, code, tool)
        values ('creditback:' || call, at, 'promo:creditback', hold.debit, credit_back, 'posted', 'credit_back', hold.tool);
    end if;
    if answer_sha256 is not null then
      update answers a set answer_sha256 = settle_hold.answer_sha256, expires_at = answer_expires_at
        where a.principal = settle_hold.principal and a.route = settle_hold.route and a.key = settle_hold.key
          and a.answer_sha256 is null;
      -- Another call has answered under this key, or the claim is gone: nothing may be charged for a second answer.
      if not found then
        raise exception 'the idempotency key of % is not claimed', call
          using errcode = 'integrity_constraint_violation', constraint = 'answer_is_claimed';
      end if;
    end if;
  end if;
  select a.credit - a.debit into balance from accounts a where a.id = hold.debit;
  return next;
end $$;

-- As before, but what a post leaves of the hold goes back to the budget of its key too.
create or replace function end_key_hold() returns trigger language plpgsql as $$
declare
  ended key_holds;
  given_back bigint;
begin
  delete from key_holds h where h.hold_id = new.hold_id returning * into ended;
  if not found then
    return null;
  end if;
  given_back := case when new.phase = 'post' then ended.amount - new.amount else ended.amount end;
  if given_back > 0 then
    update wallet_keys w set spent = spent - given_back,
      spent_on_day = case when w.day = ended.day then spent_on_day - given_back else spent_on_day end
      where w.id = ended.key_id;
  end if;
  return null;
end $$;
