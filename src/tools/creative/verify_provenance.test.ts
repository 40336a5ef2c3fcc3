import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../tests/support/open_test_app.ts';
import { scene } from '../../../tests/support/scene.ts';
import { sharp } from '../../engines/picture/sharp.ts';
import { EXAMPLE_PNG_B64 } from '../example_image.ts';

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

test('the registered file itself is told as such, and by whom it is', async () => {
  const { body } = await verify(picture);
  expect(body).toMatchObject({
    ...{ match_found: true, total_matches: 1, confidence: 1, verdict: 'identical' },
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
    ['at half the size', 'same_picture', () => sharp(picture).resize(320).webp({ quality: 80 })],
    ['turned by 90°', 'altered', () => sharp(picture).rotate(90).jpeg(jpeg)],
    ['mirrored', 'altered', () => sharp(picture).flop().jpeg(jpeg)],
    [
      'cropped by a quarter',
      'altered',
      () => sharp(picture).extract({ left: 60, top: 90, width: 500, height: 370 }).jpeg(jpeg),
    ],
    ['turned by 17°', 'altered', () => sharp(picture).rotate(17, { background: '#fff' }).jpeg(jpeg)],
    [
      'in a frame',
      'altered',
      () => sharp(picture).extend({ top: 60, bottom: 60, left: 60, right: 60, background: '#222' }),
    ],
  ])('%s', async (_how, verdict, copy) => {
    const { body } = await verify(await copy().toBuffer());
    expect(body).toMatchObject({ match_found: true, verdict, best_match: { credit_id: hashId } });
    expect(findings(body)).toMatchObject({ hash: 'agree', file: 'absent' });
    expect(body.chance_match).toBeLessThan(1e-6);
  });
});

test('a picture nobody registered is unknown, which is not called fake', async () => {
  const { body } = await verify(await scene(2));
  expect(body).toMatchObject({
    ...{ match_found: false, total_matches: 0, confidence: 0, best_match: null, chance_match: null },
    verdict: 'unknown',
    summary: expect.stringContaining('says nothing against it'),
  });
  expect(JSON.stringify(body)).not.toMatch(/fake/i);
  expect(new Set(Object.values(findings(body)))).toEqual(new Set(['absent']));
});

test('a flat picture is not compared by its looks', async () => {
  const { body } = await verify(Buffer.from(EXAMPLE_PNG_B64, 'base64'));
  expect(body).toMatchObject({ match_found: false, quality: 1, verdict: 'unknown' });
  expect(body.witnesses[0].sentence).toContain('too flat');
});
