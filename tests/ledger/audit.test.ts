import { expect, test } from 'vitest';
import type { Database } from '../../src/core/database/types.ts';
import type { Wallets } from '../../src/features/wallets/types.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';
import { forEachDatabase } from '../support/for_each_database.ts';

const WALLET = `0x${'a'.repeat(40)}`;
const ACCOUNT = `wallet:${WALLET}`;

/** Damage that only somebody who switches the triggers off can do, and what the audit says of it. */
const DAMAGE: [what: string, statement: string, problem: RegExp][] = [
  [
    'a balance raised',
    `update accounts set credit = credit + 5 where id = '${ACCOUNT}'`,
    /wallet:.* the journal says/,
  ],
  [
    'a balance lowered',
    `update accounts set debit = debit + 5 where id = '${ACCOUNT}'`,
    /wallet:.* the journal says/,
  ],
  [
    'income hidden',
    `update accounts set credit = 0 where id like 'income:tool:t:%'`,
    /income:tool:t:aa .* the journal says/,
  ],
  [
    'a hold forgotten',
    `update accounts set held = 0 where id = '${ACCOUNT}'`,
    /held 0, but the journal says/,
  ],
  ['an amount rewritten', `update transfers set amount = 1 where id = 'post:h2'`, /the journal says/],
  ['a transfer erased', `delete from transfers where id = 'creditback:h2'`, /the journal says/],
  [
    'a post after the end',
    `update transfers set at = at + interval '1 day' where id = 'post:h2'`,
    /hold:h2 was posted after its end/,
  ],
  [
    'a post above its hold',
    `update transfers set amount = 9000 where id = 'post:h2'`,
    /hold:h2 has a resolution that does not fit/,
  ],
  ['an open hold lost', `delete from open_holds`, /hold:h1 is open, but not among the open holds/],
  [
    'an open hold invented',
    `insert into open_holds values ('hold:h2', now())`,
    /hold:h2 is among the open holds, but is not open/,
  ],
];

async function withSomeHistory(database: Database): Promise<Wallets> {
  const wallets = createWallets(database);
  await wallets.register(WALLET);
  const hold = (id: string) =>
    wallets.hold({ id, wallet: WALLET, amount: 2000, tool: 't', expiresAt: new Date(Date.now() + 60_000) });
  await hold('h1');
  await wallets.settle(await hold('h2'));
  await wallets.release(await hold('h3'));
  return wallets;
}

async function withoutTriggers(database: Database, statement: string): Promise<void> {
  const tables = ['accounts', 'transfers', 'open_holds'];
  for (const table of tables) await database.query(`alter table ${table} disable trigger user`);
  await database.query(statement);
  for (const table of tables) await database.query(`alter table ${table} enable trigger user`);
}

forEachDatabase((_name, open) => {
  test('the audit totals all movements', async () => {
    const wallets = await withSomeHistory(await open());
    expect(await wallets.audit()).toMatchObject({
      balanced: true,
      issued: 10_100,
      spent: 2000,
      refunded: 0,
      outstanding: 8100,
      held: 2000,
      wallets: 1,
      transfers: 7,
      problems: [],
    });
  });

  test('the history lists movements, newest first, with the balance after each', async () => {
    const wallets = await withSomeHistory(await open());
    const history = await wallets.history(WALLET, 10);
    expect(
      history.map(({ id, type, amount, balanceAfter, tool }) => [id, type, amount, balanceAfter, tool]),
    ).toEqual([
      ['creditback:h2', 'credit_back', 100, 8100, 't'],
      ['post:h2', 'tool_call', -2000, 8000, 't'],
      [`welcome:${WALLET}`, 'welcome_bonus', 10_000, 10_000, undefined],
    ]);
    expect(await wallets.history(WALLET, 1)).toEqual(history.slice(0, 1));
  });

  test.each(DAMAGE)('the audit finds %s', async (_what, statement, problem) => {
    const database = await open();
    const wallets = await withSomeHistory(database);
    await withoutTriggers(database, statement);
    const { balanced, problems } = await wallets.audit();
    expect(balanced).toBe(false);
    expect(problems.join('\n')).toMatch(problem);
  });
});
