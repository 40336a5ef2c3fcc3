import { gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { compressAnswers, holdsFile, withEtag } from './respond.ts';

const TEXT = JSON.stringify({ text: 'word '.repeat(2000) });
const BY_GZIP = { 'Accept-Encoding': 'br;q=0.1, gzip' };

const app = new Hono<{ Variables: { holdsFile?: boolean } }>();
app.use(compressAnswers());
const json = (text: string) => new Response(text, { headers: { 'Content-Type': 'application/json' } });
const asFound = { cacheSeconds: 0, hasParts: false };
app.get('/document', (c) => withEtag(c.req.raw, json(TEXT), asFound));
app.get('/short', (c) => {
  c.header('Content-Length', '2');
  return c.json({});
});
app.get('/drawing', (c) => {
  const drawing = new Response(TEXT, { headers: { 'Content-Type': 'image/svg+xml' } });
  return withEtag(c.req.raw, drawing, { cacheSeconds: 0, hasParts: true });
});
app.get('/picture', (c) => {
  c.set('holdsFile', true);
  return json(TEXT);
});

test('a document is compressed for clients that accept gzip', async () => {
  const answer = await app.request('/document', { headers: BY_GZIP });
  expect(answer.headers.get('Content-Encoding')).toBe('gzip');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.length).toBeLessThan(TEXT.length / 20);
  expect(gunzipSync(bytes).toString()).toBe(TEXT);
});

test.each([
  ['/document', {}],
  ['/document', { 'Accept-Encoding': 'gzip;q=0, br' }],
  ['/short', BY_GZIP],
  ['/drawing', { ...BY_GZIP, Range: 'bytes=0-99' }],
  ['/picture', BY_GZIP],
])('%s is sent uncompressed for %o', async (path, headers) => {
  const answer = await app.request(path, { headers: { ...headers } });
  expect(answer.headers.get('Content-Encoding')).toBeNull();
});

test('each encoding has its own strong ETag, identical for HEAD', async () => {
  const tags = [];
  for (const [method, headers] of [
    ['GET', BY_GZIP],
    ['HEAD', BY_GZIP],
    ['GET', {}],
  ] as const)
    tags.push((await app.request('/document', { method, headers: { ...headers } })).headers.get('ETag'));
  expect(tags[0]).toMatch(/^"[\w-]+-gzip"$/);
  expect(tags).toEqual([tags[0], tags[0], tags[0]?.replace('-gzip', '')]);
});

test('an interrupted download resumes only with the same representation', async () => {
  const etags = [];
  for (const [headers, status] of [
    [BY_GZIP, 200],
    [{}, 200],
    [{ ...BY_GZIP, Range: 'bytes=0-99' }, 206],
  ] as const) {
    const answer = await app.request('/drawing', { headers: { ...headers } });
    expect(answer.status).toBe(status);
    etags.push(answer.headers.get('ETag')!);
  }
  const [compressed, whole, part] = etags as [string, string, string];
  expect([part === whole, part === compressed]).toEqual([true, false]);
  const goOn = { ...BY_GZIP, Range: 'bytes=100-', 'If-Range': compressed };
  const answer = await app.request('/drawing', { headers: goOn });
  expect([answer.status, answer.headers.get('Content-Encoding'), answer.headers.get('ETag')]).toEqual([
    200,
    null,
    whole,
  ]);
});

test('a client that has the compressed response cached gets 304', async () => {
  const { headers } = await app.request('/document', { headers: BY_GZIP });
  const again = { ...BY_GZIP, 'If-None-Match': headers.get('ETag')! };
  expect((await app.request('/document', { headers: again })).status).toBe(304);
});

test.each([
  [{ image_b64: 'a'.repeat(100_000) }, true],
  [{ data: 'a'.repeat(100_000) }, true],
  [{ svg_content: 'a'.repeat(100_000) }, false],
  [{ image_b64: 'short', data: 7 }, false],
])('case %#: a response contains a file when it has the bytes', (body, expected) => {
  expect(holdsFile(body)).toBe(expected);
});
