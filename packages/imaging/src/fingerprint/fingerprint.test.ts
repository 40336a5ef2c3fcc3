import { expect, test } from 'vitest';
import { hostilePictures } from '../../../../tests/fixtures/hostile/hostile_pictures.ts';
import { scene } from '../../../../tests/support/scene.ts';
import { sharp } from '../codecs/sharp.ts';
import { differenceOf } from '../difference/difference.ts';
import { EngineError } from '../errors/engine_error.ts';
import { fingerprintOf, regionCodesOf } from './fingerprint.ts';
import { bitsApart } from './pdq/bits_apart.ts';

test('the fingerprint is deterministic, and queries use more hashes than registration stores', async () => {
  const bytes = await scene(3);
  const [one, other] = [
    await fingerprintOf({ bytes, purpose: 'register' }),
    await fingerprintOf({ bytes, purpose: 'register' }),
  ];
  const asked = await fingerprintOf({ bytes, purpose: 'verify' });

  expect(other).toEqual(one);
  expect(one).toMatchObject({ quality: 100, width: 640, height: 480 });
  expect(one.windows.length / 32).toBeGreaterThan(20);
  expect(asked.windows.length).toBeGreaterThan(2 * one.windows.length);
});

const codesIn = (windows: Uint8Array): Uint8Array[] =>
  Array.from({ length: windows.length / 32 }, (_, at) => windows.subarray(32 * at, 32 * at + 32));
/** Number of registered windows found among those of the query. */
const shared = (kept: Uint8Array, asked: Uint8Array): number =>
  codesIn(kept).filter((code) => codesIn(asked).some((other) => bitsApart(code, other) <= 31)).length;

test('a crop to a quarter shares windows with the original', async () => {
  const bytes = await scene(3);
  const { windows } = await fingerprintOf({ bytes, purpose: 'register' });
  const crop = await sharp(bytes).extract({ left: 90, top: 110, width: 320, height: 240 }).jpeg().toBuffer();
  expect(shared(windows, (await fingerprintOf({ bytes: crop, purpose: 'verify' })).windows)).toBeGreaterThan(
    0,
  );
});

test('an image filling a quarter of a collage matches a region of the collage', async () => {
  const [bytes, ...others] = await Promise.all([3, 4, 5, 6].map((seed) => scene(seed)));
  const { windows } = await fingerprintOf({ bytes: bytes!, purpose: 'register' });
  const tiles = [...others, bytes!].map((input, at) => ({
    input,
    left: 640 * (at % 2),
    top: 480 * (at >> 1),
  }));
  const collage = await sharp({ create: { width: 1280, height: 960, channels: 3, background: 'white' } })
    .composite(tiles)
    .jpeg()
    .toBuffer();
  expect(shared(windows, (await regionCodesOf({ bytes: collage })).windows)).toBeGreaterThan(0);
});

test('an unrelated image shares no window', async () => {
  const [bytes, stranger] = await Promise.all([scene(3), scene(9)]);
  const { windows } = await fingerprintOf({ bytes, purpose: 'register' });
  expect(shared(windows, (await fingerprintOf({ bytes: stranger, purpose: 'verify' })).windows)).toBe(0);
  expect(shared(windows, (await regionCodesOf({ bytes: stranger })).windows)).toBe(0);
});

test.each([
  ['one pixel', 1, 1, 3],
  ['a line', 3000, 1, 3],
  ['a strip', 4, 2000, 4],
  ['grey', 300, 200, 1],
  ['grey with alpha', 300, 200, 2],
] as const)('%s has a fingerprint that can be compared', async (_what, width, height, channels) => {
  const data = Uint8Array.from({ length: width * height * channels }, (_, at) => (at * 37) % 251);
  const bytes = await sharp(data, { raw: { width, height, channels } }).png().toBuffer();
  const fingerprint = await fingerprintOf({ bytes, purpose: 'verify' });
  const original = await scene(3);

  expect(fingerprint).toMatchObject({ width, height });
  expect((await regionCodesOf({ bytes })).windows.length % 32).toBe(0);
  expect(await differenceOf({ bytes, original })).toBeUndefined();
});

test('hostile images are fingerprinted or rejected', async () => {
  const some = (await hostilePictures()).filter((_, at) => at % 12 === 0);
  for (const { name, bytes } of some) {
    const answer = await fingerprintOf({ bytes, purpose: 'verify' }).catch((error: unknown) => error);
    if (answer instanceof Error) expect([name, answer]).toEqual([name, expect.any(EngineError)]);
    else expect(answer).toMatchObject({ hashes: { length: 8 } });
  }
});
