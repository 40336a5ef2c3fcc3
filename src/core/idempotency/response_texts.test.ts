import { mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IDEMPOTENCY_LIFETIME_MS } from '../../config/limits.ts';
import { createResults } from '../../features/assets/results/results.ts';
import { createLinks } from '../links/links.ts';
import { createBlobs } from '../storage/blobs/blobs.ts';
import { createFileObjects } from '../storage/objects/file_objects.ts';
import { createResponseTexts } from './response_texts.ts';

const PICTURE = Buffer.alloc(60_000, 'picture');

async function given() {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-texts-'));
  const clock = { ms: Date.parse('2026-01-01T10:00:00Z') };
  const links = createLinks({ publicUrl: 'http://atelier.test', secret: 's'.repeat(32) });
  const results = createResults({
    objects: createFileObjects(join(folder, 'results')),
    links,
    now: () => clock.ms,
  });
  const blobs = createBlobs(createFileObjects(join(folder, 'blobs')));
  const bytesIn = async (name: string) => {
    const files = await readdir(join(folder, name), { recursive: true, withFileTypes: true });
    const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)));
    return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
  };
  return { clock, results, texts: createResponseTexts({ blobs, results }), bytesIn };
}

test('a result file is not stored twice, and the text is restored byte for byte', async () => {
  const { results, texts, bytesIn } = await given();
  const { handle } = await results.keep(PICTURE, 'image/png');
  const text = JSON.stringify({
    image_b64: PICTURE.toString('base64'),
    width: 1,
    result: handle,
    note: 'é"\\',
  });
  const name = await texts.put(text);
  expect(await texts.get(name)).toBe(text);
  expect(await bytesIn('blobs')).toBeLessThan(500);
  expect(await bytesIn('results')).toBe(PICTURE.length);
});

test('an SVG result in a response is restored from its result file', async () => {
  const { results, texts, bytesIn } = await given();
  const svg = `<svg>${'<path d="M1 é"/>\n'.repeat(2000)}</svg>`;
  const { handle } = await results.keep(Buffer.from(svg), 'image/svg+xml');
  const text = JSON.stringify({ nested: { svg_content: 'x' }, svg_content: svg, result: handle });
  expect(await texts.get(await texts.put(text))).toBe(text);
  expect(await bytesIn('results')).toBe(Buffer.byteLength(svg));
});

test.each([undefined, 'result:t3k9zq-00000000000000000000000000000000.png'])(
  'bytes without a matching result (%s) are stored as a new result',
  async (result) => {
    const { texts, bytesIn } = await given();
    const text = JSON.stringify({ data: PICTURE.toString('base64'), result });
    expect(await texts.get(await texts.put(text))).toBe(text);
    expect(await bytesIn('results')).toBe(PICTURE.length);
  },
);

test('a result with different bytes is not substituted', async () => {
  const { results, texts } = await given();
  const { handle } = await results.keep(Buffer.alloc(PICTURE.length), 'image/png');
  const text = JSON.stringify({ data: PICTURE.toString('base64'), result: handle });
  expect(await texts.get(await texts.put(text))).toBe(text);
});

test('a response stored after its result outlives the link but not the file', async () => {
  const { results, texts, clock } = await given();
  const { handle } = await results.keep(PICTURE, 'image/png');
  const text = JSON.stringify({ image_b64: PICTURE.toString('base64'), result: handle });
  clock.ms += 10 * 60_000;
  const name = await texts.put(text);
  clock.ms += IDEMPOTENCY_LIFETIME_MS - 1;
  await results.sweep(new Date(clock.ms));
  expect(await texts.get(name)).toBe(text);
  await expect(results.open(handle.slice('result:'.length))).rejects.toMatchObject({
    code: 'result_not_found',
  });
});
