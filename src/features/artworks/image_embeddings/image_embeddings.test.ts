import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { computeVisualDescriptor } from '@atelier/imaging/visual_descriptor/compute_visual_descriptor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { colorEncoders } from '../../../../tests/fixtures/color_encoders.ts';
import { tinyVocabulary } from '../../../../tests/fixtures/tiny_vocabulary.ts';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { testImport } from '../../../../tests/support/import_met_works.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { type EmbedderFile, runEmbedPicture, runEmbedText } from '../../../core/workers/run_embed.ts';
import { createModels } from '../../models/service.ts';
import { parseRecord } from '../records/record.ts';
import { importWorks } from '../releases/import_works.ts';
import { blendedSearch } from '../semantic_search/blended_search.ts';
import { memorySearch } from '../semantic_search/open_vector_search.ts';
import { findByDescriptor } from '../visual_similarity/find_similar.ts';
import { createVisualDescriptors } from '../visual_similarity/visual_descriptors.ts';
import { createImageEmbeddings } from './image_embeddings.ts';
import { findSimilarImages } from './similar_images.ts';
import type { ImageEmbeddings } from './types.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-sight-'));
const models = createModels({ folder, provider: 'cpu', fetch });
const nothing = { embedder: async () => undefined };
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  writeFileSync(join(folder, 'graph'), colorEncoders());
  writeFileSync(join(folder, 'words'), tinyVocabulary());
  for (const file of ['graph', 'words']) await models.add(join(folder, file), { accept: true });
});

const { signal } = new AbortController();
/** Runs the engines in this process. */
let isBusy = false;
const pixels = {
  async run(engine: string, input: { bytes: Uint8Array; text: string; network: EmbedderFile }) {
    if (isBusy) throw new AtelierError('busy', 'Other work is being done.');
    if (engine === 'look') return computeVisualDescriptor(input);
    return engine === 'embed_text' ? runEmbedText(input) : runEmbedPicture(input);
  },
} as never;
const plain = (background: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer();

forEachDatabase((_, open) => {
  let database: ScriptableDatabase;
  let sight: ImageEmbeddings;
  const kept = new Map<string, Uint8Array>();
  const opened = (which: Parameters<typeof createImageEmbeddings>[0]['models'] = models) =>
    createImageEmbeddings({
      database,
      pixels,
      models: which,
      vectorsOf: memorySearch(database),
      kept: async ({ id }) => kept.get(id),
    });

  const filled = async () => {
    database = await open();
    isBusy = false;
    await importWorks(
      database,
      async function* (report) {
        for (const [at, title] of ['A red cloth', 'Evening', 'Morning', 'Noon'].entries()) {
          report.rows += 1;
          yield parseRecord({
            id: `met_${at + 1}`,
            museum: 'met',
            title,
            year_from: 1800 + at,
            year_to: 1800 + at,
            image: { kind: 'file', url: `https://museum.test/${at}.jpg` },
            source_url: 'https://museum.test/',
            rights: { status: 'cc0', evidence: null, url: 'https://cc0.test/' },
          });
        }
      },
      testImport(signal),
    );
    sight = opened();
    sight.note('met_2', 'a', await plain('#d01010'));
    sight.note('met_3', 'a', await plain('#1010d0'));
    await sight.settle();
  };
  const found = async (query: string, limit = 5) => {
    const { hits, ...rest } = await blendedSearch(database, 1, { query, limit }, { sight });
    return { ...rest, hits: hits.map(({ record, why }) => `${record.title}: ${why}`) };
  };

  test('image matches for a text query rank after text matches', async () => {
    await filled();
    const { hits, seen, total } = await found('red');
    expect(hits).toEqual([
      'A red cloth: title',
      expect.stringMatching(/^Evening: image content \(similarity 0\.9\d\)$/),
    ]);
    expect([total, seen]).toMatchObject([2, { used: true, known: 2, network: { origin: 'unofficial' } }]);
    expect((await found('blue')).hits[0]).toMatch(/^Morning/);
    const dated = (await found('blue or red -evening since 1802')).hits;
    expect(dated).toContainEqual(expect.stringMatching(/^Morning.*: image content/));
    expect(dated).not.toContainEqual(expect.stringMatching(/^Evening/));
  });

  test('numbers, quoted words and an unavailable model fall back to text search', async () => {
    await filled();
    expect((await found('"red"')).seen).toMatchObject({
      used: false,
      why: expect.stringContaining('records'),
    });
    expect((await found('RP-P-12')).seen.used).toBe(false);
    isBusy = true;
    expect(await found('red')).toMatchObject({
      hits: ['A red cloth: title'],
      seen: { used: false, why: 'Other work is being done.' },
    });
    sight = opened(nothing);
    expect(await found('red')).toMatchObject({
      hits: ['A red cloth: title'],
      seen: { used: false, known: 0 },
    });
    sight.note('met_4', 'a', await plain('#1010d0'));
    await sight.settle();
    expect(await sight.catchUp(1, { max: 9, signal })).toBe(0);
  });

  test('stored images are embedded once in batches, and unreadable files block no others', async () => {
    await filled();
    kept.set('met_1', Buffer.from('no picture')).set('met_4', await plain('#d01010'));
    expect(await sight.catchUp(1, { max: 0, signal })).toBe(0);
    expect(await opened().catchUp(1, { max: 9, signal })).toBe(1);
    expect(await opened().catchUp(1, { max: 9, signal })).toBe(0);
    expect(await sight.size()).toBe(3);
  });

  test('an image query finds similar images and a text query narrows them', async () => {
    await filled();
    const looks = createVisualDescriptors({ database, pixels, shipped: [] });
    const like = async (query: string) => {
      const picture = { bytes: await plain('#c83020'), signal };
      const { seen, state } = await findSimilarImages(sight, { picture, query });
      expect(state.used).toBe(true);
      const asked = { query, limit: 5, like: await looks.measure(picture.bytes, signal), seen };
      return (await findByDescriptor(database, 1, asked, looks)).hits.map(
        ({ record, why }) => `${record.title}: ${why}`,
      );
    };
    expect((await like(''))[0]).toMatch(/^Evening: similar image content \(similarity 0\.9\d\)$/);
    expect((await like('blue'))[0]).toMatch(/image content .*; similar image content/);
    expect(await like('"cloth"')).toEqual([]);
  });
});
