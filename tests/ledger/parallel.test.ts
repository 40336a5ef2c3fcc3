import { expect, test } from 'vitest';
import { createWallets } from '../../src/features/wallets/wallets.ts';
import { forEachDatabase } from '../support/for_each_database.ts';

const WALLET = `0x${'a'.repeat(40)}`;

forEachDatabase((_name, open) => {
  const hold = (id: string, amount: number) => ({
    id,
    wallet: WALLET,
    amount,
    tool: 'upscale_image',
    expiresAt: new Date(Date.now() + 60_000),
  });

  test('one of fifty concurrent calls gets the last credit', async () => {
    const wallets = createWallets(await open());
    await wallets.register(WALLET);
    await wallets.hold(hold('nine', 9000));
    const calls = Array.from({ length: 50 }, (_, number) => wallets.hold(hold(`call ${number}`, 1000)));
    const outcomes = await Promise.allSettled(calls);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array(49).fill('insufficient_credits'));
    expect(await wallets.find(WALLET)).toMatchObject({ balance: 10_000, held: 10_000, available: 0 });
  });

  test('200 concurrent clients spend one wallet to its last affordable call without overdraft', async () => {
    const wallets = createWallets(await open());
    await wallets.register(WALLET);
    const [price, back] = [200, 10];
    let settled = 0;
    const spendAll = async (spender: number) => {
      for (let call = 0; ; call += 1) {
        const held = await wallets.hold(hold(`${spender}.${call}`, price)).catch(() => undefined);
        if (!held) return;
        await wallets.settle(held);
        settled += 1;
      }
    };
    await Promise.all(Array.from({ length: 200 }, (_, spender) => spendAll(spender)));
    const { balance, held } = (await wallets.find(WALLET))!;
    expect([balance, held]).toEqual([10_000 - settled * (price - back), 0]);
    expect(balance).toBeGreaterThanOrEqual(0);
    // Whoever is refused while others hold leaves early, so what the last credit-backs bring may stay.
    expect(balance).toBeLessThan(price + 200 * back);
    expect((await wallets.audit()).problems).toEqual([]);
  });

  test('concurrent charges of many wallets on two servers balance, with shared income accounts', async () => {
    const database = await open();
    const servers = [createWallets(database), createWallets(database)];
    const addresses = Array.from(
      { length: 40 },
      (_, nth) => `0x${nth.toString(16).padStart(38, 'c')}0${nth % 4}`,
    );
    await Promise.all(addresses.map((wallet) => servers[0]!.register(wallet)));
    const pay = async (wallet: string, nth: number) => {
      const server = servers[nth % 2]!;
      for (const tool of ['resize_image', 'upscale_image'])
        await server.settle(await server.hold({ ...hold(`${wallet}.${nth}.${tool}`, 1000), wallet, tool }));
    };
    await Promise.all([0, 1, 2].flatMap((nth) => addresses.map((wallet) => pay(wallet, nth))));
    const audit = await servers[0]!.audit();
    expect(audit).toMatchObject({ problems: [], spent: 240_000, held: 0, outstanding: 400_000 - 240 * 950 });
    const shares = await database.query(
      `select id from accounts where id like 'income:tool:%' and credit > 0 order by id`,
    );
    expect(shares).toEqual(
      ['resize_image', 'upscale_image'].flatMap((tool) =>
        ['00', '01', '02', '03'].map((digits) => ({ id: `income:tool:${tool}:${digits}` })),
      ),
    );
  });

  test('a repeated hold is the same hold, and differs under another tool', async () => {
    const wallets = createWallets(await open());
    await wallets.register(WALLET);
    const first = await wallets.hold(hold('again', 1000));
    expect(await wallets.hold(hold('again', 1000))).toEqual(first);
    await expect(wallets.hold({ ...hold('again', 1000), tool: 'resize_image' })).rejects.toThrow(
      /already used/,
    );
    expect(await wallets.find(WALLET)).toMatchObject({ held: 1000 });
  });

  test('fifty concurrent registrations of one wallet give one bonus', async () => {
    const wallets = createWallets(await open());
    const answers = await Promise.all(Array.from({ length: 50 }, () => wallets.register(WALLET)));
    expect(answers.filter(({ alreadyRegistered }) => !alreadyRegistered)).toHaveLength(1);
    expect(answers.every(({ balance }) => balance === 10_000)).toBe(true);
  });

  test('a hold settled, released and expired concurrently ends in exactly one of them', async () => {
    const wallets = createWallets(await open());
    await wallets.register(WALLET);
    for (let round = 0; round < 20; round += 1) {
      const call = await wallets.hold(hold(`call ${round}`, 10));
      await Promise.allSettled([
        wallets.settle(call),
        wallets.release(call),
        wallets.expireHolds(new Date(), true),
        wallets.settle(call),
      ]);
    }
    const { held, balance, totals } = (await wallets.find(WALLET))!;
    expect([held, balance]).toEqual([0, 10_000 - totals.spent + totals.creditBack]);
    expect((await wallets.audit()).problems).toEqual([]);
  });

  test('many wallets pay for one tool concurrently without deadlock', async () => {
    const wallets = createWallets(await open());
    const addresses = Array.from({ length: 10 }, (_, number) => `0x${String(number).repeat(40)}`);
    await Promise.all(addresses.map((address) => wallets.register(address)));
    const pay = async (wallet: string, number: number) =>
      wallets.settle(await wallets.hold({ ...hold(`${wallet} ${number}`, 1000), wallet }));
    await Promise.all(addresses.flatMap((wallet) => [1, 2, 3, 4, 5].map((number) => pay(wallet, number))));
    expect(await wallets.audit()).toMatchObject({
      balanced: true,
      spent: 50_000,
      outstanding: 100_000 - 50_000 + 2500,
    });
  });
});
