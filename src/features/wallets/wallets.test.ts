import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { createWallets } from './wallets.ts';

/** Transfers are tested in tests/ledger. */

const WALLET = `0x${'a'.repeat(40)}`;

forEachDatabase((_name, open) => {
  test('a wallet is known as registered from then on, in any case', async () => {
    const wallets = createWallets(await open());
    expect(await wallets.isRegistered(WALLET)).toBe(false);
    await wallets.register(WALLET);
    expect(await wallets.isRegistered(WALLET.toUpperCase().replace('X', 'x'))).toBe(true);
  });

  test('a charge may take less than was held: the rest is free again, and the books balance', async () => {
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

  test('more than was held is never taken', async () => {
    const wallets = createWallets(await open());
    await wallets.register(WALLET);
    const expiresAt = new Date(Date.now() + 60_000);
    const hold = await wallets.hold({ id: 'more', wallet: WALLET, amount: 1000, tool: 't', expiresAt });
    await expect(wallets.settle({ ...hold, taken: 1001 })).rejects.toThrow('does not fit');
    expect(await wallets.find(WALLET)).toMatchObject({ held: 1000, balance: 10_000 });
  });

  test('a call whose hold has ended, as after a jump of the clock, times out and costs nothing', async () => {
    const wallets = createWallets(await open());
    await wallets.register(WALLET);
    const expiresAt = new Date(Date.now() + 60_000);
    const hold = await wallets.hold({ id: 'late', wallet: WALLET, amount: 1000, tool: 't', expiresAt });
    await wallets.expireHolds(new Date(Date.now() + 86_400_000));
    await expect(wallets.settle(hold)).rejects.toMatchObject({ code: 'timed_out', status: 504 });
    expect(await wallets.find(WALLET)).toMatchObject({ held: 0, balance: 10_000 });
  });

  test('a hold that a crash of the database has forgotten costs nothing, and the call may be repeated', async () => {
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
