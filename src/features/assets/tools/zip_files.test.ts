import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { newOwner } from '../../../../tests/support/owner.ts';
import { writeZipByHand } from '../../../../tests/support/write_zip_by_hand.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { readZip } from '../zip/read_zip.ts';

const PNG = Buffer.from(EXAMPLE_PNG_B64, 'base64');
let app: TestApp;
const call = async (tool: string, body: object, headers = {}) =>
  (await app.post(`/api/tools/${tool}`, body, headers)).body;
const upload = async (bytes: Uint8Array, name: string): Promise<string> => {
  const path = `/api/uploads?name=${encodeURIComponent(name)}`;
  const sent = await app.fetch(request(path, { method: 'POST', body: bytes as Uint8Array<ArrayBuffer> }));
  return ((await sent.json()) as { uri: string }).uri;
};
const download = async (url: string) => app.fetch(request(url.slice(new URL(url).origin.length)));
const request = (path: string, init: RequestInit = {}) => new Request(`http://atelier.test${path}`, init);

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('photos keep their upload names through a tool and into one ZIP', async () => {
  const names = ['Küche 1.png', 'IMG_2.PNG', 'IMG_2.png'];
  const photos = await Promise.all(names.map((name) => upload(PNG, name)));
  const steps = [{ tool: 'resize_image', params: { image: '$photo', width: 8, height: 8, format: 'webp' } }];
  const made = await call('run_recipe', { steps, for_each: { photo: photos } });
  const results = made.steps.map(({ answer }: { answer: { result: string } }) => answer.result);
  const packed = await call('zip_files', { files: results, name: 'photos' });
  expect(packed.files.map(({ name }: { name: string }) => name)).toEqual([
    'Küche 1.webp',
    'IMG_2.webp',
    'IMG_2 (2).webp',
  ]);
  const sent = await download(packed.result_url);
  expect(sent.headers.get('content-disposition')).toBe('attachment; filename="photos.zip"');
  const { files } = await readZip(new Uint8Array(await sent.arrayBuffer()));
  expect(files.map(({ name }) => name)).toEqual(packed.files.map(({ name }: { name: string }) => name));
});

test('a result is named after its source image and states its expiry time', async () => {
  const image = await upload(PNG, 'Sonne über Köln.png');
  const made = await call('resize_image', { image, width: 4, height: 4, format: 'jpeg', output: 'url' });
  expect(made.name).toBe('Sonne über Köln.jpg');
  expect(Date.parse(made.expires_at) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  expect((await download(made.result_url)).headers.get('content-disposition')).toContain(
    "filename*=UTF-8''Sonne%20%C3%BCber%20K%C3%B6ln.jpg",
  );
});

test('unpacking a ZIP returns a named handle for each file', async () => {
  const zip = await upload(writeZipByHand([{ name: 'a/sun.png', data: PNG }]), 'photos.zip');
  const { files, expires_at } = await call('zip_files', { zip });
  expect(files).toMatchObject([{ name: 'sun.png', size_bytes: PNG.length, content_type: 'image/png' }]);
  expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
  expect((await call('inspect_image', { image: files[0].handle })).format).toBe('png');
});

test('upload links requested with file names carry the names in their handles', async () => {
  const { uploads } = await call('request_upload', { files: ['one.png', 'two.png'] });
  const [, second] = uploads;
  const path = second.upload_url.slice(new URL(second.upload_url).origin.length);
  await app.fetch(request(path, { method: 'PUT', body: PNG }));
  const made = await call('resize_image', { image: second.handle, width: 4, height: 4, output: 'url' });
  expect([second.name, made.name]).toEqual(['two.png', 'two.png']);
});

test('missing files and files of other wallets are not packed', async () => {
  const owner = await newOwner(app);
  const key = { wallet: owner.wallet, key: 'own.png', data: EXAMPLE_PNG_B64 };
  await app.post('/api/tools/save_asset', key, owner.bare);
  const spender = await owner.makeKey({ scopes: ['spend'] });
  await app.post('/api/wallet/lock', {}, await owner.signIn());
  const other = await newOwner(app);
  const own = { files: [{ file: 'asset:own.png', name: 'x.png' }] };
  expect((await call('zip_files', own, other.bare)).code).toBe('image_not_found');
  expect((await call('zip_files', own, owner.bare)).code).toBe('wallet_locked');
  expect((await call('zip_files', own, spender.header)).code).toBe('scope_denied');
  expect((await call('zip_files', { files: ['upload:1'] })).code).toBe('image_not_found');
});

test('a layer cannot read files of a locked wallet with a key that lacks the scope', async () => {
  const owner = await newOwner(app);
  const key = { wallet: owner.wallet, key: 'own.png', data: EXAMPLE_PNG_B64 };
  await app.post('/api/tools/save_asset', key, owner.bare);
  const spender = await owner.makeKey({ scopes: ['spend'] });
  await app.post('/api/wallet/lock', {}, await owner.signIn());
  const layers = [{ type: 'image', image: 'asset:own.png' }];
  const canvas = { width: 10, height: 10 };
  expect((await call('compose_image', { canvas, layers }, spender.header)).code).toBe('scope_denied');
});

test.each([
  [{}, 'files'],
  [{ files: ['upload:1'], zip: 'upload:1' }, 'files'],
  [{ files: Array.from({ length: 101 }, () => 'upload:1') }, 'files'],
])('%j is rejected', async (body, field) => {
  expect((await call('zip_files', body)).errors[0].field).toBe(field);
});
