import { unpackColors } from '@atelier/engines/look/look.ts';
import { expect, test, vi } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { copyOf, madeLooks } from '../../../../tests/support/made_looks.ts';
import { writeLooks } from '../../../../tests/support/write_looks.ts';
import type { Database, Queryable } from '../../../database/contract.ts';
import { createParts } from '../../search/in_database/ask_parts.ts';
import { createLookIndex, type LookIndex, type ShippedLook } from '../look_index.ts';
import type { LookAsked } from '../rank_looks.ts';
import { createDatabaseLooks } from './database_looks.ts';
import { foldLooks } from './fold_looks.ts';

const LOOKS = [...madeLooks(2000)];
const OTHERS = [...madeLooks(6, 23)];
const colorsOf = ({ colors }: ShippedLook) =>
  unpackColors(Buffer.from(colors, 'hex')).map(({ color }) => color);

const report = (error: unknown) => {
  throw error;
};
const opened = (database: Database, servers: readonly Queryable[] = [database]) =>
  createDatabaseLooks(database, { parts: createParts(servers), shipped: [], report });
const idsOf = async (index: LookIndex, asked: LookAsked, limit = 10) =>
  (await index.search(asked, { limit })).hits.map(({ id }) => id);

// The embedded database looks up thousands of bands for each picture.
vi.setConfig({ testTimeout: 90_000 });

forEachDatabase((_, open) => {
  const filled = async () => {
    const database = await open();
    await writeLooks(database, LOOKS);
    await foldLooks(database);
    return database;
  };

  test.each([
    ['a colour', (look: ShippedLook) => ({ colors: colorsOf(look).slice(0, 1) })],
    ['two colours', (look: ShippedLook) => ({ colors: [colorsOf(look)[0]!, colorsOf(look)[3]!] })],
    ['a picture', (look: ShippedLook) => ({ like: copyOf(look, 0) })],
    [
      'a picture and a colour',
      (look: ShippedLook) => ({ like: copyOf(look, 0), colors: colorsOf(look).slice(0, 1) }),
    ],
  ])(
    'nine in ten of the likest %s are found in lists, ranked and explained as they are',
    async (_name, asking) => {
      const database = await filled();
      const [exact, inLists] = [createLookIndex(database, []), opened(database)];
      let [met, wanted] = [0, 0];
      for (const other of OTHERS) {
        const truth = (await exact.search(asking(other), { limit: 10 })).hits;
        const found = new Map(
          (await inLists.search(asking(other), { limit: 10 })).hits.map((hit) => [hit.id, hit]),
        );
        wanted += truth.length;
        met += truth.filter(({ id, rank, why }) => {
          const same = found.get(id);
          return same?.rank === rank && same.why() === why();
        }).length;
      }
      expect(wanted).toBeGreaterThan(30);
      expect(met / wanted).toBeGreaterThanOrEqual(0.9);
    },
  );

  test('a copy is found up to 31 bits off, turned too', async () => {
    const index = opened(await filled());
    for (const [at, look] of LOOKS.slice(0, 32)
      .entries()
      .filter(([at]) => at % 4 === 3)) {
      const { hits } = await index.search({ like: copyOf(look, at) }, { limit: 5 });
      expect([hits[0]!.id, hits[0]!.isSame]).toEqual([look.id, true]);
    }
  });

  test('what came or was measured again since is found without being in a list, and the old look no more', async () => {
    const database = await filled();
    const index = opened(database);
    const [one, other] = [LOOKS[5]!, OTHERS[0]!];
    const same = async (look: ShippedLook) =>
      (await index.search({ like: copyOf(look, 3) }, { limit: 5 })).hits
        .filter(({ isSame }) => isSame)
        .map(({ id }) => id);
    await writeLooks(database, [
      { ...other, id: one.id },
      { ...OTHERS[1]!, id: 'new' },
    ]);
    expect([await same(one), await same(other), await same(OTHERS[1]!)]).toEqual([[], [one.id], ['new']]);
    expect(await index.size()).toBe(LOOKS.length + 1);
    await foldLooks(database);
    expect([await same(one), await same(other), await same(OTHERS[1]!)]).toEqual([[], [one.id], ['new']]);
  });

  test('lists that mostly hold old looks are made anew, and hold each look once', async () => {
    const database = await filled();
    for (let again = 0; again < 2; again += 1) {
      await writeLooks(database, LOOKS);
      await foldLooks(database);
    }
    await foldLooks(database);
    const [hashes] = await database.query<{ rows: number }>(
      `select ${Array.from({ length: 8 }, (_, part) => `(select count(*) from artwork_look_hashes_${part})`).join(' + ')} as rows`,
    );
    expect(hashes!.rows).toBe(LOOKS.length);
    expect(await idsOf(opened(database), { like: copyOf(LOOKS[7]!, 20) }, 1)).toEqual([LOOKS[7]!.id]);
  });

  test('two processes do not put looks into lists at once', async () => {
    const database = await open();
    await writeLooks(database, LOOKS);
    const both = await Promise.all([foldLooks(database), foldLooks(database)]);
    expect(both.sort()).toEqual([false, true]);
  });

  test('looks of some works are compared whether they are in lists or not', async () => {
    const database = await filled();
    await writeLooks(database, [{ ...OTHERS[0]!, id: 'new' }]);
    const ids = new Set(['new', LOOKS[3]!.id, 'unknown']);
    const { hits } = await opened(database).search({ like: copyOf(OTHERS[0]!, 0) }, { ids });
    expect(hits[0]!.id).toBe('new');
    expect(hits.every(({ id }) => ids.has(id))).toBe(true);
  });

  test('parts that are away leave their looks out, and the answer says how many they are', async () => {
    const database = await filled();
    const away: Queryable = { query: () => Promise.reject(new Error('away')) };
    const [look, missing] = [LOOKS[8]!, LOOKS[9]!];
    const index = opened(database, [away, database]);
    const found = await index.search({ like: copyOf(look, 1) }, { limit: 5 });
    expect([found.away, found.hits[0]!.id]).toEqual([{ parts: 4, of: 8 }, look.id]);
    expect(await idsOf(index, { like: copyOf(missing, 1) }, 1)).not.toEqual([missing.id]);
  });

  test('what a search reads is counted before it is read, and not read where there is no room', async () => {
    const database = await filled();
    const reserve = () => Promise.reject(new Error('no room'));
    const parts = { ask: () => expect.unreachable() };
    const index = createDatabaseLooks(database, { parts, shipped: [], report, reserve });
    await expect(index.search({ colors: [0x204080] })).rejects.toThrow('no room');
  });

  test('shipped looks stand beside those of the database, until these have the work', async () => {
    const database = await filled();
    const shipped = [
      { ...OTHERS[2]!, id: 'shipped' },
      { ...OTHERS[3]!, id: LOOKS[0]!.id },
    ];
    const index = createDatabaseLooks(database, { parts: createParts([database]), shipped, report });
    expect(await idsOf(index, { like: copyOf(OTHERS[2]!, 0) }, 1)).toEqual(['shipped']);
    expect(await idsOf(index, { like: copyOf(OTHERS[3]!, 0) }, 1)).not.toEqual([LOOKS[0]!.id]);
    expect(await index.size()).toBe(LOOKS.length + 1);
  });
});
