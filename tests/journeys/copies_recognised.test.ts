import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { scene } from '../support/scene.ts';

/** Copies of a registered picture, changed as copies are. */

const WALLET = '0x00000000000000000000000000000000000000c4';
let app: TestApp;
let picture: Buffer;
let hashId: string;

beforeAll(async () => {
  app = await openTestApp();
  picture = await scene(1);
  await app.post('/api/wallet/register', { wallet: WALLET });
  const sent = { image: picture.toString('base64'), title: 'Waves', artist: 'Ada' };
  const { body } = await app.post('/api/tools/register_hash', sent, { Authorization: `Bearer ${WALLET}` });
  hashId = body.hash_id;
});
afterAll(() => app?.close());

const jpeg = { quality: 75 };

test.each([
  ['at half the size', 'same_picture', () => sharp(picture).resize(320).webp({ quality: 80 })],
  ['turned by 90°', 'altered', () => sharp(picture).rotate(90).jpeg(jpeg)],
  ['mirrored', 'altered', () => sharp(picture).flop().jpeg(jpeg)],
  ['turned by 17°', 'altered', () => sharp(picture).rotate(17, { background: '#fff' }).jpeg(jpeg)],
  [
    'in a frame',
    'altered',
    () => sharp(picture).extend({ top: 60, bottom: 60, left: 60, right: 60, background: '#222' }),
  ],
])('a copy %s is recognised', async (_how, verdict, copy) => {
  const image = (await copy().toBuffer()).toString('base64');
  const { body } = await app.post('/api/tools/verify_provenance', { image });
  expect(body).toMatchObject({ match_found: true, verdict, best_match: { credit_id: hashId } });
  expect(body.witnesses).toContainEqual(expect.objectContaining({ witness: 'hash', finding: 'agree' }));
  expect(body.chance_match).toBeLessThan(1e-6);
});
