import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { createWallets } from './wallets.ts';

/** How money moves is told in tests/ledger; here is the rest. */

const WALLET = `0x${'a'.repeat(40)}`;

forEachDatabase((_name, open) => {
  test('a wallet is known as registered from then on, in any case', async () => {
    const wallets = createWallets(await open());
    expect(await wallets.isRegistered(WALLET)).toBe(false);
    await wallets.register(WALLET);
    expect(await wallets.isRegistered(WALLET.toUpperCase().replace('X', 'x'))).toBe(true);
  });

  test('totals tell where credits came from', async () => {
    const database = await open();
    const wallets = createWallets(database);
    await wallets.register(WALLET);
    const hold = {
      id: 'a',
      wallet: WALLET,
      amount: 2000,
      tool: 't',
      expiresAt: new Date(Date.now() + 60_000),
    };
    await wallets.settle(await wallets.hold(hold));
    await database.query(
      `insert into transfers (id, at, debit, credit, amount, phase, code) values
        ('checkout:1', now(), 'cash:card', $1, 50000, 'posted', 'purchase'),
        ('refund:a', now(), 'income:tool:t', $1, 500, 'posted', 'refund')`,
      [`wallet:${WALLET}`],
    );
    const found = await wallets.find(WALLET);
    expect(found?.totals).toEqual({
      granted: 10_000,
      purchased: 50_000,
      spent: 2000,
      creditBack: 100,
      refunded: 500,
    });
    expect(found?.balance).toBe(58_600);
    expect(await wallets.audit()).toMatchObject({ issued: 60_100, refunded: 500, outstanding: 58_600 });
  });
});
