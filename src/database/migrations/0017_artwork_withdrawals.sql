-- Works that were taken out on request. They leave the next edition, are handed out in no older one, and no import brings them back.
create table artwork_withdrawals (
  id text collate "C" primary key,
  withdrawn_at timestamptz not null,
  -- Shown to everybody.
  reason text not null,
  edition integer not null references artwork_editions
);
create trigger artwork_withdrawals_only_grow before update or delete or truncate on artwork_withdrawals
  for each statement execute function refuse_change();
