import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, expect, test, vi } from 'vitest';
import { scene } from '../../../../tests/support/scene.ts';
import { createPixels } from '../../../core/workers/workers.ts';
import { coercionOf } from '../../definitions/spellings.ts';
import { makeVariants } from './make_variants.ts';
import { VARIANT_SETS } from './variant_sets.ts';

const pool = createPixels({ workers: 1, pixelsInFlightMax: 3e8, queueLengthMax: 9, deadlineMs: 120_000 });
afterAll(() => pool.close());

async function made(bytes: Uint8Array, input: object) {
  const { width = 1, height = 1, format = 'png' } = await sharp(bytes).metadata();
  const kept: { bytes: Uint8Array; type: string }[] = [];
  const results = {
    keep: async (file: Uint8Array, type: string) => {
      const handle = `result:${kept.push({ bytes: file, type })}`;
      return { handle, url: `https://example.com/${handle}`, expiresAt: new Date(0) };
    },
  };
  const warn = vi.fn();
  const call = { warn, signal: AbortSignal.timeout(120_000), onIntake: () => {} };
  const parsed = makeVariants.input.parse({ image: 'x', ...input });
  const services = { pixels: pool, results, models: { placeFinders: async () => ({}) } };
  const answer = await makeVariants.run(
    { ...parsed, image: { bytes, width, height, format } } as never,
    services as never,
    call as never,
  );
  return { answer, kept, warnings: warn.mock.calls.map(([text]) => String(text)) };
}

test('a favicon set contains its files, a ZIP and the HTML snippet', async () => {
  const { answer, kept } = await made(await scene(1, 600, 600), { set: 'favicon' });
  expect(answer.files.map(({ name, width, height }) => [name, width, height])).toEqual(
    VARIANT_SETS.favicon.map(({ name, width, height }) => [name, width, height]),
  );
  expect(answer.snippet.html).toContain('rel="apple-touch-icon"');
  expect(JSON.parse(answer.snippet.manifest!).icons).toHaveLength(3);
  const zip = kept.at(-1)!;
  expect(zip.type).toBe('application/zip');
  const text = Buffer.from(zip.bytes).toString('latin1');
  for (const name of [...answer.files.map((file) => file.name), 'favicon.html', 'site.webmanifest'])
    expect(text).toContain(name);
});

test('sizes that require enlargement and the focus of the crops are reported', async () => {
  const { answer, warnings } = await made(await scene(1, 640, 480), { set: 'social' });
  expect(answer.files).toHaveLength(11);
  expect(answer.located).toBeTruthy();
  expect(warnings.join(' ')).toMatch(/too small for open-graph\.jpg.* enlarged/);
});

test('"300x200" in a list is parsed as a size', () => {
  expect(coercionOf(makeVariants.input.shape.set)!(['300x200', { width: 9 }])).toEqual([
    { width: 300, height: 200 },
    { width: 9 },
  ]);
});

test('custom sizes use the format of their name or a common format', async () => {
  const set = [
    { width: 300, height: 200 },
    { name: 'wide.webp', width: 200 },
    { name: 'card', width: 40, height: 40 },
  ];
  const { answer } = await made(await scene(1, 640, 480), { set, fit: 'cover' });
  expect(answer.files.map(({ name, width, height }) => [name, width, height])).toEqual([
    ['300x200.png', 300, 200],
    ['wide.webp', 200, 150],
    ['card.png', 40, 40],
  ]);
});

test('a responsive set names each file by its width', async () => {
  const { answer } = await made(await scene(1, 700, 400), { set: 'responsive', format: 'jpeg' });
  expect(answer.files.map(({ name, width }) => [name, width])).toEqual([
    ['image-320.jpg', 320],
    ['image-640.jpg', 640],
    ['image-960.jpg', 700],
  ]);
  expect(answer.snippet.html).toContain('image-960.jpg 700w');
});

test.each([
  [
    [
      { name: 'a', width: 9 },
      { name: 'A', width: 8 },
    ],
    'has a.png twice',
  ],
  [
    Array.from({ length: 40 }, (_, at) => ({ name: `n${at}`, width: 2000, height: 2000 })),
    '160 million pixels',
  ],
])('too many files or duplicate names are rejected', async (set, message) => {
  await expect(made(await scene(1, 64, 64), { set })).rejects.toThrow(message);
});

test.each([
  { set: [] },
  { set: 'everything' },
  { set: [{ name: '../../etc/passwd', width: 9 }] },
  { set: [{ width: 0 }] },
  { set: Array.from({ length: 41 }, (_, at) => ({ width: at + 1 })) },
])('%o is not a valid set', (input) => {
  expect(makeVariants.input.safeParse({ image: 'x', ...input }).success).toBe(false);
});

test('every size of a set cites its source', () => {
  const all = Object.values(VARIANT_SETS).flat();
  expect(all.every(({ source }) => source.length > 20)).toBe(true);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});
