-- The welcome bonus may wait until the wallet has proved itself: a registration without it, and the bonus by itself.

create or replace function register_wallet(wallet text, bonus bigint, at timestamptz)
  returns table (already_registered boolean, registered_at timestamptz, balance bigint) language plpgsql as $$
declare
  account text := 'wallet:' || wallet;
begin
  insert into accounts (id, kind, created_at) values (account, 'wallet', at) on conflict do nothing;
  already_registered := not found;
  if not already_registered and bonus > 0 then
    insert into transfers (id, at, debit, credit, amount, phase, code)
      values ('welcome:' || wallet, at, 'promo:welcome', account, bonus, 'posted', 'welcome_bonus');
  end if;
  return query select already_registered, a.created_at, a.credit - a.debit from accounts a where a.id = account;
end $$;

-- What was granted: nothing to a wallet that is not registered or has had its bonus.
create function welcome_wallet(wallet text, bonus bigint, at timestamptz) returns bigint language plpgsql as $$
declare
  account text := 'wallet:' || wallet;
begin
  perform from accounts a where a.id = account for update;
  if not found or exists (select from transfers t where t.id = 'welcome:' || wallet) then
    return 0;
  end if;
  insert into transfers (id, at, debit, credit, amount, phase, code)
    values ('welcome:' || wallet, at, 'promo:welcome', account, bonus, 'posted', 'welcome_bonus');
  return bonus;
end $$;
