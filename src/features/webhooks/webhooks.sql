-- Webhooks: endpoints, the outbox of events, and deliveries. docs/decisions/0042-webhooks.md

-- The secret signs what is sent, so it cannot be stored as a hash.
create table webhook_endpoints (
  id text primary key,
  caller text not null,
  url text not null,
  events jsonb not null,
  unknown_events jsonb not null,
  secret text not null,
  created_at timestamptz not null,
  -- Ends with the key that registered it.
  key_id text collate "C",
  -- A wallet that was named and is not registered yet: its events go here from the moment it is.
  awaited text collate "C" check (awaited ~ '^0x[0-9a-f]{40}$'),
  -- Registered by a session, a key or a signed request, and not by the bare address of the wallet.
  is_proved boolean not null default false,
  state text not null default 'active' check (state in ('active', 'disabled')),
  disabled_because text,
  disabled_at timestamptz,
  -- The secret before this one signs as well until then.
  earlier_secret text,
  earlier_until timestamptz,
  -- Since when nothing has arrived; null while everything does.
  failing_since timestamptz,
  delivered_at timestamptz,
  -- The receiver has sent Retry-After: no attempt until then.
  paused_until timestamptz,
  -- Deliveries for which there was no room.
  dropped bigint not null default 0,
  dropped_at timestamptz,
  -- Wallet whose events it receives beside the public ones.
  account text collate "C" generated always as (case when caller like '0x%' then caller else awaited end) stored,
  host text collate "C" not null generated always as (lower(substring(url from '^[a-z]+://([^/?#]*)'))) stored,
  unique (caller, url)
);
create index webhook_endpoints_of_account on webhook_endpoints (account) where account is not null;
create index webhook_endpoints_of_addresses on webhook_endpoints (id) where caller not like '0x%';
create index webhook_endpoints_key_id on webhook_endpoints (key_id) where key_id is not null;

-- Outbox: written in the transaction of what happened, until it is fanned out to endpoints.
create table webhook_events (
  -- The same in every attempt to deliver it, so that a receiver can tell a repeat.
  id text collate "C" primary key default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  position bigint generated always as identity,
  -- Null: public.
  wallet text collate "C",
  -- For this endpoint only.
  endpoint_id text,
  type text not null,
  data jsonb not null,
  at timestamptz not null,
  spread_at timestamptz,
  -- Cursor: the last endpoint of an unfinished fan-out.
  spread_to text
);
create index webhook_events_to_spread on webhook_events (position) where spread_at is null;
create index webhook_events_at on webhook_events (at);

-- One event for one endpoint, and the log of its attempts.
create table webhook_deliveries (
  id text collate "C" primary key default 'dlv_' || replace(gen_random_uuid()::text, '-', ''),
  position bigint generated always as identity,
  event_id text collate "C" not null references webhook_events (id) on delete cascade,
  endpoint_id text not null references webhook_endpoints (id) on delete cascade,
  -- Copied from the endpoint, for fair scheduling.
  host text collate "C" not null,
  caller text collate "C" not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempt integer not null default 0,
  -- [{at, status, error, ms}], one per attempt.
  attempts jsonb not null default '[]',
  -- Visibility timeout: next attempt. A sender moves it ahead before the attempt, so that another takes over if it dies.
  due_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- Given up, and since sent again or dismissed by an operator or its owner.
  settled_at timestamptz,
  constraint ended_is_dated check ((state = 'pending') = (ended_at is null))
) with (
  -- Updated with each attempt, deleted after days.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000
);
create index webhook_deliveries_by_turn on webhook_deliveries (host, caller, due_at) where state = 'pending';
create index webhook_deliveries_due on webhook_deliveries (due_at) where state = 'pending';
create index webhook_deliveries_waiting on webhook_deliveries (caller) where state = 'pending';
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, position);
create index webhook_deliveries_of_event on webhook_deliveries (event_id);
create index webhook_deliveries_dead on webhook_deliveries (endpoint_id, position) where state = 'failed' and settled_at is null;
create index webhook_deliveries_created on webhook_deliveries (created_at);

-- Whether these names and patterns match an event type: '*', 'tool.*', 'tool.completed'.
create function wants_event(events jsonb, type text) returns boolean language sql immutable as $$
  select events ?| array['*', type, split_part(type, '.', 1) || '.*']
$$;

-- Adds an event to the outbox, in the transaction of what happened. Where no endpoint subscribes, it costs one index lookup.
create function tell_webhooks(about text, type text, data jsonb, at timestamptz) returns void language plpgsql as $$
begin
  if about is null then
    perform from webhook_endpoints e where e.state = 'active' limit 1;
  else
    perform from webhook_endpoints e where e.account = about and e.state = 'active' and wants_event(e.events, type) limit 1;
  end if;
  if found then
    insert into webhook_events (wallet, type, data, at) values (about, type, data, at);
  end if;
end $$;

-- Fans out the oldest events to deliveries, in bounded batches, and returns the number of events read. For an owner with too many pending
-- deliveries the event is dropped and counted.
create function spread_webhook_events(
  moment timestamptz, events_max integer, endpoints_max integer, waiting_max bigint, waiting_of_caller_max bigint
) returns integer language plpgsql as $$
declare
  told webhook_events;
  receiver webhook_endpoints;
  looked integer := 0;
  reached integer;
  waiting bigint;
  -- Pending deliveries by owner, counted once per batch.
  waiting_of jsonb := '{}';
  own bigint;
begin
  for told in
    select * from webhook_events e where e.spread_at is null order by e.position limit events_max for update skip locked
  loop
    if looked = 0 then
      select count(*) into waiting from webhook_deliveries d where d.state = 'pending';
    end if;
    looked := looked + 1;
    reached := 0;
    for receiver in
      select * from webhook_endpoints e
      where (told.endpoint_id is null and e.state = 'active' and wants_event(e.events, told.type) or e.id = told.endpoint_id)
        and (told.wallet is null or e.account = told.wallet) and (told.spread_to is null or e.id > told.spread_to)
      order by e.id limit endpoints_max
    loop
      reached := reached + 1;
      told.spread_to := receiver.id;
      own := (waiting_of ->> receiver.caller)::bigint;
      if own is null then
        select count(*) into own from (
          select from webhook_deliveries d where d.state = 'pending' and d.caller = receiver.caller limit waiting_of_caller_max
        ) limited;
      end if;
      waiting_of := waiting_of || jsonb_build_object(receiver.caller, own + 1);
      if waiting >= waiting_max or own >= waiting_of_caller_max then
        update webhook_endpoints e set dropped = e.dropped + 1, dropped_at = moment where e.id = receiver.id;
      else
        insert into webhook_deliveries (event_id, endpoint_id, host, caller, due_at, created_at)
          values (told.id, receiver.id, receiver.host, receiver.caller, moment, moment);
        waiting := waiting + 1;
      end if;
    end loop;
    if reached < endpoints_max and not exists (select from webhook_deliveries d where d.event_id = told.id) then
      delete from webhook_events e where e.id = told.id;
    else
      update webhook_events e set spread_to = told.spread_to,
          spread_at = case when reached < endpoints_max then moment end
        where e.id = told.id;
    end if;
  end loop;
  return looked;
end $$;

-- Disables an endpoint and fails its pending deliveries. False when it is disabled already.
create function disable_webhook(endpoint text, because text, moment timestamptz) returns boolean language plpgsql as $$
declare
  disabled webhook_endpoints;
begin
  -- Deliveries before endpoint, as at the end of an attempt, to prevent deadlocks.
  update webhook_deliveries d set state = 'failed', ended_at = moment
    where d.endpoint_id = endpoint and d.state = 'pending'
      and exists (select from webhook_endpoints e where e.id = endpoint and e.state = 'active');
  update webhook_endpoints e set state = 'disabled', disabled_because = because, disabled_at = moment
    where e.id = endpoint and e.state = 'active' returning * into disabled;
  if not found then
    return false;
  end if;
  if disabled.account is not null then
    perform tell_webhooks(disabled.account, 'webhook.disabled',
      jsonb_build_object('webhook_id', endpoint, 'reason', because, 'url', '/api/webhooks/' || endpoint), moment);
  end if;
  return true;
end $$;

-- Thousandths as credits, without trailing zeros.
create function credits_of(amount bigint) returns numeric language sql immutable as $$
  select trim_scale(amount / 1000.0)
$$;

-- The statement that makes a change adds its event to the outbox (core/outbox). Triggers add it only where the database itself makes the
-- change: in functions of the ledger, and when the hold is resolved that a row depends on.

-- Credits bought, and credits taken back or returned with the money.
create function tell_credits() returns trigger language plpgsql as $$
declare
  is_taken boolean := new.debit like 'wallet:%';
  data jsonb := jsonb_build_object('credits', credits_of(new.amount), 'transaction_id', new.id);
begin
  if new.code in ('purchase', 'surplus') then
    perform tell_webhooks(substr(new.credit, 8), 'credits.purchased', data, new.at);
  else
    perform tell_webhooks(substr(case when is_taken then new.debit else new.credit end, 8), 'credits.refunded',
      data || jsonb_build_object('direction', case when is_taken then 'taken_back' else 'given_back' end), new.at);
  end if;
  return null;
end $$;
create trigger transfers_bought_are_told after insert on transfers
  for each row when (new.code in ('purchase', 'surplus') and new.phase in ('posted', 'post') and new.credit like 'wallet:%')
  execute function tell_credits();
create trigger transfers_refunded_are_told after insert on transfers
  for each row when (new.code in ('refund', 'reversal') and new.phase = 'posted'
    and (new.credit like 'wallet:%' or new.debit like 'wallet:%'))
  execute function tell_credits();

create function tell_account() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(substr(new.id, 8), 'wallet.registered', jsonb_build_object('wallet', substr(new.id, 8)), new.created_at);
  return null;
end $$;
create trigger accounts_opened_are_told after insert on accounts
  for each row when (new.kind = 'wallet') execute function tell_account();

create function tell_intent() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(new.wallet, case when new.state = 'captured' then 'payment.captured' else 'payment.released' end,
    jsonb_build_object('method', 'card', 'payment_id', new.id, 'tool', new.tool, 'amount_usd', trim_scale(new.amount_cents / 100.0)),
    new.changed_at);
  return null;
end $$;
create trigger payment_intents_captured_are_told after update of state on payment_intents
  for each row when (new.wallet is not null and new.state = 'captured' and old.state not in ('captured', 'reversed'))
  execute function tell_intent();
create trigger payment_intents_released_are_told after update of state on payment_intents
  for each row when (new.wallet is not null and old.state is distinct from new.state
    and (new.state = 'canceled' or new.state = 'open' and old.state in ('claimed', 'capturing', 'unknown')))
  execute function tell_intent();

create function tell_x402() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(new.payer, case when new.state = 'settled' then 'payment.captured' else 'payment.released' end,
    jsonb_build_object('method', 'x402', 'payment_id', coalesce(new.transfer_id, 'x402:' || new.id), 'tool', new.tool,
      'amount_usd', trim_scale(new.amount / 10000.0)), new.changed_at);
  return null;
end $$;
create trigger x402_payments_are_told after update of state on x402_payments
  for each row when (old.state is distinct from new.state and new.state in ('settled', 'released', 'refused', 'voided'))
  execute function tell_x402();

-- What a call saved is an event when the call is charged. Deletions by triggers undo an unpaid save, and are none.
create function tell_asset() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if pg_trigger_depth() = 1 then
      perform tell_webhooks(old.wallet, 'asset.deleted', jsonb_build_object('key', old.key), clock_timestamp());
    end if;
  else
    perform tell_webhooks(new.wallet, 'asset.saved', jsonb_build_object('key', new.key), new.updated_at);
  end if;
  return null;
end $$;
create trigger assets_deleted_are_told after delete on assets for each row execute function tell_asset();
create trigger assets_saved_again_are_told after update on assets
  for each row when (new.hold_id is null and new.version > old.version) execute function tell_asset();

-- Once per statement, for imports of many assets.
create function tell_saved_assets() returns trigger language plpgsql as $$
begin
  insert into webhook_events (wallet, type, data, at)
    select a.wallet, 'asset.saved', jsonb_build_object('key', a.key), a.updated_at from added a
    where a.hold_id is null and a.wallet in (select e.account from webhook_endpoints e
      where e.state = 'active' and wants_event(e.events, 'asset.saved'));
  return null;
end $$;
create trigger assets_saved_are_told after insert on assets
  referencing new table as added for each statement execute function tell_saved_assets();

create function tell_paid_asset() returns trigger language plpgsql as $$
declare
  paid_at timestamptz;
begin
  select t.at into paid_at from transfers t where t.hold_id = old.hold_id and t.phase = 'post';
  if found then
    perform tell_webhooks(old.wallet, 'asset.saved', jsonb_build_object('key', old.key), paid_at);
  end if;
  return null;
end $$;
create trigger unpaid_assets_paid_are_told after delete on unpaid_assets for each row execute function tell_paid_asset();

create function tell_registered_hash() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(new.wallet, 'provenance.registered', jsonb_build_object('registration_id', new.id, 'sha256', new.sha256),
    new.created_at);
  return null;
end $$;
create trigger registered_hashes_paid_are_told after update of hold_id on registered_hashes
  for each row when (new.wallet is not null and old.hold_id is not null and new.hold_id is null)
  execute function tell_registered_hash();
create trigger registered_hashes_free_are_told after insert on registered_hashes
  for each row when (new.wallet is not null and new.hold_id is null) execute function tell_registered_hash();
