import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { holdFor } from '../../../../tests/support/hold_for.ts';
import type { Database } from '../../../core/database/types.ts';
import { createWallets } from '../../wallets/wallets.ts';
import { createHashes } from './hashes.ts';
import { createKnownWorks, readKnownWorks } from './known_works.ts';
import type { Hashes, NewRegistration } from './types.ts';

const WALLET = '0x00000000000000000000000000000000000000a1';
const OTHER = '0x00000000000000000000000000000000000000b2';

let files = 0;
function picture(more: Partial<NewRegistration> = {}): NewRegistration {
  files += 1;
  return {
    wallet: WALLET,
    sha256: files.toString(16).padStart(64, '0'),
    pdq: code(files * 101),
    quality: 100,
    windows: Buffer.concat([code(files * 103 + 7), code(files * 107 + 3)]),
    preview: new Uint8Array([1, 2, 3]),
    width: 640,
    height: 480,
    title: 'Waves',
    artist: 'Ada',
    provenanceUri: '',
    ...more,
  };
}

/** Codes of different seeds are about 128 bits apart. */
function code(seed: number): Uint8Array {
  let state = seed + 1;
  return Uint8Array.from({ length: 32 }, () => {
    state = Math.imul(state ^ (state >>> 13), 0x9e3779b1) + 0x7f4a7c15;
    return state >>> 24;
  });
}

const flipped = (bytes: Uint8Array, bits: number): Uint8Array => {
  const other = bytes.slice();
  for (let bit = 0; bit < bits; bit++) other[(bit * 8) >> 3]! ^= 1;
  return other;
};

forEachDatabase((_name, open) => {
  test('a registration is found by file, perceptual hash and crop windows', async () => {
    const hashes = createHashes(await open());
    const waves = picture();
    const { registration, isNew } = await hashes.register(waves);
    await hashes.register(picture());

    expect({ isNew, id: registration.id }).toEqual({
      isNew: true,
      id: expect.stringMatching(/^hash_[0-9a-f]{24}$/),
    });
    expect(await hashes.ofFile(waves.sha256)).toEqual([registration]);
    expect(await hashes.find(registration.id)).toEqual(registration);
    expect(await hashes.near([code(5), flipped(waves.pdq, 31)])).toEqual([
      { registration, distance: 31, turn: 1 },
    ]);
    expect(await hashes.near([flipped(waves.pdq, 32)])).toEqual([]);
    expect(await hashes.near([flipped(waves.pdq, 32)], 32)).toMatchObject([{ distance: 32 }]);
    expect(await hashes.sharing(Buffer.concat([code(9), flipped(waves.windows.subarray(0, 32), 4)]))).toEqual(
      [{ registration, shared: 1, distance: 4 }],
    );
    await hashes.close();
  });

  test('the same file of a wallet is registered once, also by twenty concurrent requests', async () => {
    const hashes = createHashes(await open());
    const waves = picture();
    const made = await Promise.all(Array.from({ length: 20 }, () => hashes.register(waves)));
    const others = await hashes.register({ ...waves, wallet: OTHER });

    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(made.map(({ registration }) => registration.id)).size).toBe(1);
    expect(others.isNew).toBe(true);
    expect((await hashes.near([waves.pdq])).map(({ registration }) => registration.wallet)).toEqual([
      WALLET,
      OTHER,
    ]);
    await hashes.close();
  });

  test('a registration on another server is found by the next search', async () => {
    const database = await open();
    const [one, other] = [createHashes(database), createHashes(database)];
    expect(await one.near([code(1)])).toEqual([]);
    const made = await Promise.all(Array.from({ length: 30 }, () => other.register(picture())));
    const found = await Promise.all(made.map(({ registration }) => one.near([registration.pdq])));

    expect(found.map(([near]) => near?.registration.id)).toEqual(
      made.map(({ registration }) => registration.id),
    );
    expect(await one.load()).toMatchObject({ pictures: 30, windows: 60 });
    await Promise.all([one.close(), other.close()]);
  });

  test('all registrations are found after a restart', async () => {
    const database = await open();
    const waves = picture();
    const before = createHashes(database);
    await before.register(waves);
    await before.close();
    const after = createHashes(database);

    expect(await after.near([waves.pdq])).toMatchObject([{ distance: 0 }]);
    await after.close();
  });

  test('index segments are loaded from disk and rebuilt when they do not match the table', async () => {
    const database = await open();
    const folder = await mkdtemp(join(tmpdir(), 'atelier-hashes-'));
    const path = join(folder, 'windows-0.segment');
    const opened = () => createHashes(database, { folder });
    const many = (seed: number) =>
      Buffer.concat(Array.from({ length: 1000 }, (_, at) => code(seed * 1000 + at)));
    const first = opened();
    for (let at = 0; at < 264; at++) await first.register(picture({ windows: many(at) }));
    const shares = async (hashes: Hashes, seeds: number[]) => {
      const found = await Promise.all(seeds.map((seed) => hashes.sharing(code(seed * 1000 + 999))));
      const { pictures, windows } = await hashes.load();
      await hashes.close();
      return [pictures, windows, ...found.map((own) => own.map(({ registration }) => registration.title))];
    };
    const seeds = [0, 262, 263];
    const whole = [264, 264_000, ['Waves'], ['Waves'], ['Waves']];
    expect(await shares(first, seeds)).toEqual(whole);
    const built = await stat(path);
    expect(await shares(opened(), seeds)).toEqual(whole);
    expect((await stat(path)).mtimeMs).toBe(built.mtimeMs);

    const bytes = await readFile(path);
    const torn = Buffer.from(bytes);
    torn[9_000_000]! ^= 1;
    // Older files also contained the buckets.
    const older = Buffer.from(bytes);
    older.writeUInt32LE(0x41_48_53_31);
    for (const other of [torn, older]) {
      await writeFile(path, other);
      expect(await shares(opened(), seeds)).toEqual(whole);
      expect((await readFile(path)).equals(bytes)).toBe(true);
    }
    // A table that was restored to an earlier state and then continued differently.
    await database.query('update registered_hashes set windows = $1::text::bytea where number > 200', [
      'x'.repeat(32),
    ]);
    expect(await shares(opened(), [0, 262])).toEqual([264, 200_064, ['Waves'], []]);
  });

  test('the index tail is loaded from disk unless truncated or the table was restored', async () => {
    const database = await open();
    const folder = await mkdtemp(join(tmpdir(), 'atelier-tail-'));
    const path = join(folder, 'windows.tail');
    const opened = () => createHashes(database, { folder });
    const thousand = (seed: number) =>
      Buffer.concat(Array.from({ length: 1000 }, (_, at) => code(seed * 1000 + at)));
    const loaded = async (hashes: Hashes) => {
      const { windows } = await hashes.load();
      const found = await hashes.sharing(code(19_999));
      await hashes.close();
      return [windows, found.length];
    };
    const first = opened();
    for (let at = 0; at < 20; at++) await first.register(picture({ windows: thousand(at) }));
    expect(await loaded(first)).toEqual([20_000, 1]);
    const kept = await readFile(path);
    // This row is not among the samples compared, so only the file still has its windows.
    await database.query(`update registered_hashes set windows = '' where number = 7`);
    expect(await loaded(opened())).toEqual([20_000, 1]);

    const failures = [new Error('gone')];
    const failing: Database = {
      ...database,
      async query(text, values) {
        if (text.includes(`encode(windows, 'hex')`) && failures.length > 0) throw failures.pop();
        return database.query(text, values);
      },
    };
    const retried = createHashes(failing, { folder });
    await expect(retried.warm()).rejects.toThrow('gone');
    expect(await loaded(retried)).toEqual([20_000, 1]);

    await writeFile(path, kept.subarray(0, -1));
    expect(await loaded(opened())).toEqual([19_000, 1]);
    await writeFile(path, kept);
    await database.query('delete from registered_hashes where number > 10');
    await database.query('update registered_hash_count set last = 10');
    const back = opened();
    await back.register(picture());
    expect(await loaded(back)).toEqual([9_002, 0]);
  });

  test('an unpaid registration ends with its hold; a paid one remains', async () => {
    const database = await open();
    const [hashes, wallets] = [createHashes(database), createWallets(database)];
    await wallets.register(WALLET);
    const hold = holdFor(wallets, WALLET, 'register_hash');
    const [unpaid, paid] = [picture({ hold: 'call_1' }), picture({ hold: 'call_2' })];
    const [first, second] = [await hold('call_1'), await hold('call_2')];
    await hashes.register(unpaid);
    await hashes.register(paid);
    const again = await hashes.register(paid);
    await wallets.release(first);
    await wallets.settle(second);

    expect(again.isNew).toBe(true);
    expect(await hashes.near([unpaid.pdq])).toEqual([]);
    expect(await hashes.near([paid.pdq])).toMatchObject([{ distance: 0 }]);
    expect(await hashes.register(paid)).toMatchObject({ isNew: false });
    await hashes.close();
  });
});

test('a known work is found within 31 bits, also when rotated', () => {
  const wave = {
    id: 'met_1',
    title: 'Wave',
    artist: 'Hokusai',
    url: 'https://example.org/1',
    quality: 100,
    colors: '',
    layout: '',
    windows: Buffer.concat([code(80), code(81), code(82)]).toString('base64'),
  };
  const hash = code(77);
  const works = createKnownWorks([{ ...wave, pdq: Buffer.from(hash).toString('hex') }]);

  expect(works.near([code(3), flipped(hash, 30)])).toMatchObject([
    { work: { id: 'met_1' }, distance: 30, turn: 1 },
  ]);
  expect(works.near([flipped(hash, 32)])).toEqual([]);
  expect(works.sharing(Buffer.concat([flipped(code(81), 31), code(5), code(82)]))).toMatchObject([
    { work: { id: 'met_1' }, shared: 2, distance: 0 },
  ]);
  expect(works.sharing(flipped(code(81), 32))).toEqual([]);
});

test('the bundled works match their own hashes and not each other', () => {
  const bundled = readKnownWorks();
  const works = createKnownWorks(bundled);

  expect(bundled.length).toBeGreaterThan(50);
  for (const { id, pdq, windows } of bundled) {
    expect(works.near([Buffer.from(pdq, 'hex')]).map(({ work }) => work.id)).toEqual([id]);
    expect(works.sharing(Buffer.from(windows, 'base64')).map(({ work }) => work.id)).toEqual([id]);
  }
});
