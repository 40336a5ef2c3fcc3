import { createPublicKey, verify } from 'node:crypto';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { scene } from '../support/scene.ts';

/**
 * What the signed statement of a marked picture says was measured, repeated by somebody who has the statement, both pictures and tools of
 * his own: PSNR from the samples, survival by saving the picture anew and asking the free detector.
 */

let app: TestApp;
let original: Buffer;
let marked: Buffer;
let said: { psnr_db: number; survives: Record<string, string> };
beforeAll(async () => {
  app = await openTestApp();
  original = Buffer.from(await scene(7, 640, 480));
  const { body } = await app.post('/api/tools/watermark_embed', {
    image: original.toString('base64'),
    payload: 'Ada, 17',
  });
  marked = Buffer.from(body.image_b64, 'base64');
  said = await claimsOf(body.statement);
}, 240_000);
afterAll(() => app?.close());

/** Checked with the published key, by Node alone. */
async function claimsOf(statement: string) {
  const [header, payload, signature] = statement.split('.') as [string, string, string];
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const { keys } = (await app.get('/.well-known/jwks.json')).body;
  const key = createPublicKey({ key: keys.find((each: { kid: string }) => each.kid === kid), format: 'jwk' });
  expect(verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(
    true,
  );
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).measured;
}

test('the signal-to-noise ratio matches the samples within 2 %', async () => {
  const [before, after] = await Promise.all(
    [original, marked].map((bytes) => sharp(bytes).toColourspace('srgb').removeAlpha().raw().toBuffer()),
  );
  const squares = before!.reduce((sum, sample, at) => sum + (sample - after![at]!) ** 2, 0);
  const psnr = 10 * Math.log10((255 ** 2 * before!.length) / squares);
  expect(Math.abs(said.psnr_db / psnr - 1)).toBeLessThan(0.02);
});

/** From least to most. */
const LEFT = ['lost', 'id', 'payload'];
const SAVED: readonly (readonly [name: string, save: () => Promise<Buffer>])[] = [
  ['jpeg_75', () => sharp(marked).jpeg({ quality: 75 }).toBuffer()],
  ['jpeg_50', () => sharp(marked).jpeg({ quality: 50 }).toBuffer()],
  ['webp_80', () => sharp(marked).webp({ quality: 80, effort: 2 }).toBuffer()],
  ['resize_50', () => sharp(marked).resize({ width: 320 }).png().toBuffer()],
  ['blur_1', () => sharp(marked).blur(1).png().toBuffer()],
  ['brightness_20', () => sharp(marked).linear(1.2, 0).png().toBuffer()],
];

test.each(SAVED)(
  'after %s the detector reads at least as much as the statement claims',
  async (name, save) => {
    const image = (await save()).toString('base64');
    const { body } = await app.post('/api/tools/watermark_detect', { image });
    const left = body.payload_source === 'picture' ? 'payload' : body.watermark_found ? 'id' : 'lost';
    expect(LEFT.indexOf(left)).toBeGreaterThanOrEqual(LEFT.indexOf(said.survives[name]!));
  },
);
