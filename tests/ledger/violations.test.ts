import { expect, test } from 'vitest';
import type { Database } from '../../src/core/database/types.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';
import { forEachDatabase } from '../support/for_each_database.ts';

/**
 * What a bug, or somebody at the SQL prompt, might try. Every line is refused by the database itself, whatever the code
 * does. Given: wallet a with 10 credits; hold h1 of 4 credits running, h2 posted, h3 voided; hold h4 ended at 12:10.
 */
const REFUSED: [what: string, constraint: string, statement: string][] = [
  ['changing a transfer', 'transfers_only_grow', `update transfers set amount = 1 where id = 'hold:h1'`],
  ['changing no transfer', 'transfers_only_grow', `update transfers set amount = 1 where false`],
  ['deleting a transfer', 'transfers_only_grow', `delete from transfers where id = 'hold:h1'`],
  ['emptying the journal', 'transfers_only_grow', 'truncate transfers cascade'],
  [
    'replacing a transfer',
    'transfers_only_grow',
    insert({ id: 'hold:h1', phase: 'posted' }, 'on conflict (id) do update set amount = 1'),
  ],
  ['a second transfer with the same id', 'transfers_pkey', insert({ id: 'welcome:a', phase: 'posted' })],
  ['posting a hold that never was', 'resolution_has_hold', insert({ phase: 'post', hold: 'hold:h9' })],
  ['posting what is not a hold', 'resolution_has_hold', insert({ phase: 'post', hold: 'post:h2' })],
  ['posting a posted hold', 'one_resolution', insert({ phase: 'post', hold: 'hold:h2' })],
  ['voiding a posted hold', 'one_resolution', insert({ phase: 'void', hold: 'hold:h2' })],
  ['expiring a posted hold', 'one_resolution', insert({ phase: 'expire', hold: 'hold:h2', at: '13:00' })],
  ['posting a voided hold', 'one_resolution', insert({ phase: 'post', hold: 'hold:h3' })],
  [
    'posting more than was held',
    'resolution_fits_hold',
    insert({ phase: 'post', hold: 'hold:h1', amount: 4001 }),
  ],
  [
    'voiding a part of a hold',
    'resolution_fits_hold',
    insert({ phase: 'void', hold: 'hold:h1', amount: 3999 }),
  ],
  [
    'posting to another account',
    'resolution_fits_hold',
    insert({ phase: 'post', hold: 'hold:h1', credit: 'cash:card' }),
  ],
  [
    'posting to the share of another wallet',
    'resolution_fits_hold',
    insert({ phase: 'post', hold: 'hold:h1', credit: 'income:tool:t' }),
  ],
  [
    'posting from another wallet',
    'resolution_fits_hold',
    insert({ phase: 'post', hold: 'hold:h1', debit: 'wallet:b' }),
  ],
  [
    'posting after the end',
    'resolution_in_time',
    insert({ phase: 'post', hold: 'hold:h4', amount: 200, at: '12:10' }),
  ],
  [
    'expiring before the end',
    'resolution_in_time',
    insert({ phase: 'expire', hold: 'hold:h1', at: '12:59' }),
  ],
  ['spending more than there is', 'no_overdraft', insert({ phase: 'posted', amount: 2001 })],
  ['holding more than there is', 'no_overdraft', insert({ phase: 'pending', amount: 2001 })],
  ['spending what is held', 'no_overdraft', insert({ phase: 'posted', amount: 6000 })],
  ['taking from an unknown account', 'transfers_debit_fkey', insert({ phase: 'posted', debit: 'wallet:z' })],
  [
    'giving to an unknown account',
    'transfers_credit_fkey',
    insert({ phase: 'posted', credit: 'income:tool:none' }),
  ],
  ['an amount of nothing', 'amount_is_positive', insert({ phase: 'posted', amount: 0 })],
  ['an amount below nothing', 'amount_is_positive', insert({ phase: 'posted', amount: -5 })],
  ['a hold of a negative amount', 'amount_is_positive', insert({ phase: 'pending', amount: -5 })],
  ['paying oneself', 'two_accounts', insert({ phase: 'posted', credit: 'wallet:a' })],
  ['a resolution without a hold', 'resolution_names_hold', insert({ phase: 'post' })],
  [
    'a posted transfer that names a hold',
    'resolution_names_hold',
    insert({ phase: 'posted', hold: 'hold:h1' }),
  ],
  [
    'setting a balance',
    'accounts_follow_transfers',
    `update accounts set credit = 99999 where id = 'wallet:a'`,
  ],
  [
    'lifting the limit of a wallet',
    'accounts_follow_transfers',
    `update accounts set kind = 'promo' where id = 'wallet:a'`,
  ],
  ['deleting an account', 'accounts_only_grow', `delete from accounts where id = 'wallet:a'`],
  [
    'an account that starts with money',
    'account_starts_empty',
    `insert into accounts (id, kind, credit, created_at) values ('income:x', 'income', 5, now())`,
  ],
  [
    'a wallet under another kind',
    'account_id_shows_kind',
    `insert into accounts (id, kind, created_at) values ('wallet:c', 'promo', now())`,
  ],
  [
    'a wallet in upper case',
    'account_id_shows_kind',
    `insert into accounts (id, kind, created_at) values ('wallet:C', 'wallet', now())`,
  ],
  [
    'forgetting an open hold',
    'open_holds_follow_transfers',
    `delete from open_holds where hold_id = 'hold:h1'`,
  ],
  [
    'inventing an open hold',
    'open_holds_follow_transfers',
    `insert into open_holds values ('hold:h9', now())`,
  ],
  ['forgetting all open holds', 'open_holds_only_grow', 'truncate open_holds'],
];

interface Attempt {
  id?: string;
  phase: string;
  hold?: string;
  amount?: number;
  debit?: string;
  credit?: string;
  at?: string;
}

function insert(
  {
    id = 'try',
    phase,
    hold,
    amount,
    debit = 'wallet:a',
    credit = hold ? 'income:tool:t:aa' : 'income:tool:t',
    at = '12:05',
  }: Attempt,
  more = '',
): string {
  const time = (clock: string) => `'2026-01-01T${clock}:00Z'`;
  return `insert into transfers (id, at, debit, credit, amount, phase, hold_id, code, expires_at) values
    ('${id}', ${time(at)}, '${debit}', '${credit}', ${amount ?? (hold ? 4000 : 1000)}, '${phase}',
     ${hold ? `'${hold}'` : 'null'}, 'tool_call', ${phase === 'pending' ? time('13:00') : 'null'}) ${more}`;
}

/** The short names of the table stand for whole addresses. */
const withAddresses = (statement: string) =>
  statement.replace(/(wallet|welcome):([a-z])\b/gi, (_, kind, letter) => `${kind}:0x${letter.repeat(40)}`);

async function given(database: Database): Promise<void> {
  const at = new Date('2026-01-01T12:00:00Z');
  const wallets = createWallets(database, () => at);
  const wallet = `0x${'a'.repeat(40)}`;
  await wallets.register(wallet);
  await wallets.register(`0x${'b'.repeat(40)}`);
  const hold = (id: string, amount: number, until: string) =>
    wallets.hold({ id, wallet, amount, tool: 't', expiresAt: new Date(`2026-01-01T${until}:00Z`) });
  await wallets.release(await hold('h3', 4000, '13:00'));
  await hold('h1', 4000, '13:00');
  await wallets.settle(await hold('h2', 4000, '13:00'));
  await hold('h4', 200, '12:10');
}

forEachDatabase((_name, open) => {
  test('the database rejects every violation and leaves the ledger unchanged', async () => {
    const database = await open();
    await given(database);
    const wallets = createWallets(database);
    const before = await wallets.audit();
    const outcomes: Record<string, unknown> = {};
    for (const [what, , statement] of REFUSED) {
      outcomes[what] = await database.query(withAddresses(statement)).then(
        () => 'was accepted',
        (error) => error.constraint ?? error.message,
      );
    }
    expect(outcomes).toEqual(Object.fromEntries(REFUSED.map(([what, constraint]) => [what, constraint])));
    const after = await wallets.audit();
    expect({ ...after, checkedAt: 0 }).toEqual({ ...before, checkedAt: 0 });
    expect(after.problems).toEqual([]);
  });

  test('posting part of a hold, and voiding it after its end, are accepted', async () => {
    const database = await open();
    await given(database);
    await database.query(
      withAddresses(insert({ id: 'post:h1', phase: 'post', hold: 'hold:h1', amount: 1500 })),
    );
    await database.query(
      withAddresses(insert({ id: 'void:h4', phase: 'void', hold: 'hold:h4', amount: 200, at: '13:30' })),
    );
    const wallet = await createWallets(database).find(`0x${'a'.repeat(40)}`);
    expect(wallet).toMatchObject({ balance: 10_000 - 4000 + 200 - 1500, held: 0 });
  });
});
