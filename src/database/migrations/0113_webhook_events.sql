-- What happened is told where it is written down, so that no way of writing it can forget to. What is in no table (calls that cost
-- nothing, calls that failed, lookalikes that were found) is told by the service with tell_webhooks. The bodies are described in
-- src/operations/webhooks/events.ts; a path in `url` becomes an address when it is sent.

-- Thousandths as credits, without zeros at the end.
create function credits_of(amount bigint) returns numeric language sql immutable as $$
  select trim_scale(amount / 1000.0)
$$;

-- A paid call has a receipt, written with its charge, whichever way it was paid.
create function tell_receipt() returns trigger language plpgsql as $$
declare
  part text := translate(split_part(new.receipt, '.', 2), '-_', '+/');
  claims jsonb;
begin
  if not exists (select from webhook_endpoints e where e.account = new.wallet and e.state = 'active') then
    return null;
  end if;
  claims := convert_from(decode(rpad(part, (length(part) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb;
  perform tell_webhooks(new.wallet, 'tool.completed', jsonb_build_object(
    'tool', claims -> 'tool', 'credits', claims #> '{cost,credit}', 'receipt_id', new.id,
    'job_id', substring(claims #>> '{payment,transaction_id}' from '^job_[0-9a-f]{32}$')), new.at);
  return null;
end $$;
create trigger receipts_are_told after insert on receipts for each row execute function tell_receipt();

create function tell_job() returns trigger language plpgsql as $$
declare
  data jsonb := jsonb_build_object('job_id', new.id, 'tool', new.tool, 'url', '/api/jobs/' || new.id);
  at timestamptz := coalesce(new.finished_at, new.created_at);
begin
  if tg_op = 'INSERT' then
    perform tell_webhooks(new.wallet, 'job.queued', data, at);
  elsif new.state = 'canceled' then
    perform tell_webhooks(new.wallet, 'job.canceled', data, at);
  elsif new.state = 'failed' then
    perform tell_webhooks(new.wallet, 'job.failed', data || jsonb_build_object('code', new.problem -> 'code'), at);
    perform tell_webhooks(new.wallet, 'tool.failed', jsonb_build_object('tool', new.tool, 'code', new.problem -> 'code',
      'request_id', new.request_id, 'job_id', new.id), at);
  elsif new.state = 'succeeded' then
    perform tell_webhooks(new.wallet, 'job.completed', data, at);
    if not exists (select from receipts r where r.id = 'rcpt_' || substr(new.id, 5)) then
      perform tell_webhooks(new.wallet, 'tool.completed',
        jsonb_build_object('tool', new.tool, 'credits', 0, 'receipt_id', null, 'job_id', new.id), at);
    end if;
    if new.tool = 'batch_download' then
      perform tell_webhooks(new.wallet, 'dataset.batch_ready', jsonb_build_object('job_id', new.id, 'url', data -> 'url'), at);
    end if;
  end if;
  return null;
end $$;
create trigger jobs_accepted_are_told after insert on jobs
  for each row when (new.wallet is not null) execute function tell_job();
create trigger jobs_ended_are_told after update of state on jobs
  for each row when (new.wallet is not null and new.finished_at is not null and old.finished_at is null)
  execute function tell_job();

-- Credits that came with money, and those that went or came back with it.
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
  if tg_op = 'INSERT' then
    perform tell_webhooks(substr(new.id, 8), 'wallet.registered', jsonb_build_object('wallet', substr(new.id, 8)), new.created_at);
  else
    perform tell_webhooks(substr(new.id, 8), 'credits.low',
      jsonb_build_object('balance', credits_of(new.credit - new.debit), 'below', 5), clock_timestamp());
  end if;
  return null;
end $$;
create trigger accounts_opened_are_told after insert on accounts
  for each row when (new.kind = 'wallet') execute function tell_account();
create trigger accounts_low_are_told after update on accounts
  for each row when (new.kind = 'wallet' and new.credit - new.debit < 5000 and old.credit - old.debit >= 5000)
  execute function tell_account();

-- Whoever registered an endpoint by the bare address of a wallet hears no more of it once the address alone opens nothing.
create function tell_lock() returns trigger language plpgsql as $$
begin
  perform disable_webhook(e.id, 'the wallet was locked, and this endpoint was registered by its bare address', new.locked_at)
    from webhook_endpoints e where e.account = new.wallet and e.state = 'active' and not e.is_proved;
  perform tell_webhooks(new.wallet, 'wallet.locked', jsonb_build_object('wallet', new.wallet), new.locked_at);
  return null;
end $$;
create trigger wallet_owners_new_locks_are_told after insert on wallet_owners
  for each row when (new.locked_at is not null) execute function tell_lock();
create trigger wallet_owners_locks_are_told after update of locked_at on wallet_owners
  for each row when (new.locked_at is not null and old.locked_at is null) execute function tell_lock();

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
  for each row when (old.state is distinct from new.state and new.state in ('settled', 'released', 'refused'))
  execute function tell_x402();

-- What a call has saved is told when the call is paid. An undo is the work of a trigger, and nothing that happened.
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
create trigger assets_saved_are_told after insert on assets
  for each row when (new.hold_id is null) execute function tell_asset();
create trigger assets_saved_again_are_told after update on assets
  for each row when (new.hold_id is null and new.version > old.version) execute function tell_asset();

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

-- Public, and without the words of whoever posted: those are in the feed while they are shown.
create function tell_post() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(null,
    case tg_table_name when 'cafe_posts' then 'cafe.posted' when 'gallery_artworks' then 'gallery.posted' else 'registry.signed' end,
    jsonb_build_object('id', new.id, 'url',
      case tg_table_name when 'cafe_posts' then '/api/cafe/feed' when 'gallery_artworks' then '/api/gallery/feed'
        else '/api/registry/entries' end), new.posted_at);
  return null;
end $$;
create trigger cafe_posts_are_told after insert on cafe_posts for each row execute function tell_post();
create trigger gallery_artworks_are_told after insert on gallery_artworks for each row execute function tell_post();
create trigger registry_entries_are_told after insert on registry_entries for each row execute function tell_post();
