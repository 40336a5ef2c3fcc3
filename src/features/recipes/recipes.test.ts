import { describe, expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { createWallets } from '../wallets/wallets.ts';
import {
  createRecipes,
  KEPT_STEP_CHARACTERS_MAX,
  KEPT_STEP_LIFETIME_MS,
  KEPT_STEPS_PER_WALLET_MAX,
} from './recipes.ts';

const WALLET = `0x${'a'.repeat(40)}`;
const OTHER = `0x${'b'.repeat(40)}`;
const KEY = 'f'.repeat(64);
const STEPS = [{ tool: 'resize_image', params: { image: '$photo' }, save_as: 'small' }];

forEachDatabase((name, open) =>
  describe(name, () => {
    async function given() {
      const database = await open();
      const time = { now: Date.now() };
      const clock = () => new Date(time.now);
      const recipes = createRecipes(database, { version: '1', clock, perWallet: 2 });
      const wallets = createWallets(database);
      await wallets.register(WALLET);
      const expiresAt = new Date(Date.now() + 60_000);
      const hold = await wallets.hold({ id: 'call', wallet: WALLET, amount: 1000, tool: 't', expiresAt });
      return { database, time, recipes, wallets, hold };
    }

    test('identical steps are one recipe per wallet', async () => {
      const { recipes } = await given();
      const first = await recipes.save({ wallet: WALLET, title: 'Small', steps: STEPS });
      const again = await recipes.save({ wallet: WALLET, title: 'Other words', steps: STEPS });
      const others = await recipes.save({ wallet: OTHER, title: 'Small', steps: STEPS });
      expect(again).toEqual(first);
      expect([others.sha256, others.id === first.id]).toEqual([first.sha256, false]);
      expect(await recipes.find(first.id)).toMatchObject({ title: 'Small', steps: STEPS });
    });

    test('recipes per wallet are limited, and a wallet can delete only its own', async () => {
      const { recipes } = await given();
      const save = (title: string) =>
        recipes.save({ wallet: WALLET, title, steps: [{ ...STEPS[0]!, save_as: title }] });
      const first = await save('a');
      await save('b');
      await expect(save('c')).rejects.toMatchObject({ code: 'invalid_input' });
      expect(await recipes.remove(OTHER, first.id)).toBe(false);
      expect(await recipes.remove(WALLET, first.id)).toBe(true);
      expect((await recipes.list(WALLET)).map(({ title }) => title)).toEqual(['b']);
    });

    test.each(['', 'rcp_', "rcp_' or 1=1 --", `rcp_${'A'.repeat(32)}`, 'photo_to_print'])(
      '%j is not a recipe id',
      async (id) => {
        expect(await (await given()).recipes.find(id)).toBeUndefined();
      },
    );

    test('a response stored under a hold is visible only to its own call until posted', async () => {
      const { recipes, wallets, hold } = await given();
      await recipes.keepAnswer({ wallet: WALLET, key: KEY, hold: hold.id, answer: '{}' });
      expect(await recipes.answered({ wallet: WALLET, key: KEY })).toBeUndefined();
      expect(await recipes.answered({ wallet: WALLET, key: KEY, hold: hold.id })).toMatchObject({
        isUnpaid: true,
      });
      await wallets.settle(hold);
      expect(await recipes.answered({ wallet: WALLET, key: KEY })).toEqual({ answer: '{}', isUnpaid: false });
    });

    test('a response with a released hold is discarded and can be recomputed and paid again', async () => {
      const { recipes, wallets, hold } = await given();
      await recipes.keepAnswer({ wallet: WALLET, key: KEY, hold: hold.id, answer: '{"first":1}' });
      await wallets.release(hold);
      expect(await recipes.answered({ wallet: WALLET, key: KEY })).toBeUndefined();
      await recipes.keepAnswer({ wallet: WALLET, key: KEY, answer: '{"second":2}' });
      expect(await recipes.answered({ wallet: WALLET, key: KEY })).toMatchObject({ answer: '{"second":2}' });
    });

    test('a paid response is immutable, private to its payer, and expires with its files', async () => {
      const { recipes, time } = await given();
      await recipes.keepAnswer({ wallet: WALLET, key: KEY, answer: '{"paid":1}' });
      await recipes.keepAnswer({ wallet: WALLET, key: KEY, hold: 'call', answer: '{"unpaid":1}' });
      expect(await recipes.answered({ wallet: WALLET, key: KEY })).toMatchObject({ answer: '{"paid":1}' });
      expect(await recipes.answered({ wallet: OTHER, key: KEY })).toBeUndefined();
      time.now += KEPT_STEP_LIFETIME_MS;
      expect(await recipes.answered({ wallet: WALLET, key: KEY })).toBeUndefined();
      expect(await recipes.sweep(new Date(time.now))).toBe(1);
    });

    test('a new service version recomputes the response', async () => {
      const { database, recipes } = await given();
      await recipes.keepAnswer({ wallet: WALLET, key: KEY, answer: '{}' });
      const newer = createRecipes(database, { version: '2' });
      expect(await newer.answered({ wallet: WALLET, key: KEY })).toBeUndefined();
    });

    test('oversized and excess responses are not stored', async () => {
      const { database, recipes } = await given();
      await recipes.keepAnswer({
        wallet: WALLET,
        key: KEY,
        answer: 'x'.repeat(KEPT_STEP_CHARACTERS_MAX + 1),
      });
      expect(await recipes.answered({ wallet: WALLET, key: KEY })).toBeUndefined();
      await database.query(
        `insert into kept_steps select $1, lpad(to_hex(n), 64, '0'), '{}', null, now() + interval '1 hour'
         from generate_series(1, $2::int) n`,
        [WALLET, KEPT_STEPS_PER_WALLET_MAX],
      );
      await recipes.keepAnswer({ wallet: WALLET, key: KEY, answer: '{}' });
      expect(await recipes.answered({ wallet: WALLET, key: KEY })).toBeUndefined();
    });
  }),
);
