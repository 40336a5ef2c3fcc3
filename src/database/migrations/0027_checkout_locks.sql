-- As before, but the wallet is locked before the cash account, as by every other movement: the transfer alone would lock them
-- the other way round, and a refund at the same moment would wait in a circle.
create or replace function fulfil_checkout(checkout_id text, payment text, at timestamptz, welcome bigint)
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
