import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { croissantProblems } from '../../../../tests/support/croissant_rules.ts';
import { importMetWorks } from '../../../../tests/support/import_met_works.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { readConfig } from '../../../config/config.ts';
import { openDataset } from '../open_dataset.ts';

const PAYER = { Authorization: 'Bearer 0x00000000000000000000000000000000000000d2' };
const folder = mkdtempSync(join(tmpdir(), 'atelier-batch-'));
const settings = { DATA_DIR: folder, LOG_LEVEL: 'silent' };
let app: TestApp;

beforeAll(async () => {
  const works = Array.from({ length: 240 }, (_, at) => ({
    objectID: 1000 + at,
    isPublicDomain: true,
    title: `Work ${at}`,
    objectDate: '1885',
  }));
  const dataset = await openDataset(readConfig(settings));
  await importMetWorks(dataset, folder, works);
  await dataset.withdraw('met_1000', 'asked for by the heirs');
  await dataset.close();
  app = await openTestApp(settings);
  await app.post('/api/wallet/register', { wallet: PAYER.Authorization.slice(7) });
});
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

const batch = (body: object) => app.post('/api/tools/batch_download', body, PAYER);
/** Each call is paid in the payment simulator. */
async function paid(body: object) {
  const intent = (await app.post('/api/create-payment-intent', { tool_name: 'batch_download' })).body
    .payment_intent_id;
  await app.post('/api/dev/confirm-payment-intent', { payment_intent_id: intent });
  return app.post('/api/tools/batch_download', body, { 'X-Payment-Intent': intent });
}

const linesOf = async (url: string) =>
  (await (await app.fetch(new Request(url))).text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const idOf = ({ credit_id }: { credit_id: string }) => credit_id;
const manifest = (body: object = {}) => app.post('/api/tools/compliance_manifest', body);

test('a quantity under 100 and an unknown dataset are rejected', async () => {
  expect((await batch({ quantity: 99 })).body.errors[0].field).toBe('quantity');
  expect((await batch({ dataset_id: 'other' })).body.errors[0].field).toBe('dataset_id');
});

test('each work states its basis and the licence of the page counts them', async () => {
  const { downloads, licence } = (await batch({ cursor: 'cleveland_999999', quantity: 300 })).body;
  const first = (wanted: string) => downloads.find(({ basis }: { basis: string }) => basis === wanted);
  expect(first('museum_data')).toMatchObject({ seen_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
  expect(first('starter_catalogue')).toMatchObject({
    seen_on: null,
    record: { rights: { evidence: null } },
  });
  const count = (basis: string) => downloads.filter((one: { basis: string }) => one.basis === basis).length;
  expect(licence.summary).toContain(`${count('museum_data')} works are included because a field`);
  expect(licence.summary).toContain(`${count('starter_catalogue')} works are from the starter catalogue`);
});

test('pages of a snapshot are consecutive by cursor, by offset and as JSON Lines', async () => {
  const first = (await paid({})).body;
  expect(first).toMatchObject({ quantity_returned: 100, next_offset: 100 });
  const byOffset = (await paid({ offset: 100 })).body;
  const all = [...first.downloads];
  for (let page = first; page.next_cursor !== null; all.push(...page.downloads)) {
    page = (await paid({ cursor: page.next_cursor, snapshot: first.snapshot.id, quantity: 1000 })).body;
  }
  expect(all).toHaveLength(first.snapshot.works);
  expect(all.slice(100, 200).map(idOf)).toEqual(byOffset.downloads.map(idOf));
  const hashes = all.map((one) => `${one.credit_id} ${one.sha256}\n`).join('');
  expect(createHash('sha256').update(hashes).digest('hex')).toBe(first.snapshot.sha256);
  expect(createHash('sha256').update(sorted(all[0].record)).digest('hex')).toBe(all[0].sha256);
  const lines = await linesOf(byOffset.jsonl_url);
  expect(lines.map(idOf)).toEqual(byOffset.downloads.map(idOf));
  expect(lines[0].record).toEqual(byOffset.downloads[0].record);
});

test('the whole snapshot is one JSON Lines stream that can resume after any line', async () => {
  const { body } = await paid({ format: 'jsonl', quantity: 60_000 });
  expect([body.downloads, body.next_cursor, body.quantity_returned]).toEqual([[], null, body.snapshot.works]);
  const lines = await linesOf(body.jsonl_url);
  expect(lines).toHaveLength(body.snapshot.works);
  const rest = await linesOf(`${body.jsonl_url}&after=${encodeURIComponent(lines[299].credit_id)}`);
  expect(rest.map(idOf)).toEqual(lines.slice(300).map(idOf));
  const head = await app.fetch(new Request(body.jsonl_url, { method: 'HEAD' }));
  expect([head.status, head.body]).toEqual([200, null]);
  expect((await batch({ quantity: 1001 })).body.errors[0]).toMatchObject({ field: 'quantity', got: 1001 });
});

/** The file entry of the Croissant card, and the downloaded file. */
async function snapshot(headers: Record<string, string> = {}, method = 'GET') {
  const { croissant_url } = (await manifest()).body;
  const { body: card } = await app.get(new URL(croissant_url).pathname);
  const [file] = card.distribution;
  const answer = await app.fetch(new Request(file.contentUrl, { headers, method }));
  return { card, file, answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}

test('the Croissant card is valid and its columns match every line', async () => {
  const { card, bytes } = await snapshot();
  const lines = bytes.toString().trimEnd().split('\n');
  for (const line of lines) expect(croissantProblems(card, JSON.parse(line))).toEqual([]);
  expect(lines.length).toBe((await manifest()).body.snapshot.works);
  expect(croissantProblems({ ...card, license: undefined, distribution: [] }, {})).not.toEqual([]);
  expect((await app.get('/api/compliance/other/croissant.json')).status).toBe(404);
});

test('the file of the card is free and has the stated size and hash', async () => {
  const { file, answer, bytes } = await snapshot();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/jsonl']);
  expect(file).toMatchObject({
    contentSize: `${bytes.length} B`,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    encodingFormat: expect.arrayContaining(['application/jsonl']),
  });
});

test('a snapshot download supports ranges, ETags and gzip', async () => {
  const { answer, bytes } = await snapshot();
  const etag = answer.headers.get('etag')!;
  const rest = await snapshot({ Range: 'bytes=1000-', 'If-Range': etag, 'Accept-Encoding': 'gzip' });
  expect([rest.answer.status, rest.bytes.equals(bytes.subarray(1000))]).toEqual([206, true]);
  expect((await snapshot({ Range: 'bytes=0-9', 'If-Range': '"other"' })).answer.status).toBe(200);
  const beyond = (await snapshot({ Range: `bytes=${bytes.length}-` })).answer;
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
  const packed = await snapshot({ 'Accept-Encoding': 'gzip' });
  expect(gunzipSync(packed.bytes).equals(bytes)).toBe(true);
  const tag = packed.answer.headers.get('etag')!;
  expect([tag === etag, packed.answer.headers.get('vary')]).toEqual([false, 'Accept-Encoding']);
  expect(packed.answer.headers.get('content-length')).toBe(String(packed.bytes.length));
  expect((await snapshot({ 'If-None-Match': etag })).answer.status).toBe(304);
  expect((await snapshot({ 'If-None-Match': tag, 'Accept-Encoding': 'gzip' })).answer.status).toBe(304);
  expect((await snapshot({}, 'HEAD')).answer.headers.get('content-length')).toBe(String(bytes.length));
});

test.each([
  ['open-museums', '999999', 404],
  ['open-museums', '1x', 400],
  ['other', '1', 404],
])('GET /api/datasets/%s/%s/artworks.jsonl returns %i', async (dataset, number, status) => {
  expect((await app.get(`/api/datasets/${dataset}/${number}/artworks.jsonl`)).status).toBe(status);
});

const changes = (query: string) => app.get(`/api/datasets/open-museums/changes?${query}`);

test('changes between two snapshots are listed with both hashes', async () => {
  const [newest] = (await changes('from=2')).body.works;
  expect(newest).toMatchObject({ id: 'met_1000', change: 'removed', sha256_after: null });
});

test('changes are paginated and list each work once', async () => {
  const ids: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const { body } = await changes(`from=1&to=2&limit=100&after=${after}`);
    for (const { id, change } of body.works) if (change === 'added') ids.push(id);
    after = body.next;
  }
  expect(ids).toEqual(Array.from({ length: 240 }, (_, at) => `met_${1000 + at}`));
});

test.each([
  ['from=3', 'from'],
  ['from=2&to=1', 'from'],
  ['from=99&to=100', 'from'],
  ['from=1&to=99', 'to'],
  ['', 'from'],
  ['from=1&limit=5001', 'limit'],
])('a changes query with ?%s is rejected with an error for %s', async (query, name) => {
  const { status, body } = await changes(query);
  expect([status, body.errors[0].field]).toEqual([400, name]);
});

test('a page past the end is empty and free', async () => {
  const { status, body } = await paid({ offset: 100_000 });
  expect([status, body.quantity_returned, body.cost.credit]).toEqual([200, 0, 0]);
  expect(
    (
      await app.fetch(
        new Request('http://atelier.test/api/artworks/batch?edition=1&from=a&to=z&exp=9999999999&sig=x'),
      )
    ).status,
  ).toBe(404);
});

test('a withdrawn work is removed from every snapshot, older ones included', async () => {
  const [older, newer] = [
    await paid({ snapshot: 2, quantity: 1000 }),
    await paid({ snapshot: 3, quantity: 1000 }),
  ];
  expect(older.body.snapshot.works).toBe(newer.body.snapshot.works + 1);
  expect(older.body.downloads.map(idOf)).toEqual(newer.body.downloads.map(idOf));
});

test('the manifest is computed from the stored works and signed', async () => {
  const { body } = await manifest();
  const { cost: _, next_steps: __, warnings: ___, signature, ...rest } = body;
  expect(rest.manifests.ab2013.disclosures).toHaveLength(12);
  expect(rest.museums[0]).toMatchObject({ museum: 'met', works: 239, source: 'works.jsonl' });
  expect(rest.works_by_basis).toEqual({ museum_data: 239, starter_catalogue: rest.snapshot.works - 239 });
  expect(rest.museums[0]).toMatchObject({ terms: null, evidence_url: expect.stringMatching(/^https:/) });
  expect(rest.manifests.ab2013.disclosures[0].evidence_url).toBe(body.croissant_url);
  expect(rest.manifests.ab2013.total_works).toBe(rest.snapshot.works);
  expect(rest.opt_out_log).toMatchObject([{ credit_id: 'met_1000', reason: 'asked for by the heirs' }]);
  expect(Object.keys(rest.manifests.eu_ai_act.template.sections)).toContain('2.5 synthetic data');
  const claims = JSON.parse(Buffer.from(signature.split('.')[1], 'base64url').toString());
  expect(claims).toMatchObject({
    snapshot: rest.snapshot.id,
    snapshot_sha256: rest.snapshot.sha256,
    manifest_sha256: createHash('sha256').update(sorted(rest)).digest('hex'),
  });
});

test('a manifest can be limited to one regulation', async () => {
  const { body } = await manifest({ regulation: 'eu_ai_act' });
  expect(Object.keys(body.manifests)).toEqual(['eu_ai_act']);
});

/** RFC 8785, for the values that occur in a manifest. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${sorted(member)}`).join(',')}}`;
}
