-- Payments by x402: an authorization signed by the payer, which a facilitator settles on its chain. One row per authorization, so that it pays for
-- at most one call, ever.
create table x402_payments (
  -- sha256 of network, token, payer and nonce: independent of how the authorization is encoded.
  id text collate "C" primary key check (id ~ '^[0-9a-f]{64}$'),
  -- claimed: a call uses it. released: that call failed, another may claim it. settling: settlement was requested, the outcome is unknown.
  -- settled: paid and booked. refused: the facilitator reports that nothing was paid. unresolved: the operator has to look at the chain.
  -- Scheme auth-capture: authorizing: the hold in escrow was requested. held: it stands. settling: its capture was requested. voiding: the call
  -- failed, and the hold is to be given back. voided: it was, or the payer takes it back.
  state text not null check (state in
    ('claimed', 'released', 'authorizing', 'held', 'settling', 'settled', 'refused', 'unresolved', 'voiding', 'voided')),
  scheme text not null default 'exact' check (scheme in ('exact', 'auth-capture')),
  -- Id of the call that claims it.
  claim text,
  -- claimed, authorizing, held: when that call is certainly over. settling, voiding: until when a process is waiting for the facilitator.
  busy_until timestamptz not null,
  version smallint not null check (version in (1, 2)),
  network text not null,
  payer text collate "C" not null check (payer ~ '^0x[0-9a-f]{40}$'),
  -- When the authorization, or the hold, expires and cannot be settled any more.
  ends_at timestamptz not null,
  tool text not null,
  -- Thousandths of a credit, as in the ledger.
  amount millicredits not null check (amount > 0),
  credit_back millicredits not null,
  -- Request to the facilitator, while it may have to be repeated.
  request jsonb,
  -- Response to store under its Idempotency-Key once it is paid.
  principal text collate "C",
  route text collate "C",
  key text collate "C",
  body_sha256 text,
  answer_sha256 text check (answer_sha256 ~ '^[0-9a-f]{64}$'),
  -- Signed receipt, moved to receipts once it is paid.
  receipt_id text collate "C",
  receipt text,
  attempts integer not null default 0,
  -- On the chain; null when the outcome follows from the authorization being used.
  transaction text,
  -- Why it was refused or is unresolved.
  reason text,
  transfer_id text collate "C" references transfers (id),
  created_at timestamptz not null,
  settling_at timestamptz,
  changed_at timestamptz not null,
  constraint booked_when_settled check ((state = 'settled') = (transfer_id is not null)),
  constraint claim_while_undecided check ((claim is not null) = (state in ('claimed', 'authorizing', 'held', 'settling', 'unresolved'))),
  constraint exact_holds_nothing check (scheme <> 'exact' or state not in ('authorizing', 'held', 'voiding', 'voided'))
);
create index x402_payments_open on x402_payments (busy_until)
  where state in ('claimed', 'authorizing', 'held', 'settling', 'voiding');
create index x402_payments_forgotten on x402_payments (ends_at) where state in ('released', 'refused', 'claimed', 'voided');
create index x402_payments_transfer on x402_payments (transfer_id);
create index x402_payments_answer on x402_payments (answer_sha256) where answer_sha256 is not null;
create unique index x402_payments_claim on x402_payments (claim) where claim is not null;

-- A used payment stays used, and a hold that goes back is never captured, even if the code is wrong.
create function keep_settled_payment() returns trigger language plpgsql as $$
begin
  raise exception '% of a % payment refused', tg_op, old.state
    using errcode = 'integrity_constraint_violation', constraint = 'settled_payments_stay';
end $$;
create trigger x402_payments_stay before update or delete on x402_payments
  for each row when (old.state = 'settled') execute function keep_settled_payment();
create trigger x402_payments_go_back before update on x402_payments
  for each row when (old.state in ('voiding', 'voided') and new.state not in (old.state, 'voided')) execute function keep_settled_payment();

-- Books a payment: posts its hold, pays the credit-back, stores response and receipt, all or nothing. False when it was not settling.
create function settle_x402_payment(
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
  -- The wallet first, in the lock order of the ledger.
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

-- Claims of both kinds of payment. The claim is the name of a hold: what the call stores depends on that hold, and is undone when the payment is not
-- collected. This trigger makes the hold with the claim and voids it when the claim is lost; booking the money posts it. Such a hold never expires,
-- so the expiry job leaves it alone.

-- x402 pays the tool; a card pays into the prepaid account of its intent, as at its capture.
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
