import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { scene } from './support/scene.ts';

/** A picture that is only on a person's machine, from the tool that asks for it to the tool that works with it. */

const picture = await scene(1, 64, 48);
const half = picture.subarray(0, Math.floor(picture.length / 2));
const sha256 = createHash('sha256').update(picture).digest('hex');

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const ask = async (input: object = {}) => (await app.post('/api/tools/request_upload', input)).body;
const send = async (url: string, bytes: Uint8Array, method = 'PUT') => {
  const response = await app.fetch(new Request(url, { method, body: bytes as never }));
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test('the file is uploaded by the link, under the handle announced before', async () => {
  const { handle, upload_url, state } = await ask();
  expect([state, (await ask({ upload: handle })).state]).toEqual(['waiting', 'waiting']);
  expect(await send(upload_url, picture)).toMatchObject({ status: 200, body: { uri: handle, sha256 } });
  expect(await ask({ upload: handle })).toMatchObject({ state: 'arrived', size_bytes: picture.length });
  expect((await app.post('/api/tools/extract_palette', { image: handle })).status).toBe(200);
});

test('a link accepts one file and rejects a second', async () => {
  const { upload_url } = await ask();
  await send(upload_url, picture);
  expect(await send(upload_url, picture, 'POST')).toMatchObject({
    status: 422,
    body: { code: 'upload_link_used' },
  });
});

test('a file that does not match the expectation leaves the link open', async () => {
  const { upload_url, handle } = await ask({ expect_sha256: sha256.toUpperCase() });
  expect(await send(upload_url, half)).toMatchObject({ status: 422 });
  expect((await ask({ upload: handle })).state).toBe('waiting');
  expect((await send(upload_url, picture)).status).toBe(200);
});

test('in a browser the link is a page that shows when it has expired', async () => {
  const { upload_url } = await ask();
  const path = new URL(upload_url).pathname;
  expect((await app.get(path)).text).toContain('Choose an image');
  await send(upload_url, picture);
  expect((await app.get(path)).text).toContain('A file was uploaded with this link.');
  expect((await app.get(path.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).text).toContain(
    'This link has expired',
  );
});

describe('expectations beside an image', () => {
  const image = picture.toString('base64');
  const call = (more: object, tool = 'extract_palette') => app.post(`/api/tools/${tool}`, { image, ...more });

  test('a matching image is processed', async () => {
    const { status, body } = await call({ expect_sha256: sha256, expect_bytes: picture.length });
    expect([status, JSON.stringify(body.warnings ?? [])]).toEqual([
      200,
      expect.not.stringContaining('expect_'),
    ]);
  });

  test.each([
    [{ expect_bytes: picture.length + 1 }, 'bytes_differ', 'The transfer is incomplete.'],
    [{ expect_sha256: '0'.repeat(64) }, 'bytes_differ', `image has the sha256 ${sha256}`],
    [{ expect_sha256: 'abc' }, 'invalid_input', 'must be the sha256 as 64 hex digits'],
    [{ expect_bytes: '12' }, 'invalid_input', 'expect_bytes'],
  ])('%j is refused as %s', async (more, code, detail) => {
    expect((await call(more)).body).toMatchObject({ code, detail: expect.stringContaining(detail) });
    expect((await call({ ...more, dry_run: true })).body).toMatchObject({ code });
  });

  test('a tool without an image field rejects the expectation as unknown', async () => {
    const { body } = await app.post('/api/tools/search_tools', { query: 'x', expect_bytes: 1 });
    expect(body.warnings).toEqual([expect.stringContaining('"expect_bytes" was ignored')]);
  });

  test('a truncated image is rejected with the received size', async () => {
    const { body } = await call({ image: half.toString('base64') });
    expect(body).toMatchObject({
      code: 'undecodable_image',
      detail: expect.stringContaining(`after ${half.length} bytes`),
    });
  });
});

test('requesting many links is rate-limited', async () => {
  const last = async (): Promise<number> => {
    const { status } = await app.post('/api/tools/request_upload', {});
    return status === 200 ? last() : status;
  };
  expect(await last()).toBe(429);
});
