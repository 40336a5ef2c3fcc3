import { expect, test } from 'vitest';
import { hostilePictures } from '../../../../tests/fixtures/hostile/hostile_pictures.ts';
import { scene } from '../../../../tests/support/scene.ts';
import { sharp } from '../codecs/sharp.ts';
import { differenceOf } from '../difference/difference.ts';
import { EngineError } from '../errors/engine_error.ts';
import { fingerprintOf } from './fingerprint.ts';

test('the same picture has the same fingerprint, and more is asked than is kept', async () => {
  const bytes = await scene(3);
  const [one, other] = [
    await fingerprintOf({ bytes, purpose: 'register' }),
    await fingerprintOf({ bytes, purpose: 'register' }),
  ];
  const asked = await fingerprintOf({ bytes, purpose: 'verify' });

  expect(other).toEqual(one);
  expect(one).toMatchObject({ quality: 100, width: 640, height: 480 });
  expect(one.windows.length / 32).toBeGreaterThan(20);
  expect(asked.windows.length).toBeGreaterThan(4 * one.windows.length);
});

test.each([
  ['one pixel', 1, 1, 3],
  ['a line', 3000, 1, 3],
  ['a strip', 4, 2000, 4],
  ['grey', 300, 200, 1],
  ['grey with alpha', 300, 200, 2],
] as const)('%s has a fingerprint, and can be laid on nothing', async (_what, width, height, channels) => {
  const data = Uint8Array.from({ length: width * height * channels }, (_, at) => (at * 37) % 251);
  const bytes = await sharp(data, { raw: { width, height, channels } }).png().toBuffer();
  const fingerprint = await fingerprintOf({ bytes, purpose: 'verify' });
  const original = await scene(3);

  expect(fingerprint).toMatchObject({ width, height });
  expect(await differenceOf({ bytes, original })).toBeUndefined();
});

test('hostile pictures are answered or refused', async () => {
  const some = (await hostilePictures()).filter((_, at) => at % 12 === 0);
  for (const { name, bytes } of some) {
    const answer = await fingerprintOf({ bytes, purpose: 'verify' }).catch((error: unknown) => error);
    if (answer instanceof Error) expect([name, answer]).toEqual([name, expect.any(EngineError)]);
    else expect(answer).toMatchObject({ hashes: { length: 8 } });
  }
});
