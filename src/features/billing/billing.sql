-- Charging a call: hold, settle, release. One function per operation, so that each costs one round trip. They lock the wallet first; a concurrent
-- call then sees the result of the first.

-- Outcome: held; wallet_not_registered, wallet_blocked, spending_stopped, insufficient_credits; approval_required, or what is wrong with the approval;
-- differs: the id of the call was used for another hold. A hold once made stays valid if rules change. is_signed: the owner signed this very request.
create function hold_credits(
  call text, wallet text, amount bigint, tool text, at timestamptz, expires_at timestamptz,
  approval text default null, params_sha256 text default null, is_signed boolean default false
) returns text language plpgsql as $$
declare
  payer accounts;
  income text := 'income:tool:' || tool;
  first transfers;
  rules spending_rules;
  given approvals;
  problem text;
begin
  select * into payer from accounts a where a.id = 'wallet:' || wallet for no key update;
  if not found then
    return 'wallet_not_registered';
  end if;
  select * into first from transfers t where t.id = 'hold:' || call;
  if found then
    return case when first.debit = payer.id and first.tool = hold_credits.tool and first.amount = hold_credits.amount
      then 'held' else 'differs' end;
  end if;
  if exists (select from blocked_wallets b where b.wallet = hold_credits.wallet) then
    return 'wallet_blocked';
  end if;
  select * into rules from spending_rules r where r.wallet = hold_credits.wallet;
  if rules.stopped_at is not null then
    return 'spending_stopped';
  end if;
  if payer.credit - payer.debit - payer.held < amount then
    return 'insufficient_credits';
  end if;
  if amount > rules.approval_above and not is_signed then
    if approval is null then
      return 'approval_required';
    end if;
    select * into given from approvals a where a.id = approval and a.wallet = hold_credits.wallet for no key update;
    problem := case
      when not found then 'approval_not_found'
      when given.tool <> hold_credits.tool or given.amount <> hold_credits.amount
        or given.params_sha256 is distinct from hold_credits.params_sha256 then 'approval_differs'
      when given.hold_id is not null then 'approval_used'
      when not given.is_approved then 'approval_refused'
      when given.expires_at <= at then 'approval_expired'
      when given.decided_at is null then 'approval_waiting' end;
    if problem is not null then
      return problem;
    end if;
    update approvals a set hold_id = 'hold:' || call where a.id = given.id;
  end if;
  if not exists (select from accounts a where a.id = income) then
    insert into accounts (id, kind, created_at) values (income, 'income', at) on conflict do nothing;
  end if;
  insert into transfers (id, at, debit, credit, amount, phase, code, tool, expires_at)
    values ('hold:' || call, at, payer.id, income, amount, 'pending', 'tool_call', tool, expires_at);
  return 'held';
end $$;

-- hold_credits under a key: its budget and the hold change together or not at all. The wallet is locked before the key, as everywhere, to prevent
-- deadlocks. Further outcomes: key_ended, over_total, over_day. The returned figures are those after the call.
create function hold_credits_of_key(
  key text, call text, wallet text, amount bigint, tool text, at timestamptz, expires_at timestamptz,
  approval text default null, params_sha256 text default null
) returns table (outcome text, max_total bigint, spent bigint, max_daily bigint, spent_on_day bigint)
language plpgsql as $$
declare
  k wallet_keys;
  today date;
  taken bigint;
begin
  perform from accounts a where a.id = 'wallet:' || wallet for no key update;
  select * into k from wallet_keys w where w.id = key and w.wallet = hold_credits_of_key.wallet for no key update;
  if not found or k.revoked_at is not null or k.expires_at <= at then
    return query select 'key_ended', null::bigint, null::bigint, null::bigint, null::bigint;
    return;
  end if;
  -- A repeated call takes from the budget once.
  taken := case when exists (select from key_holds h where h.hold_id = 'hold:' || call) then 0 else amount end;
  -- A clock that runs behind must not reopen a day that is over.
  today := greatest(timezone('UTC', at)::date, k.day);
  if today > k.day then
    k.day := today;
    k.spent_on_day := 0;
  end if;
  outcome := case
    when k.spent + taken > k.max_total then 'over_total'
    when k.spent_on_day + taken > k.max_daily then 'over_day'
    else hold_credits(call, wallet, amount, tool, at, expires_at, approval, params_sha256) end;
  if outcome = 'held' and taken > 0 then
    k.spent := k.spent + taken;
    k.spent_on_day := k.spent_on_day + taken;
    insert into key_holds values ('hold:' || call, key, today, taken);
    update wallet_keys w set spent = k.spent, day = k.day, spent_on_day = k.spent_on_day where w.id = key;
  end if;
  return query select outcome, k.max_total, k.spent, k.max_daily, k.spent_on_day;
end $$;

-- Charges `taken` of the hold (null: all of it), pays the credit-back, and stores the response if one is given.
-- Outcome: settled, already_settled, or unknown, released, expired.
create function settle_hold(
  call text, back_percent integer, at timestamptz,
  principal text, route text, key text, answer_sha256 text, answer_expires_at timestamptz, taken bigint default null
) returns table (outcome text, charged bigint, balance bigint, credit_back bigint) language plpgsql as $$
declare
  hold transfers;
  phase_before text;
begin
  select * into hold from transfers t where t.id = 'hold:' || call;
  if not found then
    return query select 'unknown', null::bigint, null::bigint, null::bigint;
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
      -- Another call has stored its response under this key, or the claim is gone: a second response must not be charged.
      if not found then
        raise exception 'the idempotency key of % is not claimed', call
          using errcode = 'integrity_constraint_violation', constraint = 'answer_is_claimed';
      end if;
    end if;
  end if;
  select a.credit - a.debit into balance from accounts a where a.id = hold.debit;
  return next;
end $$;

-- Expires the holds that are due at `moment`; with `running`, also voids those of calls that died. Live jobs keep their hold, and holds of payments
-- (expiry infinity) end with the claim in the row of the payment. In the order of the wallets, to prevent deadlocks between two servers.
create function expire_holds(moment timestamptz, running boolean) returns bigint language sql as $$
  select count(*) filter (where end_hold(due.id, case when due.expires_at <= moment then 'expire' else 'void' end, moment))
  from (
    select t.id, t.expires_at from open_holds o join transfers t on t.id = o.hold_id
    where o.expires_at <= moment
      or (running and o.expires_at < 'infinity' and not exists (
        select from jobs j where 'hold:' || j.id = o.hold_id and j.state in ('queued', 'running')))
    order by t.debit, t.position
  ) due
$$;

-- Voids holds of jobs that have ended, or that were never stored because the process died.
create function void_holds_of_no_job(moment timestamptz, made_before timestamptz) returns bigint language sql as $$
  select count(*) filter (where end_hold(due.id, 'void', moment))
  from (
    select t.id from open_holds o join transfers t on t.id = o.hold_id
    where o.hold_id like 'hold:job\_%' and t.at < made_before and not exists (
      select from jobs j where 'hold:' || j.id = o.hold_id and j.state in ('queued', 'running'))
    order by t.debit, t.position
  ) due
$$;
