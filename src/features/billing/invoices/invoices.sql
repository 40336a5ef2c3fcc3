-- Invoices: one for each purchase. The number and all that is printed are written once, so that an invoice stays as it was whatever the settings
-- say later.

-- Money that came in for credits or calls: packs, card payments for a tool, x402 payments.
create view purchases as
  select t.position, t.at, t.id, coalesce(c.wallet, i.wallet, x.payer) as wallet, coalesce(c.pack, t.tool, '') as item,
    -- Millicredits.
    t.amount as credits, coalesce(c.taken + c.owed, i.prepaid_reversed + i.surplus_reversed, 0) as reversed,
    -- Ten-thousandths of the currency: a millicredit is one of a US dollar.
    coalesce(c.amount_cents * 100, i.amount_cents * 100, t.amount) as amount,
    upper(coalesce(c.currency, i.currency, 'usd')) as currency, substr(t.debit, 6) as means,
    coalesce(c.payment, i.id, x.transaction) as payment, x.network,
    -- Test cards and test networks move no money: Base Sepolia, Sepolia, Avalanche Fuji, Polygon Amoy (EIP-155).
    t.debit in ('cash:card_test', 'cash:simulated')
      or coalesce(x.network in ('eip155:84532', 'eip155:11155111', 'eip155:43113', 'eip155:80002'), false) as is_test
  from transfers t
    left join card_checkouts c on t.id like 'checkout:%' and c.id = substr(t.id, 10)
    left join payment_intents i on t.id like 'capture:%' and i.id = substr(t.id, 9)
    left join x402_payments x on t.id like 'x402:%' and x.id = substr(t.id, 6)
  where t.debit > 'cash:' and t.debit < 'cash;' and t.phase in ('posted', 'post') and t.code in ('purchase', 'tool_call');

-- Purchases of a time, and those not numbered yet, without reading the whole journal.
create index transfers_of_money on transfers (at)
  where debit > 'cash:' and debit < 'cash;' and phase in ('posted', 'post') and code in ('purchase', 'tool_call');

create table invoices (
  position bigint generated always as identity,
  purchase text collate "C" primary key references transfers (id),
  -- The year of the purchase in UTC; `TEST-` and the year where no money moved.
  series text collate "C" not null check (series ~ '^(TEST-)?\d{4}$'),
  -- Without gaps within its series, in the order of the purchases as far as they were booked.
  number integer not null check (number > 0),
  -- Of the purchase.
  at timestamptz not null,
  issued_at timestamptz not null,
  -- At issue; a card payment may learn its wallet later.
  wallet text collate "C",
  -- Who sold, what, when, for how much: as printed.
  facts jsonb not null,
  -- Who bought, beyond the wallet. Null until the owner or the operator first fetches it, and then as it was at that time.
  buyer jsonb,
  unique (series, number)
);
create index invoices_of_wallet on invoices (wallet, position);
create index invoices_at on invoices (at);

create function keep_invoice() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.buyer is null and (to_jsonb(old) - 'buyer') = (to_jsonb(new) - 'buyer') then
    return new;
  end if;
  raise exception '% of an invoice refused', tg_op
    using errcode = 'integrity_constraint_violation', constraint = 'invoices_stay';
end $$;
create trigger invoices_stay before update or delete on invoices for each row execute function keep_invoice();

-- What a buyer wants to read on invoices.
create table invoice_buyers (
  wallet text collate "C" primary key check (wallet ~ '^0x[0-9a-f]{40}$'),
  name text not null default '',
  address text not null default '',
  tax_id text not null default '',
  changed_at timestamptz not null
);

-- Numbers up to `most` purchases that have no invoice yet, in their order. Purchases are committed out of order, so that a count of the earlier
-- ones would change: the number is written, by one process after the other. Returns how many were issued.
create function issue_invoices(seller jsonb, moment timestamptz, most integer) returns integer language plpgsql as $$
declare
  -- The last one that has a number, and a day for purchases whose transaction ended after it or whose server has a clock that runs behind.
  since timestamptz := coalesce((select max(i.at) - interval '1 day' from invoices i), '-infinity');
  issued integer;
begin
  perform from purchases p
    where p.at >= since and not exists (select from invoices i where i.purchase = p.id and i.at >= since) limit 1;
  if not found then
    return 0;
  end if;
  lock table invoices in share row exclusive mode;
  insert into invoices (purchase, series, number, at, issued_at, wallet, facts)
    select p.id, p.series,
      coalesce((select max(i.number) from invoices i where i.series = p.series), 0)
        + row_number() over (partition by p.series order by p.position),
      p.at, moment, p.wallet,
      jsonb_build_object('seller', seller, 'item', p.item, 'credits', p.credits, 'amount', p.amount,
        'currency', p.currency, 'means', p.means, 'payment', p.payment, 'network', p.network)
    from (
      select q.*, case when q.is_test then 'TEST-' else '' end || to_char(q.at at time zone 'UTC', 'YYYY') as series
      from purchases q
      where q.at >= since and not exists (select from invoices i where i.purchase = q.id and i.at >= since)
      order by q.position limit most
    ) p
    order by p.position;
  get diagnostics issued = row_count;
  return issued;
end $$;
