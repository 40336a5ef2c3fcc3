import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importMetWorks } from '../../../../tests/support/import_met_works.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { readConfig } from '../../../config/config.ts';
import { openDataset } from '../open_dataset.ts';

const PAYER = { Authorization: 'Bearer 0x00000000000000000000000000000000000000d1' };
const folder = mkdtempSync(join(tmpdir(), 'atelier-artwork-'));
let museum: Server;
let app: TestApp;
let asked: string[] = [];

/** A museum's image server: one image, one page, one redirect, one URL that never responds. */
beforeAll(async () => {
  const picture = await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#3b6c8f' } })
    .jpeg()
    .toBuffer();
  museum = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url.startsWith('/good') || url.startsWith('/iiif')) response.end(picture);
    else if (url.startsWith('/record')) response.end(JSON.stringify({ primaryImage: `${base()}/good.jpg` }));
    else if (url.startsWith('/none')) response.end(JSON.stringify({ primaryImage: '' }));
    else if (url.startsWith('/page')) response.end('<html>not found</html>');
    else response.writeHead(503).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => museum.once('listening', resolve));
  const base = () => `http://127.0.0.1:${(museum.address() as AddressInfo).port}`;
  const settings = { DATA_DIR: folder, LOG_LEVEL: 'silent', ALLOW_PRIVATE_FETCH: 'true' };
  const dataset = await openDataset(readConfig(settings));
  const works = ['good.jpg', 'page', 'down', 'iiif/1'].map((path, at) => ({
    objectID: at + 1,
    isPublicDomain: true,
    title: `Work ${at + 1}`,
    artistDisplayName: 'Judith Leyster',
    primaryImage: `${base()}/${path}`,
  }));
  await importMetWorks(dataset, folder, works);
  await dataset.close();
  app = await openTestApp(settings);
  await app.post('/api/wallet/register', { wallet: PAYER.Authorization.slice(7) });
});
afterAll(async () => {
  await app?.close();
  museum?.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (artifact_id: string, headers: Record<string, string> = PAYER) =>
  app.post('/api/tools/get_artwork', { artifact_id }, headers);
const local = (url: string) => app.fetch(new Request(url));
const balance = async () =>
  (await app.post('/api/tools/check_balance', { wallet: PAYER.Authorization.slice(7) })).body.balance;

test('a work is returned with metadata, a licence passport and image links', async () => {
  const { status, body } = await get('met_1');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    artifact_id: 'met_1',
    cost: { credit: 1, usd: 0.1 },
    metadata: { title: 'Work 1', museum: { id: 'met' }, related: expect.any(Array), record: { edition: 2 } },
    licence: {
      status: 'cc0',
      evidence: { field: 'isPublicDomain', value: 'true' },
      attribution: expect.stringContaining('Judith Leyster'),
    },
    image: { handle: 'artwork:met_1', certain: true },
  });
  expect(body.metadata.related.map(({ credit_id }: { credit_id: string }) => credit_id)).not.toContain(
    'met_1',
  );
  expect(body.token_count).toBeLessThanOrEqual(1200);
});

test('an image and its smaller sizes need one request to the museum', async () => {
  asked = [];
  const { body } = await get('met_1');
  const whole = await local(body.image.download_url);
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  const small = Buffer.from(await (await local(body.image.sizes.small)).arrayBuffer());
  expect((await sharp(small).metadata()).width).toBe(400);
  await local(body.image.download_url);
  expect(asked).toEqual(['/good.jpg']);
});

test('a download resumes with a range request unless the image has changed', async () => {
  const owner = { Authorization: 'Bearer 0x00000000000000000000000000000000000000d4' };
  await app.post('/api/wallet/register', { wallet: owner.Authorization.slice(7) });
  const { download_url: url } = (await get('met_1', owner)).body.image;
  const part = (headers: Record<string, string>) => app.fetch(new Request(url, { headers }));
  const whole = await local(url);
  const bytes = Buffer.from(await whole.arrayBuffer());
  const etag = whole.headers.get('etag')!;
  const rest = await part({ Range: 'bytes=100-', 'If-Range': etag });
  expect([rest.status, rest.headers.get('content-range')]).toEqual([
    206,
    `bytes 100-${bytes.length - 1}/${bytes.length}`,
  ]);
  expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(100))).toBe(true);
  expect((await part({ Range: 'bytes=100-', 'If-Range': '"other"' })).status).toBe(200);
  expect((await part({ Range: `bytes=${bytes.length}-` })).status).toBe(416);
  expect((await (await part({ Range: 'bytes=-7' })).arrayBuffer()).byteLength).toBe(7);
});

test('works with little metadata are returned with 500 to 1,200 tokens', async () => {
  const other = '0x00000000000000000000000000000000000000d3';
  await app.post('/api/wallet/register', { wallet: other });
  const ids = ['rijks_SK-C-5', 'paris_courbet-le-sommeil', 'chicago_27992', 'nga_26'];
  for (const id of ids) {
    const { token_count: count } = (await get(id, { Authorization: `Bearer ${other}` })).body;
    expect([id, count >= 500 && count <= 1200]).toEqual([id, true]);
  }
});

test('a modified link returns 404', async () => {
  const { body } = await get('met_1');
  const changed = body.image.download_url.replace('met_1', 'met_2');
  const other = body.image.download_url.replace('size=full', 'size=large');
  expect([(await local(changed)).status, (await local(other)).status]).toEqual([404, 404]);
});

test.each([
  ['met_2', 'not an image'],
  ['met_3', 'returned status'],
])('%s: a museum error (%s) returns 502 without internal addresses', async (id, words) => {
  const { body } = await get(id);
  const answer = await local(body.image.download_url);
  const { code, detail } = (await answer.json()) as { code: string; detail: string };
  expect([answer.status, code]).toEqual([502, 'upstream_failed']);
  expect(detail).toContain(words);
  expect(detail).not.toContain('127.0.0.1');
});

test('artwork:<id> is accepted as an image by every tool', async () => {
  const { status, body } = await app.post('/api/tools/extract_palette', {
    image: 'artwork:met_1',
    num_colors: 3,
  });
  expect([status, body.colors[0].hex]).toEqual([200, expect.stringMatching(/^#3b6[bc]8f$/)]);
  expect((await app.post('/api/tools/extract_palette', { image: 'artwork:met_99' })).status).toBe(404);
});

test('an unknown work is free', async () => {
  const before = await balance();
  for (const id of ['met_99', '../../etc/passwd', "' or 1=1 --", '\u0000']) {
    expect((await get(id)).body.code).toMatch(/^(artwork_not_found|invalid_input)$/);
  }
  expect(await balance()).toBe(before);
});

test('a starter catalogue work states that it is not checked with its museum', async () => {
  const { body } = await get('rijks_SK-C-5');
  expect(body.licence).toMatchObject({
    evidence: null,
    statement: expect.stringContaining('starter catalogue'),
  });
  expect([body.image, body.next_steps]).toEqual([null, []]);
  expect(body.image_note).toContain('"atelier dataset pull rijks"');
  expect(body.metadata.summary).not.toContain('made in');
  const note = 'written by hand from general knowledge. Rijksmuseum was not asked';
  expect(body.licence).toMatchObject({ basis: 'starter_catalogue', seen_on: null });
  expect(body.licence.data_licence).not.toContain('CC0');
  expect(body.metadata.record).toMatchObject({
    basis: 'starter_catalogue',
    note: expect.stringContaining(note),
  });
  expect(body.metadata.summary).toContain('written by hand');
  expect(body.warnings).toEqual([expect.stringContaining(note)]);
});

test('an imported work states its source and date but no starter catalogue', async () => {
  const { body } = await get('met_1');
  expect(body.licence).toMatchObject({
    basis: 'museum_data',
    seen_on: new Date().toISOString().slice(0, 10),
    statement:
      'Considered to be dedicated to the public domain (CC0) because "isPublicDomain" is "true" in the open-access data of The Metropolitan Museum of Art.',
  });
  expect(JSON.stringify([body.metadata, body.licence])).not.toMatch(/by hand|starter/);
});
