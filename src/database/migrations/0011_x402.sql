-- Payments by x402: an authorization signed by the payer, which a facilitator puts on its chain. One row an authorization, so
-- that it pays for at most one call, ever.

create table x402_payments (
  -- sha256 of network, token, payer and nonce: the same however the authorization was wrapped.
  id text collate "C" primary key check (id ~ '^[0-9a-f]{64}$'),
  -- claimed: a call has it. released: that call failed, another may take it. settling: the facilitator was asked to move the
  -- money, and the outcome is not known. settled: the money came, and is in the books. refused: the facilitator said that
  -- nothing was moved. unresolved: nobody could say, and the operator has to look at the chain.
  state text not null check (state in ('claimed', 'released', 'settling', 'settled', 'refused', 'unresolved')),
  -- Names the call that has it.
  claim text not null,
  -- claimed: when that call is dead for certain. settling: until then somebody is asking.
  busy_until timestamptz not null,
  version smallint not null check (version in (1, 2)),
  network text not null,
  payer text collate "C" not null check (payer ~ '^0x[0-9a-f]{40}$'),
  -- When the authorization ends and nobody can settle it any more.
  ends_at timestamptz not null,
  tool text not null,
  -- Thousandths of a credit, as in the ledger.
  amount millicredits not null check (amount > 0),
  credit_back millicredits not null,
  -- What the facilitator is sent; kept while it may have to be sent again.
  request jsonb,
  -- The answer that is given once the money has come: where it is kept, and the sha256 of its bytes.
  principal text collate "C",
  route text collate "C",
  key text collate "C",
  body_sha256 text,
  answer_sha256 text check (answer_sha256 ~ '^[0-9a-f]{64}$'),
  -- The signed receipt that stands in that answer; goes to receipts once the money has come.
  receipt_id text collate "C",
  receipt text,
  attempts integer not null default 0,
  -- On the chain; null when the outcome was found out from the authorization being used up.
  transaction text,
  -- Why it was refused or is not known.
  reason text,
  transfer_id text collate "C" references transfers (id),
  created_at timestamptz not null,
  settling_at timestamptz,
  ended_at timestamptz,
  constraint booked_when_settled check ((state = 'settled') = (transfer_id is not null))
);
create index x402_payments_open on x402_payments (busy_until) where state in ('claimed', 'settling');
create index x402_payments_forgotten on x402_payments (ends_at) where state in ('released', 'refused', 'claimed');
create index x402_payments_transfer on x402_payments (transfer_id);
create index x402_payments_answer on x402_payments (answer_sha256) where answer_sha256 is not null;

-- A payment that was used stays used, whatever the code tries.
create function keep_settled_payment() returns trigger language plpgsql as $$
begin
  raise exception '% of a settled payment refused: it was used', tg_op
    using errcode = 'integrity_constraint_violation', constraint = 'settled_payments_stay';
end $$;
create trigger x402_payments_stay before update or delete on x402_payments
  for each row when (old.state = 'settled') execute function keep_settled_payment();

-- The chain's side of the books: what came in there.
insert into accounts (id, kind, created_at) values ('cash:x402', 'cash', now());

-- The money came: books it, pays the credit-back, keeps the answer and the receipt, all or nothing, once. False when it was not settling.
create function settle_x402_payment(payment text, transaction text, at timestamptz, answer_expires_at timestamptz)
  returns boolean language plpgsql as $$
declare
  p x402_payments;
  income text;
  payer_account text;
begin
  select * into p from x402_payments x where x.id = payment for update;
  if not found or p.state not in ('settling', 'unresolved') then
    return false;
  end if;
  income := 'income:tool:' || p.tool;
  payer_account := 'wallet:' || p.payer;
  -- The wallet first, as every movement of money does, so that two of them never wait for each other in a circle.
  perform from accounts a where a.id = payer_account for no key update;
  insert into accounts (id, kind, created_at) values (income, 'income', at) on conflict do nothing;
  insert into transfers (id, at, debit, credit, amount, phase, code, tool)
    values ('x402:' || p.id, at, 'cash:x402', income, p.amount, 'posted', 'tool_call', p.tool);
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
  update x402_payments x set state = 'settled', transaction = settle_x402_payment.transaction, transfer_id = 'x402:' || p.id,
    request = null, receipt = null, reason = null, ended_at = at where x.id = p.id;
  return true;
end $$;
