-- Notices are sent: what happened waits in webhook_events, written in the transaction in which it happened, until it is spread over
-- the endpoints that want it; a delivery is one notice for one endpoint, and its own log. See docs/decisions/0115-webhooks.md.

alter table webhook_endpoints
  -- A wallet that was named and is not registered yet: its events go here from the moment it is.
  add column awaited text collate "C" check (awaited ~ '^0x[0-9a-f]{40}$'),
  -- Registered by a session, a key or a signed request, and not by the bare address of the wallet.
  add column is_proved boolean not null default false,
  add column state text not null default 'active' check (state in ('active', 'disabled')),
  add column disabled_because text,
  add column disabled_at timestamptz,
  -- The secret before this one signs as well until then.
  add column earlier_secret text,
  add column earlier_until timestamptz,
  -- Since when nothing has arrived; null while everything does.
  add column failing_since timestamptz,
  add column delivered_at timestamptz,
  -- It has asked to be left alone until then.
  add column paused_until timestamptz,
  -- Notices for which there was no room.
  add column dropped bigint not null default 0,
  add column dropped_at timestamptz;
alter table webhook_endpoints
  -- Whose events it gets beside the public ones.
  add column account text collate "C" generated always as (case when caller like '0x%' then caller else awaited end) stored,
  add column host text collate "C" not null generated always as (lower(substring(url from '^[a-z]+://([^/?#]*)'))) stored;
update webhook_endpoints set is_proved = true where key_id is not null;
create index webhook_endpoints_of_account on webhook_endpoints (account) where account is not null;
create index webhook_endpoints_of_addresses on webhook_endpoints (id) where caller not like '0x%';

create table webhook_events (
  -- The same in every attempt to deliver it, so that a receiver can tell a repeat.
  id text collate "C" primary key default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  position bigint generated always as identity,
  -- Whom it is about; null: everybody may know.
  wallet text collate "C",
  -- For one endpoint alone.
  endpoint_id text,
  type text not null,
  data jsonb not null,
  at timestamptz not null,
  spread_at timestamptz,
  -- The last endpoint it has been spread to, while it goes to more than one step takes.
  spread_to text
);
create index webhook_events_to_spread on webhook_events (position) where spread_at is null;
create index webhook_events_at on webhook_events (at);

create table webhook_deliveries (
  id text collate "C" primary key default 'dlv_' || replace(gen_random_uuid()::text, '-', ''),
  position bigint generated always as identity,
  event_id text collate "C" not null references webhook_events (id) on delete cascade,
  endpoint_id text not null references webhook_endpoints (id) on delete cascade,
  -- As its endpoint has them: by these two everybody gets a turn.
  host text collate "C" not null,
  caller text collate "C" not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempt integer not null default 0,
  -- [{at, status, error, ms}], one an attempt.
  attempts jsonb not null default '[]',
  -- When it is tried next. Whoever tries moves it ahead first, so that another takes over where that one dies.
  due_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint ended_is_dated check ((state = 'pending') = (ended_at is null))
);
create index webhook_deliveries_by_turn on webhook_deliveries (host, caller, due_at) where state = 'pending';
create index webhook_deliveries_due on webhook_deliveries (due_at) where state = 'pending';
create index webhook_deliveries_waiting on webhook_deliveries (caller) where state = 'pending';
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, position);
create index webhook_deliveries_of_event on webhook_deliveries (event_id);
create index webhook_deliveries_created on webhook_deliveries (created_at);

-- Whether an endpoint with these names and patterns wants a notice of this type: '*', 'tool.*', 'tool.completed'.
create function wants_event(events jsonb, type text) returns boolean language sql immutable as $$
  select events ?| array['*', type, split_part(type, '.', 1) || '.*']
$$;

-- Writes down that something happened, in the transaction in which it did. Where nobody wants to know, it costs one look at an index.
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

-- Makes deliveries of the oldest events, a bounded number of each at a time, and says how many events it has looked at. An endpoint whose
-- owner has too many waiting gets none and a mark that it did not.
create function spread_webhook_events(
  moment timestamptz, events_max integer, endpoints_max integer, waiting_max bigint, waiting_of_caller_max bigint
) returns integer language plpgsql as $$
declare
  told webhook_events;
  receiver webhook_endpoints;
  looked integer := 0;
  reached integer;
  waiting bigint;
  -- Deliveries that wait, by caller: counted once a step.
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

-- Nothing is sent to it any more, and its owner can read why. What was waiting for it has failed. False where it was disabled before.
create function disable_webhook(endpoint text, because text, moment timestamptz) returns boolean language plpgsql as $$
declare
  disabled webhook_endpoints;
begin
  -- Deliveries first, as whoever ends an attempt does, so that two of them never wait for each other in a circle.
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
