-- A payment that a call has claimed is held in the books, as credits are: what the call has stored hangs on that hold
-- (0008), and is undone when the payment is not collected. The row of the payment decides: its claim is the name of the
-- hold, a trigger makes the hold with the claim and voids it where the claim is lost, and booking the money posts it. So
-- such a hold has no end of its own, and no sweep of the ledger ends it.

alter table x402_payments rename column ended_at to changed_at;
alter table x402_payments alter column claim drop not null;
alter table x402_payments disable trigger x402_payments_stay;
update x402_payments set changed_at = coalesce(changed_at, settling_at, created_at),
  claim = case when state in ('claimed', 'settling', 'unresolved') then claim end;
alter table x402_payments enable trigger x402_payments_stay;
alter table x402_payments alter column changed_at set not null;
alter table x402_payments add constraint claim_while_undecided
  check ((claim is not null) = (state in ('claimed', 'settling', 'unresolved')));
create unique index x402_payments_claim on x402_payments (claim) where claim is not null;

create unique index payment_intents_claim on payment_intents (claim) where claim is not null;
-- How many calls have claimed it: until its card is charged, so many have failed.
alter table payment_intents add column claims integer not null default 0;

-- An authorization that is used pays the tool; a card pays into the account of its intent, as at its capture.
create function hold_claimed_payment() returns trigger language plpgsql as $$
declare
  debit text;
  credit text;
  code text;
  lost text := case when tg_op = 'UPDATE' then old.claim end;
begin
  if lost is not distinct from new.claim then
    return null;
  end if;
  if lost is not null then
    perform end_hold('hold:' || lost, 'void', new.changed_at);
  end if;
  if new.claim is null then
    return null;
  end if;
  if tg_table_name = 'x402_payments' then
    debit := 'cash:x402';
    credit := 'income:tool:' || new.tool;
    code := 'tool_call';
    perform open_account(credit, 'income', new.changed_at);
  else
    debit := new.cash;
    credit := 'prepaid:' || new.id;
    code := 'purchase';
    perform open_account(credit, 'prepaid', new.changed_at);
  end if;
  insert into transfers (id, at, debit, credit, amount, phase, code, tool, expires_at)
    values ('hold:' || new.claim, new.changed_at, debit, credit, new.amount, 'pending', code, new.tool, 'infinity');
  return null;
end $$;

create trigger x402_payments_hold after insert or update of claim on x402_payments
  for each row execute function hold_claimed_payment();
create trigger payment_intents_hold after insert or update of claim on payment_intents
  for each row execute function hold_claimed_payment();

-- What was claimed before now: calls of cards start again, settlements of x402 get their holds by taking a claim anew.
update payment_intents set state = case state when 'claimed' then 'open' else 'unknown' end, claim = null
  where claim is not null;
update x402_payments set claim = 'call_' || claim where claim is not null;

-- As before, but the hold of a payment has no end, and its row says whether its call has died.
create or replace function expire_holds(moment timestamptz, running boolean) returns bigint language sql as $$
  select count(*) filter (where end_hold(due.id, case when due.expires_at <= moment then 'expire' else 'void' end, moment))
  from (
    select t.id, t.expires_at from open_holds o join transfers t on t.id = o.hold_id
    where o.expires_at <= moment
      or (running and o.expires_at < 'infinity' and not exists (
        select from jobs j where 'hold:' || j.id = o.hold_id and j.state in ('queued', 'running')))
    order by t.debit, t.position
  ) due
$$;

-- As before, but what is booked is the hold.
create or replace function settle_x402_payment(
  payment text, transaction text, at timestamptz, answer_expires_at timestamptz
) returns boolean language plpgsql as $$
declare
  p x402_payments;
  payer_account text;
begin
  select * into p from x402_payments x where x.id = payment for update;
  if not found or p.state not in ('settling', 'unresolved') then
    return false;
  end if;
  payer_account := 'wallet:' || p.payer;
  -- The wallet first, as every movement of money does, so that two of them never wait for each other in a circle.
  perform from accounts a where a.id = payer_account for no key update;
  insert into transfers (id, at, debit, credit, amount, phase, hold_id, code, tool)
    values ('x402:' || p.id, at, 'cash:x402', 'income:tool:' || p.tool, p.amount, 'post', 'hold:' || p.claim, 'tool_call', p.tool);
  if p.credit_back > 0 then
    insert into transfers (id, at, debit, credit, amount, phase, code, tool)
      values ('creditback:x402:' || p.id, at, 'promo:creditback', payer_account, p.credit_back, 'posted', 'credit_back', p.tool);
  end if;
  if p.answer_sha256 is not null then
    insert into answers as a (principal, route, key, body_sha256, answer_sha256, expires_at)
      values (p.principal, p.route, p.key, p.body_sha256, p.answer_sha256, answer_expires_at)
      on conflict (principal, route, key) do update
        set body_sha256 = excluded.body_sha256, answer_sha256 = excluded.answer_sha256, expires_at = excluded.expires_at
        where a.answer_sha256 is null;
  end if;
  if p.receipt_id is not null then
    insert into receipts (id, wallet, receipt, at) values (p.receipt_id, p.payer, p.receipt, at);
  end if;
  update x402_payments x set state = 'settled', claim = null, transaction = settle_x402_payment.transaction,
    transfer_id = 'x402:' || p.id, request = null, receipt = null, reason = null, changed_at = at where x.id = p.id;
  return true;
end $$;

-- As before, but what a call has captured is booked as the hold of its claim.
create or replace function fund_intent(intent payment_intents, at timestamptz, welcome bigint)
  returns void language plpgsql as $$
declare
  prepaid text := 'prepaid:' || intent.id;
begin
  perform open_account(prepaid, 'prepaid', at);
  if intent.wallet is not null then
    perform register_wallet(intent.wallet, welcome, at);
    perform from accounts a where a.id = 'wallet:' || intent.wallet for no key update;
  end if;
  insert into transfers (id, at, debit, credit, amount, phase, hold_id, code, tool)
    values ('capture:' || intent.id, at, intent.cash, prepaid, intent.amount,
      case when intent.claim is null then 'posted' else 'post' end, 'hold:' || intent.claim, 'purchase', intent.tool);
  if intent.wallet is not null and intent.surplus > 0 then
    insert into transfers (id, at, debit, credit, amount, phase, code, tool)
      values ('surplus:' || intent.id, at, prepaid, 'wallet:' || intent.wallet, intent.surplus, 'posted', 'surplus', intent.tool);
  end if;
  update payment_intents p set state = 'captured', claim = null, changed_at = at where p.id = intent.id;
end $$;

-- As before, but only where the call that captured it is over.
create or replace function fund_intent_alone(intent_id text, at timestamptz, welcome bigint)
  returns boolean language plpgsql as $$
declare
  intent payment_intents;
begin
  select * into intent from payment_intents p where p.id = intent_id for update;
  if not found or intent.state <> 'unknown' then
    return false;
  end if;
  perform fund_intent(intent, at, welcome);
  return true;
end $$;

-- As before, but a call that has lost its claim is not paid: what it has stored is gone.
create or replace function settle_intent_call(
  call text, intent_id text, claim text, amount bigint, payee text, at timestamptz, welcome bigint, back_percent integer,
  principal text, route text, key text, answer_sha256 text, answer_expires_at timestamptz
) returns void language plpgsql as $$
declare
  intent payment_intents;
  hold transfers;
  beneficiary text;
  back bigint := amount * back_percent / 100;
begin
  select * into strict intent from payment_intents p where p.id = intent_id for update;
  beneficiary := 'wallet:' || coalesce(payee, intent.wallet);
  perform from accounts a where a.id = 'prepaid:' || intent_id for no key update;
  perform from accounts a where a.id = beneficiary for no key update;
  if claim is not null then
    if intent.claim is distinct from settle_intent_call.claim then
      raise exception '% is no longer claimed by %', intent_id, call
        using errcode = 'integrity_constraint_violation', constraint = 'intent_is_claimed';
    end if;
    intent.wallet := coalesce(intent.wallet, payee);
    update payment_intents p set wallet = intent.wallet where p.id = intent_id;
    perform fund_intent(intent, at, welcome);
    perform open_account('income:tool:' || intent.tool, 'income', at);
    insert into transfers (id, at, debit, credit, amount, phase, code, tool)
      values ('post:' || call, at, 'prepaid:' || intent_id, 'income:tool:' || intent.tool, amount, 'posted', 'tool_call', intent.tool);
  else
    select * into strict hold from transfers t where t.id = 'hold:' || call;
    insert into transfers (id, at, debit, credit, amount, phase, hold_id, code, tool)
      values ('post:' || call, at, hold.debit, hold.credit, hold.amount, 'post', hold.id, hold.code, hold.tool);
  end if;
  if back > 0 and exists (select from accounts a where a.id = beneficiary) then
    insert into transfers (id, at, debit, credit, amount, phase, code, tool)
      values ('creditback:' || call, at, 'promo:creditback', beneficiary, back, 'posted', 'credit_back', intent.tool);
  end if;
  if answer_sha256 is not null then
    update answers a set answer_sha256 = settle_intent_call.answer_sha256, expires_at = answer_expires_at
      where a.principal = settle_intent_call.principal and a.route = settle_intent_call.route
        and a.key = settle_intent_call.key and a.answer_sha256 is null;
    if not found then
      raise exception 'the idempotency key of % is not claimed', call
        using errcode = 'integrity_constraint_violation', constraint = 'answer_is_claimed';
    end if;
  end if;
end $$;
