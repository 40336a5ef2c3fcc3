/**
 * The `insert` of a data-modifying CTE that adds events to the outbox, in the statement that makes the change. Events without an
 * active subscription are skipped, at one index lookup each.
 * @param events SQL of a query with the columns wallet (null: public), type, data (jsonb) and at
 */
export const insertEvents = (events: string): string => `
  insert into webhook_events (wallet, type, data, at)
  select wallet, type, data, at from (${events}) as event (wallet, type, data, at)
  where case when event.wallet is null
    then exists (select from webhook_endpoints e where e.state = 'active')
    else exists (select from webhook_endpoints e
      where e.account = event.wallet and e.state = 'active' and wants_event(e.events, event.type)) end`;
