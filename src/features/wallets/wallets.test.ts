import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { createWallets } from './wallets.ts';

/** Transfers are tested in tests/ledger. */

const WALLET = `0x${'a'.repeat(40)}`;

forEachDatabase((_name, open) => {
  test('a registered wallet is found regardless of letter case', async () => {
    const wallets = createWallets(await open());
    expect(await wallets.isRegistered(WALLET)).toBe(false);
    await wallets.register(WALLET);
    expect(await wallets.isRegistered(WALLET.toUpperCase().replace('X', 'x'))).toBe(true);
  });

  test('a partial charge releases the rest of the hold, and the ledger balances', async () => {
    const wallets = createWallets(await open());
    await wallets.register(WALLET);
    const expiresAt = new Date(Date.now() + 60_000);
    const hold = await wallets.hold({ id: 'part', wallet: WALLET, amount: 3000, tool: 't', expiresAt });
    const settled = await wallets.settle({ ...hold, taken: 1000 });
    expect(await wallets.settle({ ...hold, taken: 3000 })).toMatchObject({ balance: settled.balance });
    expect(settled).toEqual({ balance: 9050, creditBack: 50 });
    expect(await wallets.find(WALLET)).toMatchObject({ held: 0, available: 9050, totals: { spent: 1000 } });
    expect(await wallets.audit()).toMatchObject({ balanced: true, held: 0 });
  });

  test('a charge never exceeds its hold', async () => {
    const wallets = createWallets(await open());
    await wallets.register(WALLET);
    const expiresAt = new Date(Date.now() + 60_000);
    const hold = await wallets.hold({ id: 'more', wallet: WALLET, amount: 1000, tool: 't', expiresAt });
    await expect(wallets.settle({ ...hold, taken: 1001 })).rejects.toThrow('does not fit');
    expect(await wallets.find(WALLET)).toMatchObject({ held: 1000, balance: 10_000 });
  });

  test('a call whose hold expired, as after a clock jump, times out free of charge', async () => {
    const wallets = createWallets(await open());
    await wallets.register(WALLET);
    const expiresAt = new Date(Date.now() + 60_000);
    const hold = await wallets.hold({ id: 'late', wallet: WALLET, amount: 1000, tool: 't', expiresAt });
    await wallets.expireHolds(new Date(Date.now() + 86_400_000));
    await expect(wallets.settle(hold)).rejects.toMatchObject({ code: 'timed_out', status: 504 });
    expect(await wallets.find(WALLET)).toMatchObject({ held: 0, balance: 10_000 });
  });

  test('a hold lost in a database crash costs nothing, and the call can be retried', async () => {
    const wallets = createWallets(await open());
    await wallets.register(WALLET);
    const settled = wallets.settle({ id: 'forgotten', wallet: WALLET, amount: 1000, tool: 't' });
    await expect(settled).rejects.toMatchObject({ code: 'busy', details: { retryAfterSeconds: 1 } });
    expect(await wallets.find(WALLET)).toMatchObject({ held: 0, balance: 10_000 });
  });

  test('a hold is open until it is settled or released', async () => {
    const database = await open();
    const wallets = createWallets(database);
    await wallets.register(WALLET);
    const expiresAt = new Date(Date.now() + 60_000);
    const isHeld = (id: string) => database.transaction((tx) => wallets.isHeld({ id }, tx));
    const hold = await wallets.hold({ id: 'open', wallet: WALLET, amount: 1000, tool: 't', expiresAt });
    const before = await isHeld('open');
    await wallets.release(hold);
    expect([before, await isHeld('open'), await isHeld('none')]).toEqual([true, false, false]);
  });

  test('totals show the sources of credits', async () => {
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
