import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeMuseums, startFakeMuseums } from './support/fake_museums.ts';
import { answerForMuseums, COMPLETED, MET_PICTURE } from './support/museum_answers.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';

/**
 * What the validator of the Image API asks of a server (github.com/IIIF/image-validator): a picture of 1000 × 1000 pixels in ten by
 * ten squares, each of another colour, so that any part shows which part it is.
 */
const SIDE = 1000;
const SQUARE = 100;
const colourOf = (column: number, row: number): [number, number, number] => [
  15 + 24 * column,
  15 + 24 * row,
  (column * 97 + row * 53) % 256,
];

async function squares(): Promise<Buffer> {
  const data = Buffer.alloc(SIDE * SIDE * 3);
  for (let at = 0; at < SIDE * SIDE; at += 1)
    data.set(colourOf(Math.floor((at % SIDE) / SQUARE), Math.floor(at / SIDE / SQUARE)), at * 3);
  return sharp(data, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .png()
    .toBuffer();
}

const ID = 'met_436535';
let museums: FakeMuseums;
let app: TestApp;
beforeAll(async () => {
  museums = await startFakeMuseums();
  answerForMuseums(museums, await squares());
  app = await openTestApp({ LIVE_WORKS: 'true', ALLOW_PRIVATE_FETCH: 'true', MUSEUM_MIRROR: museums.url });
  expect((await app.get(`/iiif/3/${ID}/info.json`)).status).toBe(200);
});
afterAll(async () => {
  await app.close();
  museums.close();
});

const send = (path: string, headers: Record<string, string> = {}) =>
  app.fetch(new Request(`http://atelier.test${path}`, { headers })) as Promise<Response>;

async function picture(path: string) {
  const response = await send(path);
  expect([path, response.status]).toEqual([path, 200]);
  const bytes = Buffer.from(await response.arrayBuffer());
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const { format } = await sharp(bytes).metadata();
  const at = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels).subarray(0, 3),
  ];
  return { width: info.width, height: info.height, channels: info.channels, format, at, data, response };
}

const near = (got: readonly number[], wanted: readonly number[]) =>
  expect(Math.max(...got.map((level, channel) => Math.abs(level - wanted[channel]!)))).toBeLessThan(8);

describe.each([2, 3] as const)('the Image API %d', (version) => {
  const at = (rest: string) => `/iiif/${version}/${ID}/${rest}`;

  test('a region of the image is exact, by pixels and by percent', async () => {
    for (const [column, row] of [
      [0, 0],
      [9, 0],
      [3, 7],
      [9, 9],
    ] as const) {
      const byPixels = await picture(
        at(`${column * SQUARE},${row * SQUARE},${SQUARE},${SQUARE}/max/0/default.png`),
      );
      expect([byPixels.width, byPixels.height]).toEqual([SQUARE, SQUARE]);
      near(byPixels.at(50, 50), colourOf(column, row));
      near(byPixels.at(99, 99), colourOf(column, row));
      const byShare = await picture(at(`pct:${column * 10},${row * 10},10,10/max/0/default.png`));
      near(byShare.at(1, 1), colourOf(column, row));
    }
  });

  test.each([
    ['full/,250/0/default.jpg', 250, 250],
    ['full/300,/0/default.jpg', 300, 300],
    ['full/300,150/0/default.jpg', 300, 150],
    ['full/!400,200/0/default.jpg', 200, 200],
    ['full/pct:12.5/0/default.jpg', 125, 125],
    ['square/97,/0/default.jpg', 97, 97],
    ['250,0,500,1000/,333/0/default.jpg', 167, 333],
    [version === 3 ? 'full/^1500,/0/default.jpg' : 'full/1500,/0/default.jpg', 1500, 1500],
  ])('%s has %d × %d pixels, each square in its place', async (rest, width, height) => {
    const made = await picture(at(rest));
    expect([made.width, made.height]).toEqual([width, height]);
    if (!rest.startsWith('full')) return;
    for (const [column, row] of [
      [0, 0],
      [8, 2],
      [4, 9],
    ] as const)
      near(
        made.at(Math.floor(((column + 0.5) * width) / 10), Math.floor(((row + 0.5) * height) / 10)),
        colourOf(column, row),
      );
  });

  test('it is mirrored first and turned clockwise then', async () => {
    const part = `0,0,200,100/max`;
    const turned = await picture(at(`${part}/90/default.png`));
    expect([turned.width, turned.height]).toEqual([100, 200]);
    near(turned.at(50, 150), colourOf(1, 0));
    near((await picture(at(`${part}/!0/default.png`))).at(50, 50), colourOf(1, 0));
    near((await picture(at(`${part}/!90/default.png`))).at(50, 150), colourOf(0, 0));
    const tilted = await picture(at(`${part}/30/default.png`));
    expect([tilted.channels, tilted.data[3]]).toEqual([4, 0]);
    expect(tilted.width).toBeGreaterThan(200);
  });

  test('gray is gray, and bitonal black or white', async () => {
    const gray = await picture(at('full/200,/0/gray.png'));
    expect(gray.at(5, 5)[0]).toBe(gray.channels === 1 ? gray.data[5 * 200 + 5] : gray.at(5, 5)[2]);
    const bitonal = await picture(at('full/200,/0/bitonal.png'));
    expect(new Set(bitonal.data)).toEqual(new Set([0, 255]));
  });

  test.each([
    ['jpg', 'jpeg'],
    ['png', 'png'],
    ['webp', 'webp'],
  ])('%s is what it says', async (ending, format) => {
    const { response, ...made } = await picture(at(`full/50,/0/default.${ending}`));
    expect([made.format, response.headers.get('content-type')]).toEqual([format, `image/${format}`]);
  });

  test('the headers allow other sites to show it', async () => {
    const { response } = await picture(at('full/50,50/0/color.jpg'));
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const link = response.headers.get('link');
    expect(link).toContain(`<http://iiif.io/api/image/${version}/level2.json>;rel="profile"`);
    const size = version === 3 ? '50,50' : '50,';
    expect(link).toContain(`<http://atelier.test${at(`full/${size}/0/default.jpg`)}>;rel="canonical"`);
    const again = await send(at('full/50,50/0/color.jpg'), {
      'if-none-match': response.headers.get('etag')!,
    });
    expect(again.status).toBe(304);
  });

  test('info.json contains the id and the supported parameters', async () => {
    const { body, headers } = await app.get(at('info.json'));
    const id = `http://atelier.test/iiif/${version}/${ID}`;
    expect([body['@id'] ?? body.id, body.width, body.height]).toEqual([id, SIDE, SIDE]);
    expect([body['@context'], body.protocol]).toEqual([
      `http://iiif.io/api/image/${version}/context.json`,
      'http://iiif.io/api/image',
    ]);
    expect(body.profile).toEqual(
      version === 3 ? 'level2' : ['http://iiif.io/api/image/2/level2.json', expect.anything()],
    );
    expect(body.tiles).toEqual([{ width: 512, scaleFactors: [1, 2] }]);
    expect(headers.get('content-type')).toContain(version === 3 ? 'application/ld+json' : 'application/json');
    const linked = await app.get(at('info.json'), { accept: 'application/ld+json' });
    expect(linked.headers.get('content-type')).toMatch(/^application\/ld\+json/);
    const plain = await app.get(at('info.json'), { accept: 'application/json' });
    expect(plain.headers.get('content-type')).toBe('application/json');
    for (const { width, height } of body.sizes) await picture(at(`full/${width},${height}/0/default.jpg`));
  });

  test('the base URL of the image redirects to info.json', async () => {
    const { status, headers } = await send(`/iiif/${version}/${ID}`);
    expect([status, headers.get('location')]).toEqual([303, `http://atelier.test${at('info.json')}`]);
  });

  test.each([
    [400, 'all/max/0/default.jpg'],
    [400, '1000,0,10,10/max/0/default.jpg'],
    [400, '0,0,0,10/max/0/default.jpg'],
    [400, 'full/0,/0/default.jpg'],
    [400, 'full/99999,99999/0/default.jpg'],
    [400, 'full/max/400/default.jpg'],
    [400, 'full/max/0/native.jpg'],
    [400, 'full/max/0/default.bmp'],
    [404, 'full/max/0'],
    [404, '../../etc/passwd'],
  ])('%d: %s', async (status, rest) => {
    const { status: got, headers } = await send(at(rest));
    expect([rest, got]).toEqual([rest, status]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test.each(['nobody_1', 'a%2Fb', '%ff%fe', `${'x'.repeat(199)}`, "'or'1'='1"])(
    '404 for the work %s',
    async (id) => {
      for (const rest of ['info.json', 'full/max/0/default.jpg'])
        expect((await send(`/iiif/${version}/${id}/${rest}`)).status).toBe(404);
    },
  );
});

describe('Presentation 3', () => {
  test('a manifest names the work, its rights and the image', async () => {
    const { body } = await app.get(`/iiif/manifest/${ID}`);
    expect(body).toMatchObject({
      id: `http://atelier.test/iiif/manifest/${ID}`,
      type: 'Manifest',
      label: { none: ['A Field'] },
      rights: 'http://creativecommons.org/publicdomain/zero/1.0/',
      items: [{ type: 'Canvas', width: SIDE, height: SIDE }],
    });
    const [canvas] = body.items;
    const [annotation] = canvas.items[0].items;
    expect([annotation.motivation, annotation.target]).toEqual(['painting', canvas.id]);
    const shown = await picture(new URL(annotation.body.id).pathname);
    expect([shown.width, shown.height]).toEqual([annotation.body.width, annotation.body.height]);
    expect(annotation.body.service[0].id).toBe(`http://atelier.test/iiif/3/${ID}`);
    await picture(new URL(body.thumbnail[0].id).pathname);
    const rights = body.metadata.at(-1).value.en[0];
    expect(rights).toMatch(/isPublicDomain is true in the museum's data, read on \d{4}-/);
  });

  test('a missing image is 404', async () => {
    expect((await app.get('/iiif/collection')).body).toMatchObject({ type: 'Collection', items: [] });
    for (const path of [
      'collection/met',
      'collection/met/1',
      'changes/1-1',
      'changes/x',
      'manifest/nobody_1',
    ])
      expect([path, (await app.get(`/iiif/${path}`)).status]).toEqual([path, 404]);
    expect((await app.get('/iiif/changes')).body).toMatchObject({ type: 'OrderedCollection', totalItems: 0 });
  });
});

test('of 1,000 simultaneous tiles, each is served or gets Retry-After', async () => {
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, at) =>
      send(`/iiif/3/${ID}/${at % 400},0,${500 + (at % 7)},${at + 1}/max/0/default.jpg`),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  const busy = answers.filter(({ status }) => status === 503);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(busy.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  expect((await send(`/iiif/3/${ID}/full/64,/0/default.jpg`)).status).toBe(200);
});

test('a museum that refuses the image is named, and no partial file is stored', async () => {
  const [, , , addresses] = COMPLETED.find(([id]) => id === 'cleveland_136911')!;
  museums.says(addresses.at(-1)!, { code: 403 });
  const { status, body, headers } = await app.get('/iiif/3/cleveland_136911/info.json');
  expect([status, body.code]).toEqual([503, 'picture_unavailable']);
  expect(body.detail).toContain('Cleveland');
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  museums.asked();
  expect((await send(`/iiif/3/${ID}/0,0,77,77/max/0/default.jpg`)).status).toBe(200);
  expect(museums.asked().filter(({ address }) => address === MET_PICTURE)).toEqual([]);
});
