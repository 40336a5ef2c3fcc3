import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { scene } from '../../../../tests/support/scene.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';

const WALLET = '0x00000000000000000000000000000000000000c3';
const PROVENANCE_URI = 'ipfs://bafkreif5bdcabf3lfjtvos3tvuov627xai5qwwnc5dzs53l3tcpp4opgdy';
let app: TestApp;
let picture: Buffer;
let hashId: string;

beforeAll(async () => {
  app = await openTestApp();
  picture = await scene(1);
  await app.post('/api/wallet/register', { wallet: WALLET });
  const { body } = await app.post(
    '/api/tools/register_hash',
    { image: picture.toString('base64'), title: 'Waves', artist: 'Ada', provenance_uri: PROVENANCE_URI },
    { Authorization: `Bearer ${WALLET}` },
  );
  hashId = body.hash_id;
});
afterAll(() => app?.close());

const verify = async (image: Buffer) =>
  app.post('/api/tools/verify_provenance', { image: image.toString('base64') });
const findings = (body: { witnesses: { witness: string; finding: string }[] }) =>
  Object.fromEntries(body.witnesses.map(({ witness, finding }) => [witness, finding]));

test('the registered file itself is recognised with its creator', async () => {
  const { body } = await verify(picture);
  expect(body).toMatchObject({
    match_found: true,
    total_matches: 1,
    confidence: 1,
    verdict: 'identical',
    best_match: {
      artist: 'Ada',
      title: 'Waves',
      credit_id: hashId,
      provenance_uri: PROVENANCE_URI,
      similarity: 1,
    },
    cost: { credit: 0 },
  });
  expect(findings(body)).toMatchObject({ hash: 'agree', file: 'agree' });
});

describe('a copy is recognised', () => {
  const jpeg = { quality: 75 };
  test.each([
    ['saved as JPEG', 'same_picture', () => sharp(picture).jpeg(jpeg)],
    [
      'cropped by a quarter',
      'altered',
      () => sharp(picture).extract({ left: 60, top: 90, width: 500, height: 370 }).jpeg(jpeg),
    ],
  ])('%s', async (_how, verdict, copy) => {
    const { body } = await verify(await copy().toBuffer());
    expect(body).toMatchObject({ match_found: true, verdict, best_match: { credit_id: hashId } });
    expect(findings(body)).toMatchObject({ hash: 'agree', file: 'absent' });
    expect(body.chance_match).toBeLessThan(1e-6);
  });
});

test('a later registration of a better copy ranks after the first, also for a crop', async () => {
  const better = await scene(5, 480, 360);
  const registered: string[] = [];
  for (const image of [await sharp(better).jpeg({ quality: 40 }).toBuffer(), better]) {
    const wallet = `0x${'d'.repeat(39)}${registered.length}`;
    await app.post('/api/wallet/register', { wallet });
    const { body } = await app.post(
      '/api/tools/register_hash',
      { image: image.toString('base64') },
      { Authorization: `Bearer ${wallet}` },
    );
    registered.push(body.hash_id);
  }
  const crop = await sharp(better).extract({ left: 40, top: 20, width: 375, height: 285 }).png().toBuffer();
  const { body } = await verify(crop);
  expect(body.matches.map(({ credit_id }: { credit_id: string }) => credit_id)).toEqual(registered);
  expect(body.best_match.credit_id).toBe(registered[0]);
  expect(body.confidence).toBe(1 - body.chance_match);
  for (const match of body.matches)
    expect(match).toMatchObject({ found_by: 'windows', confidence: 1 - match.chance_match });
});

test('the changes made to a copy are described and shown', async () => {
  const patch = await sharp({ create: { width: 120, height: 90, channels: 3, background: '#c03030' } })
    .png()
    .toBuffer();
  const edited = await sharp(picture)
    .composite([{ input: patch, left: 300, top: 150 }])
    .png()
    .toBuffer();
  const copy = await sharp(edited)
    .extract({ left: 64, top: 48, width: 512, height: 384 })
    .flop()
    .jpeg()
    .toBuffer();
  const { difference, summary } = (await verify(copy)).body;
  const box = { x: 0.1, y: 0.1, width: 0.8, height: 0.8 };
  const xs = difference.changed_regions[0].polygon.map(([x]: number[]) => x);
  const heatMap = await sharp(Buffer.from(difference.heat_map_b64, 'base64')).metadata();

  for (const [side, value] of Object.entries(box)) expect(difference.crop_box[side]).toBeCloseTo(value, 1.7);
  expect(difference).toMatchObject({ mirrored: true, rotation_degrees: 0, beyond_share: 0 });
  expect(difference.changed_regions).toHaveLength(1);
  // 300 to 420 of 64 to 576, mirrored.
  expect(Math.min(...xs)).toBeCloseTo((576 - 420) / 512, 1);
  expect(Math.max(...xs)).toBeCloseTo((576 - 300) / 512, 1);
  expect(heatMap).toMatchObject({ format: 'png', width: 256 });
  expect(summary).toMatch(/mirrored, cropped to \d\d % of the registered image, changed in one place/);
});

test('an unregistered image is reported as unknown, not as fake', async () => {
  const { body } = await verify(await scene(2));
  expect(body).toMatchObject({
    match_found: false,
    total_matches: 0,
    matches: [],
    confidence: 0,
    best_match: null,
    chance_match: null,
    verdict: 'unknown',
    summary: expect.stringContaining('is not a warning'),
  });
  expect(JSON.stringify(body)).not.toMatch(/fake/i);
  expect(new Set(Object.values(findings(body)))).toEqual(new Set(['absent']));
});

test('a featureless image is not compared by perceptual hash', async () => {
  const { body } = await verify(Buffer.from(EXAMPLE_PNG_B64, 'base64'));
  expect(body).toMatchObject({ match_found: false, quality: 1, verdict: 'unknown' });
  expect(body.witnesses[0].sentence).toContain('too little detail');
});
