-- Card payments. What a card pays for one tool is in an account of its own (prepaid:<intent>) until calls of that tool use it; what it pays for
-- credits goes to a wallet. The processor is called outside of any transaction: each function is one step of a state machine that survives the
-- death of the process between steps.

create table payment_intents (
  id text collate "C" primary key,
  position bigint generated always as identity,
  processor text not null,
  livemode boolean not null,
  cash text collate "C" not null references accounts (id),
  tool text not null,
  amount_cents bigint not null check (amount_cents between 1 and 99999999),
  currency text not null,
  -- Thousandths of a credit: what the card pays, and what of it whole calls at the price of that day leave over.
  amount bigint not null check (amount > 0),
  surplus bigint not null check (surplus >= 0 and surplus < amount),
  -- Receives the surplus and the credit-back; set at creation or by the first paid call.
  wallet text collate "C" check (wallet ~ '^0x[0-9a-f]{40}$'),
  -- open → claimed → capturing → captured; capturing → unknown until the processor answers; captured → reversed and back;
  -- open → canceled.
  state text not null default 'open'
    check (state in ('open', 'claimed', 'capturing', 'unknown', 'captured', 'reversed', 'canceled')),
  claim text,
  changed_at timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- What a reversal took from the calls not yet made, and from the wallet.
  prepaid_reversed bigint not null default 0 check (prepaid_reversed >= 0),
  surplus_reversed bigint not null default 0 check (surplus_reversed >= 0),
  reversals integer not null default 0,
  -- Calls that claimed it: until the card is charged, all of them have failed.
  claims integer not null default 0,
  constraint claim_while_running check (claim is not null or state not in ('claimed', 'capturing'))
);
create index payment_intents_unsettled on payment_intents (changed_at)
  where state in ('open', 'claimed', 'capturing', 'unknown');
create unique index payment_intents_claim on payment_intents (claim) where claim is not null;

-- Credits the prepaid account with what the card paid, once; where a call captured it, by posting the hold of its claim. The caller has locked
-- the intent.
create function fund_intent(intent payment_intents, at timestamptz, welcome bigint)
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

-- The money has come after the call that captured it is over: it waits in the prepaid account for another one.
create function fund_intent_alone(intent_id text, at timestamptz, welcome bigint)
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

-- Holds the price of a call in the prepaid account. Outcome: held; used: not enough is left; or the state of the intent.
create function hold_prepaid(call text, intent_id text, amount bigint, at timestamptz, expires_at timestamptz)
  returns text language plpgsql as $$
declare
  intent payment_intents;
  payer accounts;
  income text;
begin
  select * into intent from payment_intents p where p.id = intent_id;
  if intent.state <> 'captured' then
    return intent.state;
  end if;
  select * into payer from accounts a where a.id = 'prepaid:' || intent_id for no key update;
  if payer.credit - payer.debit - payer.held < amount then
    return 'used';
  end if;
  income := 'income:tool:' || intent.tool;
  perform open_account(income, 'income', at);
  insert into transfers (id, at, debit, credit, amount, phase, code, tool, expires_at)
    values ('hold:' || call, at, payer.id, income, amount, 'pending', 'tool_call', intent.tool, expires_at);
  return 'held';
end $$;

-- Charges one call to an intent: credits the prepaid account first where this call captured it (`claim`), else posts the hold of the call; then pays
-- the credit-back and stores the response. A call that lost its claim is not charged, because what it stored is gone.
create function settle_intent_call(
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

-- The money of an intent was returned to the card, or came back: reverses the unused prepaid calls, and the surplus as far as the wallet still has
-- it. True when something changed.
create function reverse_intent(intent_id text, reversed boolean, at timestamptz) returns boolean language plpgsql as $$
declare
  intent payment_intents;
  step text;
  from_prepaid bigint := 0;
  from_wallet bigint := 0;
begin
  select * into intent from payment_intents p where p.id = intent_id for update;
  step := 'reversal:' || intent_id || ':' || intent.reversals + 1;
  if reversed and intent.state = 'captured' then
    select a.credit - a.debit - a.held into from_prepaid from accounts a
      where a.id = 'prepaid:' || intent_id for no key update;
    if intent.wallet is not null and intent.surplus > 0 then
      select least(intent.surplus, a.credit - a.debit - a.held) into from_wallet from accounts a
        where a.id = 'wallet:' || intent.wallet for no key update;
    end if;
    if from_prepaid > 0 then
      insert into transfers (id, at, debit, credit, amount, phase, code, tool)
        values (step, at, 'prepaid:' || intent_id, intent.cash, from_prepaid, 'posted', 'reversal', intent.tool);
    end if;
    if from_wallet > 0 then
      insert into transfers (id, at, debit, credit, amount, phase, code, tool)
        values (step || ':surplus', at, 'wallet:' || intent.wallet, intent.cash, from_wallet, 'posted', 'reversal', intent.tool);
    end if;
    update payment_intents p set state = 'reversed', prepaid_reversed = from_prepaid, surplus_reversed = from_wallet,
      reversals = p.reversals + 1, changed_at = at where p.id = intent_id;
    return true;
  elsif not reversed and intent.state = 'reversed' then
    if intent.prepaid_reversed > 0 then
      insert into transfers (id, at, debit, credit, amount, phase, code, tool)
        values (step, at, intent.cash, 'prepaid:' || intent_id, intent.prepaid_reversed, 'posted', 'reversal', intent.tool);
    end if;
    if intent.surplus_reversed > 0 then
      insert into transfers (id, at, debit, credit, amount, phase, code, tool)
        values (step || ':surplus', at, intent.cash, 'wallet:' || intent.wallet, intent.surplus_reversed, 'posted', 'reversal', intent.tool);
    end if;
    update payment_intents p set state = 'captured', prepaid_reversed = 0, surplus_reversed = 0,
      reversals = p.reversals + 1, changed_at = at where p.id = intent_id;
    return true;
  end if;
  return false;
end $$;

create table card_checkouts (
  id text collate "C" primary key,
  position bigint generated always as identity,
  processor text not null,
  livemode boolean not null,
  cash text collate "C" not null references accounts (id),
  wallet text collate "C" not null check (wallet ~ '^0x[0-9a-f]{40}$'),
  pack text not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  amount bigint not null check (amount > 0),
  url text not null,
  state text not null default 'open' check (state in ('open', 'fulfilled', 'expired', 'refused')),
  -- The payment behind it, once known: refunds and disputes name that.
  payment text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the processor is polled, should no event arrive.
  check_at timestamptz not null,
  -- Of a reversal: taken from the wallet, and still owed because its balance was too low.
  taken bigint not null default 0 check (taken >= 0),
  owed bigint not null default 0 check (owed >= 0),
  reversals integer not null default 0,
  constraint reversal_within_purchase check (taken + owed <= amount)
);
create index card_checkouts_open on card_checkouts (check_at) where state = 'open';
create index card_checkouts_of_payment on card_checkouts (payment) where payment is not null;
create index card_checkouts_owed on card_checkouts (wallet) where owed > 0;

-- Credits what a checkout paid for, once. Outcome: granted, already, or refused. The wallet is locked before the cash account, in the lock order of the
-- ledger: the transfer alone would lock them the other way round.
create function fulfil_checkout(checkout_id text, payment text, at timestamptz, welcome bigint)
  returns text language plpgsql as $$
declare
  purchase card_checkouts;
begin
  select * into purchase from card_checkouts c where c.id = checkout_id for update;
  if purchase.state = 'fulfilled' then
    return 'already';
  end if;
  if purchase.state = 'refused' then
    return 'refused';
  end if;
  perform register_wallet(purchase.wallet, welcome, at);
  perform from accounts a where a.id = 'wallet:' || purchase.wallet for no key update;
  insert into transfers (id, at, debit, credit, amount, phase, code)
    values ('checkout:' || checkout_id, at, purchase.cash, 'wallet:' || purchase.wallet, purchase.amount, 'posted', 'purchase');
  update card_checkouts c set state = 'fulfilled', payment = fulfil_checkout.payment where c.id = checkout_id;
  return 'granted';
end $$;

-- Sets the reversed amount of a purchase to `target`. More is taken as far as the balance allows and owed beyond that; less (a dispute won, a refund
-- that failed) first reduces what is owed, then is credited again. Returns the signed change.
create function reverse_checkout(checkout_id text, target bigint, at timestamptz) returns bigint language plpgsql as $$
declare
  purchase card_checkouts;
  available bigint;
  change bigint;
  part bigint;
  step text;
begin
  select * into purchase from card_checkouts c where c.id = checkout_id for update;
  if purchase.state is distinct from 'fulfilled' then
    return 0;
  end if;
  change := least(target, purchase.amount) - purchase.taken - purchase.owed;
  step := 'reversal:' || checkout_id || ':' || purchase.reversals + 1;
  select a.credit - a.debit - a.held into available from accounts a
    where a.id = 'wallet:' || purchase.wallet for no key update;
  if change > 0 then
    part := least(change, available);
    if part > 0 then
      insert into transfers (id, at, debit, credit, amount, phase, code)
        values (step, at, 'wallet:' || purchase.wallet, purchase.cash, part, 'posted', 'reversal');
    end if;
    update card_checkouts c set taken = c.taken + part, owed = c.owed + change - part, reversals = c.reversals + 1
      where c.id = checkout_id;
  elsif change < 0 then
    part := greatest(-change - purchase.owed, 0);
    if part > 0 then
      insert into transfers (id, at, debit, credit, amount, phase, code)
        values (step, at, purchase.cash, 'wallet:' || purchase.wallet, part, 'posted', 'reversal');
    end if;
    update card_checkouts c set taken = c.taken - part, owed = c.owed + change + part, reversals = c.reversals + 1
      where c.id = checkout_id;
  end if;
  return change;
end $$;

-- Takes what a wallet still owes for reversed purchases, as far as its balance allows. Returns the amount.
create function collect_owed(wallet_address text, at timestamptz) returns bigint language plpgsql as $$
declare
  purchase card_checkouts;
  available bigint;
  part bigint;
  collected bigint := 0;
begin
  for purchase in
    select * from card_checkouts c where c.wallet = wallet_address and c.owed > 0 order by c.position for update
  loop
    select a.credit - a.debit - a.held into available from accounts a
      where a.id = 'wallet:' || wallet_address for no key update;
    part := least(purchase.owed, available);
    exit when part <= 0;
    insert into transfers (id, at, debit, credit, amount, phase, code)
      values ('reversal:' || purchase.id || ':' || purchase.reversals + 1, at,
        'wallet:' || wallet_address, purchase.cash, part, 'posted', 'reversal');
    update card_checkouts c set taken = c.taken + part, owed = c.owed - part, reversals = c.reversals + 1
      where c.id = purchase.id;
    collected := collected + part;
  end loop;
  return collected;
end $$;

-- Processed events of the processor, for deduplication.
create table card_events (
  id text collate "C" primary key,
  type text not null,
  at timestamptz not null
);
create index card_events_at on card_events (at);

-- Payments with a token granted by an agent (Machine Payments Protocol). The row is written before the processor is called: one challenge and one
-- token make one payment, and after a crash the authorised amount can be released. The token itself is never stored.
create table granted_payments (
  challenge text collate "C" primary key,
  token_sha256 text collate "C" not null unique,
  intent text collate "C" references payment_intents (id) on delete cascade,
  -- Of the challenge: the token cannot be sent again afterwards.
  expires_at timestamptz not null
);
create index granted_payments_of_intent on granted_payments (intent);
create index granted_payments_lost on granted_payments (expires_at) where intent is null;

-- State of the simulated processor, which moves no money and stores no card.
create table simulated_payments (
  id text collate "C" primary key,
  idempotency_key text collate "C" unique not null,
  kind text not null check (kind in ('intent', 'checkout')),
  secret text not null,
  request jsonb not null,
  amount_cents bigint not null,
  currency text not null,
  status text not null check (status in
    ('requires_payment_method', 'requires_capture', 'succeeded', 'canceled', 'expired')),
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and amount_cents),
  disputed boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
