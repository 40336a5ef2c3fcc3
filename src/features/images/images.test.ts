import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { AtelierError, type ErrorCode } from '../../core/errors/atelier_error.ts';
import { ANY_NETWORK, PUBLIC_INTERNET } from '../../core/outbound_http/reach.ts';
import { createImages } from './images.ts';
import { RESULT_PICTURE_BYTES_MAX } from './limits.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAEklEQVR4nGP8z8DAwMDAxAADABcgAQU2cVqkAAAAAElFTkSuQmCC',
  'base64',
);
const PICTURE = { format: 'png', width: 2, height: 3 };
const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';
const signal = new AbortController().signal;

/** Answers the picture for one name and the code for every other. */
const onlyFor = (wanted: string, code: ErrorCode) => async (name: string) => {
  if (name !== wanted) throw new AtelierError(code);
  return { asset: {} as never, bytes: PNG, contentType: 'image/png' };
};

const given = (reach = PUBLIC_INTERNET) => createImages(sources(reach));

function sources(reach = PUBLIC_INTERNET): Parameters<typeof createImages>[0] {
  const upload = onlyFor('u1', 'image_not_found');
  const asset = onlyFor(`${WALLET} my logo`, 'asset_not_found');
  return {
    workspaces: { openHandle: onlyFor('t1', 'image_not_found') },
    uploads: { open: async (id) => (await upload(id)).bytes, nameOf: () => undefined },
    results: {
      open: onlyFor('r1.png', 'result_not_found'),
      verifyLink: (_id, _exp, sig) => sig === 'ours',
      nameOf: () => undefined,
    },
    assets: {
      open: (wallet, key) => asset(`${wallet} ${key}`),
      verifyLink: async ({ sig }) => sig === 'ours',
    },
    artworks: { picture: onlyFor('met_1', 'artwork_not_found') },
    links: { publicUrl: 'http://127.0.0.1:1' },
    reach,
  };
}

const opening = (text: string, wallet?: string, images = given()) =>
  images.open(text, 'image', { signal, ...(wallet && { wallet }) });

test.each([
  PNG.toString('base64'),
  ` ${PNG.toString('base64url')}\n`,
  `data:image/jpeg;name=wrong.jpg;base64,${PNG.toString('base64')}`,
  'upload:u1',
  'UPLOAD:u1',
  'result:r1.png',
  'asset:my logo',
  'artwork:met_1',
  'http://127.0.0.1:1/api/results/r1.png?exp=1&sig=ours',
  `http://127.0.0.1:1/api/assets?wallet=${WALLET}&key=my+logo&exp=1&sig=ours`,
])('%s is resolved to the image', async (text) => {
  expect(await opening(text, WALLET)).toMatchObject({ bytes: PNG, ...PICTURE });
});

test.each([
  ['data:image/png;name=Caf%C3%A9.png;base64,AAAA', 'Café.png'],
  ['asset:photos/2026/sun.png', 'sun.png'],
  ['https://example.com/a/b%20c.jpg?x=1', 'b c.jpg'],
  [`http://127.0.0.1:1/api/assets?wallet=${WALLET}&key=a/my+logo.png&exp=1&sig=ours`, 'my logo.png'],
  ['https://example.com/', undefined],
  ['https://example.com/%2e%2e%2f%00', undefined],
  ['AAAA', undefined],
])('the file behind %s has the name %s', (text, name) => {
  expect(given().nameOf(text)).toBe(name);
});

test('a result of this server may be larger than an upload', async () => {
  const asked: unknown[] = [];
  const results = {
    verifyLink: () => true,
    nameOf: () => undefined,
    open: async (_id: string, options?: object) => {
      asked.push(options);
      return { bytes: PNG, contentType: 'image/png' };
    },
  };
  const images = createImages({ ...sources(), results });
  await opening('result:r1.png', undefined, images);
  await images.read('result:r1.png', 'data', { signal }, 1000);
  expect(asked).toEqual([
    { bytesMax: RESULT_PICTURE_BYTES_MAX, copies: 2 },
    { bytesMax: 1000, copies: 2 },
  ]);
});

test('an image URL is fetched', async () => {
  const server = createServer((_, response) => response.end(PNG));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await opening(`http://127.0.0.1:${port}/cat.png`, undefined, given(ANY_NETWORK))).toMatchObject(
    PICTURE,
  );
  server.close();
});

test.each([
  ['upload:gone', 'image_not_found', ''],
  ['result:gone.png', 'image_not_found', ''],
  ['asset:gone', 'image_not_found', ''],
  ['artwork:met_2', 'image_not_found', ''],
  ['http://127.0.0.1:1/api/results/r1.png?exp=1&sig=forged', 'image_not_found', 'expired or invalid'],
  ['http://127.0.0.1:1/api/results/r1.png', 'invalid_input', 'https://'],
  ['http://127.0.0.1:1/api/gallery/image/0x/a', 'invalid_input', 'https://'],
  ['http://example.com/cat.png', 'invalid_input', 'https://'],
  ['https://127.0.0.1/cat.png', 'invalid_input', 'public internet'],
  ['file:///etc/passwd', 'invalid_input', 'file path'],
  ['C:\\cat.png', 'invalid_input', 'file path'],
  ['ipfs://abc', 'invalid_input', 'not a supported handle'],
  ['/home/me/cat', 'invalid_input', 'file path'],
  ['/home/me/my cat.png', 'invalid_input', 'file path'],
  [' \n', 'invalid_input', 'empty'],
  [Buffer.from('<!DOCTYPE html><html>').toString('base64'), 'unsupported_image', 'HTML page'],
  [Buffer.from('%!PS-Adobe-3.0').toString('base64'), 'unsupported_image', 'PostScript'],
  [Buffer.from('{"error":"not found"}').toString('base64'), 'unsupported_image', 'JSON'],
  [Buffer.from(PNG.toString('base64')).toString('base64'), 'unsupported_image', 'twice'],
  [Buffer.from('upload:u1').toString('base64'), 'unsupported_image', 'handle'],
  [PNG.subarray(0, 12).toString('base64'), 'undecodable_image', ''],
])('%j is rejected with the field and a helpful message', async (text, code, words) => {
  await expect(opening(text, WALLET)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(words),
    details: { errors: [{ field: 'image' }] },
  });
});

test('an asset handle requires a wallet', async () => {
  await expect(opening('asset:my logo')).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('Bearer'),
  });
});

test('bytes of any type can be read, up to a limit', async () => {
  const images = given();
  const read = (maxBytes: number) => images.read('aGVsbG8=', 'data', { signal }, maxBytes);
  expect(Buffer.from(await read(5)).toString()).toBe('hello');
  await expect(read(4)).rejects.toMatchObject({ code: 'payload_too_large' });
  await expect(images.read('upload:u1', 'data', { signal }, 4)).rejects.toMatchObject({
    code: 'payload_too_large',
  });
});
