import { computeVisualDescriptor } from '@atelier/imaging/visual_descriptor/compute_visual_descriptor.ts';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { testImport } from '../../../../tests/support/import_met_works.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import { type ArtworkRecord, parseRecord } from '../records/record.ts';
import { importWorks } from '../releases/import_works.ts';
import { findByDescriptor } from './find_similar.ts';
import { createVisualDescriptors, type VisualDescriptors } from './visual_descriptors.ts';

/** Runs the engine in this process and counts its calls. */
let measured = 0;
const pixels = {
  run: async (_: string, input: { bytes: Uint8Array }) => {
    measured += 1;
    return computeVisualDescriptor(input);
  },
} as unknown as Pixels;
const { signal } = new AbortController();

/** A sky above a field, and two patches, the higher one at this x. */
const picture = (sky: string, field: string, left = 220) =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: sky } })
    .composite([
      { input: { create: { width: 320, height: 90, channels: 3, background: field } }, top: 150, left: 0 },
      { input: { create: { width: 40, height: 60, channels: 3, background: 'white' } }, top: 30, left },
      { input: { create: { width: 110, height: 40, channels: 3, background: 'white' } }, top: 130, left: 30 },
    ])
    .png()
    .toBuffer();

const work = (number: number, title: string): ArtworkRecord =>
  parseRecord({
    id: `met_${number}`,
    museum: 'met',
    title,
    year_from: 1880 + number,
    year_to: 1880 + number,
    source_url: 'https://museum.test/',
    rights: { status: 'cc0', evidence: null, url: 'https://cc0.test/' },
  });

forEachDatabase((_kind, open) => {
  let database: ScriptableDatabase;
  let looks: VisualDescriptors;
  afterAll(() => looks?.settle());

  const filled = async () => {
    database = await open();
    await importWorks(
      database,
      async function* (report) {
        for (const [number, title] of [
          [1, 'Blue evening'],
          [2, 'Red evening'],
          [3, 'Blue morning'],
        ] as const) {
          report.rows += 1;
          yield work(number, title);
        }
      },
      testImport(signal),
    );
    looks = createVisualDescriptors({ database, pixels, shipped: [] });
    looks.note('met_1', 'a', await picture('#2b4f9e', '#3c5a2a'));
    looks.note('met_2', 'a', await picture('#a83226', '#3c5a2a', 100));
    looks.note('met_3', 'a', await picture('#3056a8', '#4a6a38', 20));
    await looks.settle();
  };
  const found = async (asked: object, query = '') =>
    (await findByDescriptor(database, 1, { query, limit: 10, ...asked }, looks)).hits.map(
      ({ record, why }) => `${record.id}: ${why}`,
    );

  test('works with a measured image are found by colour, alone or combined with words', async () => {
    await filled();
    const blue = await found({ colors: [0x2b4f9e] });
    expect(blue.map((hit) => hit.split(':')[0])).toEqual(['met_1', 'met_3']);
    expect(blue[0]).toMatch(/colour #2b4f9e: nearest is #2b4f9e on \d\d %, distance 0\.000/);
    expect(await found({ colors: [0x2b4f9e, 0x3c5a2a] })).toHaveLength(2);
    expect(await found({ colors: [0x2b4f9e, 0xa83226] })).toEqual([]);
    expect(await found({ colors: [0x2b4f9e] }, 'morning')).toEqual([
      expect.stringMatching(/^met_3: title; colour/),
    ]);
    expect(await found({ colors: [0x2b4f9e] }, 'before 1882')).toHaveLength(1);
    expect(await found({ colors: [0x00ff00] })).toEqual([]);
    expect(await found({ colors: [0x2b4f9e], museum: 'nga' })).toEqual([]);
  });

  test('a mirrored and re-encoded copy finds its original first', async () => {
    await filled();
    const copy = await sharp(await picture('#2b4f9e', '#3c5a2a'))
      .flop()
      .jpeg({ quality: 50 })
      .toBuffer();
    const [first, second] = await found({ like: await looks.measure(copy, signal) });
    expect(first).toMatch(/^met_1: the same image: \d+ of 256 hash bits/);
    expect(second).toMatch(/^met_3: similar colours: distance 0\.0\d\d/);
  });

  test('an image is measured once and its replacement again', async () => {
    await filled();
    measured = 0;
    const again = createVisualDescriptors({ database, pixels, shipped: [] });
    again.note('met_1', 'a', await picture('#2b4f9e', '#3c5a2a'));
    again.note('met_1', 'b', await picture('#a83226', '#3c5a2a'));
    again.note('met_2', 'a', Buffer.from('no picture'));
    await again.settle();
    expect(measured).toBe(1);
    expect(await again.size()).toBe(3);
    const hits = await again.search({ colors: [0xa83226] });
    expect(hits.map(({ id }) => id)).toEqual(['met_1', 'met_2']);
  });

  const alike = async (by: 'composition' | 'color', bytes: Buffer) =>
    found({ by, like: await looks.measure(bytes, signal) });

  test('composition search finds the original of a recoloured copy and reports mirroring', async () => {
    await filled();
    const recoloured = await picture('#a83226', '#6a6a2a');
    expect((await alike('composition', recoloured))[0]).toMatch(
      /^met_1: composition: light and dark (9\d|100) % similar$/,
    );
    const mirrored = await sharp(recoloured).flop().toBuffer();
    expect((await alike('composition', mirrored))[0]).toMatch(/^met_1: composition: .* similar, mirrored$/);
  });

  test('colour search finds an image in the same colours and excludes other colours', async () => {
    await filled();
    const rearranged = await sharp(await picture('#a83226', '#3c5a2a', 250))
      .rotate(90)
      .toBuffer();
    const hits = await alike('color', rearranged);
    expect(hits).toEqual([expect.stringMatching(/^met_2: colour: distance 0\.0\d\d; #\w{6} \d\d %/)]);
  });

  test('a descriptor is available without its image and measured again without a layout', async () => {
    await filled();
    expect(await looks.known('met_1')).toMatchObject({
      quality: expect.any(Number),
      layout: expect.any(Uint8Array),
    });
    await database.query("update artwork_looks set layout = null where id = 'met_1'");
    const later = createVisualDescriptors({ database, pixels, shipped: [] });
    expect([await later.size(), await later.size('composition')]).toEqual([3, 2]);
    later.note('met_1', 'a', await picture('#2b4f9e', '#3c5a2a'));
    await later.settle();
    expect(await later.size('composition')).toBe(3);
  });
});
