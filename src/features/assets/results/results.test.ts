import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RESULT_LIFETIME_MS } from '../../../config/limits.ts';
import { createLinks } from '../../../core/links/links.ts';
import { createFileObjects } from '../../../core/storage/objects/file_objects.ts';
import { createResults } from './results.ts';

async function given() {
  const clock = { ms: Date.parse('2026-10-09T14:59:00Z') };
  const now = () => clock.ms;
  const links = createLinks({ publicUrl: 'https://atelier.test/', secret: 's'.repeat(32), now });
  const folder = await mkdtemp(join(tmpdir(), 'atelier-results-'));
  return { clock, results: createResults({ objects: createFileObjects(folder), links, now }) };
}

function partsOf(url: string) {
  const { pathname, searchParams } = new URL(url);
  return { id: pathname.split('/').at(-1)!, exp: searchParams.get('exp')!, sig: searchParams.get('sig')! };
}

test('a stored file has a handle and a signed link, and keeps its content type', async () => {
  const { results } = await given();
  const { handle, url } = await results.keep(Buffer.from('<svg/>'), 'image/svg+xml; charset=utf-8', {
    durable: true,
  });
  const { id, exp, sig } = partsOf(url);
  expect(url).toMatch(
    /^https:\/\/atelier\.test\/api\/results\/[0-9a-z]+-[0-9a-f]{32}\.svg\?exp=\d+&sig=[\w-]{43}$/,
  );
  expect(handle).toBe(`result:${id}`);
  expect(results.verifyLink(id, exp, sig)).toBe(true);
  expect(await results.open(id)).toEqual({ bytes: Buffer.from('<svg/>'), contentType: 'image/svg+xml' });
  expect(await (await results.stream(id)).blob.text()).toBe('<svg/>');
});

test('a file written through a callback is stored, and deleted if the write fails', async () => {
  const { results } = await given();
  let failed = '';
  const { handle, sizeBytes } = await results.make('application/pdf', (path) => writeFile(path, '%PDF'));
  const failing = results.make('application/pdf', async (path) => {
    failed = path;
    await writeFile(path, '%P');
    throw new Error('died');
  });
  await expect(failing).rejects.toThrow('died');
  expect([(await results.open(handle.slice(7))).bytes.toString(), sizeBytes]).toEqual(['%PDF', 4]);
  await expect(readFile(failed)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('an executable content type is served as application/octet-stream', async () => {
  const { results } = await given();
  const { handle } = await results.keep(Buffer.from('<script>'), 'text/html');
  expect((await results.open(handle.slice(7))).contentType).toBe('application/octet-stream');
});

test('a link altered in any part is rejected', async () => {
  const { results } = await given();
  const { id, exp, sig } = partsOf((await results.keep(Buffer.from('a'), 'image/png')).url);
  const other = partsOf((await results.keep(Buffer.from('b'), 'image/png')).url);
  expect(results.verifyLink(other.id, exp, sig)).toBe(false);
  expect(results.verifyLink(id, String(Number(exp) + 1), sig)).toBe(false);
  expect(
    ['', 'x', '%', `${sig}A`, sig.slice(1), 'A'.repeat(43)].some((wrong) =>
      results.verifyLink(id, exp, wrong),
    ),
  ).toBe(false);
});

test.each(['', 'NaN', '1e99', '-1', '99999999999999999999', '0x7fffffff'])(
  '%j is not a valid expiry time',
  async (exp) => {
    const { results } = await given();
    const { id, sig } = partsOf((await results.keep(Buffer.from('a'), 'image/png')).url);
    expect(results.verifyLink(id, exp, sig)).toBe(false);
  },
);

test('after a day the link is rejected and the result is deleted', async () => {
  const { results, clock } = await given();
  const { id, exp, sig } = partsOf((await results.keep(Buffer.from('a'), 'image/png')).url);
  clock.ms += RESULT_LIFETIME_MS;
  expect(results.verifyLink(id, exp, sig)).toBe(false);
  await expect(results.open(id)).rejects.toMatchObject({ code: 'result_not_found' });
});

test.each(['image/vnd.dxf', 'application/x-adobe-ase', 'application/x-gimp-palette', 'text/css'])(
  'a file of type %s keeps its content type',
  async (contentType) => {
    const { results } = await given();
    const { handle } = await results.keep(Buffer.from('x'), contentType);
    expect((await results.open(handle.slice(7))).contentType).toBe(contentType);
  },
);
