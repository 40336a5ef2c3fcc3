import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { newOwner } from '../../../../tests/support/owner.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';

let app: TestApp;
const post = async (body: object, headers = {}) =>
  app.post('/api/tools/post_to_community', { name: 'An agent', ...body }, headers);
const feed = async (place: string) => (await app.get(`/api/${place}`)).body;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a message is posted to the cafe and a signature to the registry', async () => {
  const said = await post({ place: 'cafe', message: 'A tip', category: 'tip' });
  const signed = await post({ place: 'registry', type: 'critic' });
  expect((await feed('cafe/feed')).posts[0]).toEqual(said.body.post);
  expect((await feed('registry/entries')).entries[0]).toEqual(signed.body.entry);
});

test('posting the same text twice returns the first post', async () => {
  const words = { place: 'cafe', message: 'Only once' };
  const [first, second] = [(await post(words)).body, (await post(words)).body];
  expect([second.already_posted, second.post.id]).toEqual([true, first.post.id]);
});

test('an image stored in an open wallet is shown by its path', async () => {
  const { wallet, bare } = await newOwner(app);
  await app.post('/api/tools/save_asset', { wallet, key: 'a/b c.png', data: EXAMPLE_PNG_B64 }, bare);
  const { body } = await post({ place: 'gallery', title: 'Waves', image_url: 'asset:a/b c.png', wallet });
  expect(body.artwork.image_url).toBe(`/api/gallery/image/${wallet}/a/b%20c.png`);
  expect((await app.get(body.artwork.image_url)).status).toBe(200);
});

test('an image in a locked wallet is shown by a one-year link, which locking revokes', async () => {
  const owner = await newOwner(app);
  const session = await owner.signIn();
  const { wallet } = owner;
  await app.post('/api/tools/save_asset', { wallet, key: 'own.png', data: EXAMPLE_PNG_B64 }, session);
  await app.post('/api/wallet/lock', {}, session);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const words = { place: 'gallery', title: 'Mine', image_url: 'asset:own.png' };
  expect((await post({ ...words, wallet })).status).toBe(400);
  expect((await post(words, { Authorization: `Bearer ${wallet}` })).body.code).toBe('wallet_locked');
  const { artwork, image_expires_at: ends } = (await post(words, session)).body;
  const path = artwork.image_url.slice(new URL(artwork.image_url).origin.length);
  expect((await app.get(path)).status).toBe(200);
  expect((Date.parse(ends) - Date.now()) / 86_400_000).toBeGreaterThan(364);
  await app.post('/api/wallet/unlock', {}, session);
  await app.post('/api/wallet/lock', {}, session);
  expect((await app.get(path)).status).toBe(404);
});

test.each([
  [{ place: 'cafe' }, 'message'],
  [{ place: 'registry' }, 'type'],
  [{ place: 'gallery', image_url: 'https://example.com/a.png' }, 'title'],
  [{ place: 'gallery', title: 'A' }, 'image_url'],
  [{ place: 'gallery', title: 'A', image_url: 'upload:1' }, 'image_url'],
  [{ place: 'gallery', title: 'A', image_url: 'http://127.0.0.1/x.png' }, 'image_url'],
  [{ place: 'registry', type: 'critic', message: 'x'.repeat(501) }, 'message'],
])('%j is rejected with the name of the invalid field', async (body, field) => {
  const { status, body: told } = await post(body);
  expect([status, told.errors[0].field]).toEqual([400, field]);
});

test('each place has its own rate limit, shared with the REST API', async () => {
  const busy = await openTestApp();
  const sign = (n: number) => ({ place: 'registry', name: `Agent ${n}`, type: 'critic' });
  for (let n = 0; n < 9; n += 1) await busy.post('/api/tools/post_to_community', sign(n));
  await busy.get('/api/registry/quick-sign?name=Tenth&type=critic');
  expect((await busy.post('/api/tools/post_to_community', sign(10))).status).toBe(429);
  const cafe = { place: 'cafe', name: 'Agent', message: 'Still welcome' };
  expect((await busy.post('/api/tools/post_to_community', cafe)).status).toBe(200);
  await busy.close();
});
