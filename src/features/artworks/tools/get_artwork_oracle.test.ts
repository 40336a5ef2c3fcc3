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

const WALLET = '0x00000000000000000000000000000000000000d2';
const PAYER = { Authorization: `Bearer ${WALLET}` };
const folder = mkdtempSync(join(tmpdir(), 'atelier-oracle-'));
let museum: Server;
let app: TestApp;

/** A museum with one image, and one that never responds. */
beforeAll(async () => {
  const square = { create: { width: 160, height: 160, channels: 3, background: '#c8a030' } } as const;
  const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#27405c' } })
    .composite([{ input: square, left: 520, top: 120 }])
    .jpeg()
    .toBuffer();
  museum = createServer(({ url = '' }, response) => {
    if (url.startsWith('/good')) response.end(picture);
    else response.writeHead(503).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => museum.once('listening', resolve));
  const base = `http://127.0.0.1:${(museum.address() as AddressInfo).port}`;
  const settings = { DATA_DIR: folder, LOG_LEVEL: 'silent', ALLOW_PRIVATE_FETCH: 'true' };
  const dataset = await openDataset(readConfig(settings));
  const works = ['/good.jpg', '/down', ''].map((path, at) => ({
    objectID: at + 1,
    isPublicDomain: true,
    title: `Work ${at + 1}`,
    artistDisplayName: 'Judith Leyster',
    objectDate: '1630',
    medium: 'Oil on canvas',
    primaryImage: path && base + path,
  }));
  await importMetWorks(dataset, folder, works);
  await dataset.close();
  app = await openTestApp(settings);
  await app.post('/api/wallet/register', { wallet: WALLET });
});
afterAll(async () => {
  await app?.close();
  museum?.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (artifact_id: string, headers: Record<string, string> = PAYER) =>
  app.post('/api/tools/get_artwork_oracle', { artifact_id }, headers);
const balance = async () => (await app.post('/api/tools/check_balance', { wallet: WALLET })).body.balance;

test('an analysis combines image measurements with the record and lists unknown fields', async () => {
  const { status, body } = await ask('met_1');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    artifact_id: 'met_1',
    metadata: {
      work: { artist_name: { value: 'Judith Leyster', basis: 'record' } },
      color: { accent_color: { basis: 'measured', value: expect.stringContaining('ochre') } },
      description: { figure_on_plain_ground: { basis: 'measured' } },
    },
    image: { handle: 'artwork:met_1' },
    licence: { status: 'cc0' },
    engine: { name: 'atelier-analyst' },
    cost: { credit: 0, note: expect.stringContaining('VISION_PROVIDER') },
    degraded: true,
  });
  const known = Object.values<object>(body.metadata).flatMap((section) => Object.keys(section));
  expect(known.length + body.unknown.length).toBe(111);
  expect(body.metadata.description.people).toEqual({
    value: expect.stringMatching(/^Needs eyes: /),
    basis: 'unseen',
    confidence: 0,
  });
  expect(body.token_count).toBeGreaterThanOrEqual(2000);
  expect(body.token_count).toBeLessThanOrEqual(6000);
});

test('a failed analysis is free', async () => {
  const before = await balance();
  expect((await ask('met_2')).status).toBe(502);
  expect((await ask('met_999')).body.code).toBe('artwork_not_found');
  expect(await balance()).toBe(before);
});

test('an analysis without payment returns 402', async () => {
  expect((await ask('met_1', {})).status).toBe(402);
});
