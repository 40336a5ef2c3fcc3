import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';

const wallet = `0x${'7a'.repeat(20)}`;
let app: TestApp;
const call = async (tool: string, body: object) =>
  app.post(`/api/tools/${tool}`, { wallet, ...body }, { Authorization: `Bearer ${wallet}` });

beforeAll(async () => {
  app = await openTestApp();
  await app.post('/api/wallet/register', { wallet });
});
afterAll(() => app.close());

test('a deleted file is listed and can be restored by key', async () => {
  await call('save_asset', { key: 'a.txt', data: 'b25l', content_type: 'text/plain' });
  await call('delete_asset', { key: 'a.txt' });
  const { items } = (await call('manage_trash', {})).body;
  expect(items).toMatchObject([{ key: 'a.txt', deleted: true }]);
  const { body } = await call('manage_trash', { action: 'restore', key: 'a.txt' });
  expect(body.restored).toMatchObject({ key: 'a.txt', size_bytes: 3 });
  expect((await call('manage_trash', {})).body.items).toEqual([]);
});

test('an earlier version can be restored by ID', async () => {
  for (const data of ['b25l', 'dHdv'])
    await call('save_asset', { key: 'b', data, content_type: 'text/plain' });
  const { items } = (await call('manage_trash', { action: 'versions', key: 'b' })).body;
  await call('manage_trash', { action: 'restore', id: items[0].id });
  expect((await call('get_asset', { key: 'b' })).body.data).toBe('b25l');
});

test.each([{ action: 'versions' }, { action: 'restore' }])(
  '%j is rejected with the missing field',
  async (body) => {
    const { status, body: told } = await call('manage_trash', body);
    expect([status, told.code]).toEqual([400, 'invalid_input']);
  },
);

test('one call returns twelve upload links', async () => {
  const { body } = await call('request_upload', { count: 12, wallet: undefined });
  expect(new Set(body.uploads.map(({ handle }: { handle: string }) => handle)).size).toBe(12);
  expect(body.uploads[0]).toEqual({ handle: body.handle, upload_url: body.upload_url });
});

test('a request for a thousand upload links is rejected', async () => {
  expect((await call('request_upload', { count: 1000, wallet: undefined })).status).toBe(400);
});
