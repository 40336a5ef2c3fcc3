import { expect, test } from 'vitest';
import type { DeepRaster } from '../pixels/raster.ts';
import { codeMark, sealMessage } from './coded_mark.ts';
import { keyedRandom } from './keyed_random.ts';
import { encodePayload } from './payload_code.ts';
import { sampledSimilarity } from './sampled_similarity.ts';
import { markPixels } from './write_mark.ts';

const grey = (level: (at: number) => number, side = 64): DeepRaster => {
  const samples = Uint8Array.from({ length: side * side }, (_, at) => level(at));
  return { width: side, height: side, channels: 1, data: samples };
};

test('an image has similarity 1 with itself', () => {
  const next = keyedRandom(1);
  const noise = grey(() => next() & 255);
  expect(sampledSimilarity(noise, noise)).toBeCloseTo(1, 6);
});

test('two flat greys differ only in their means', () => {
  const c1 = 2.55 ** 2;
  const expected = (2 * 100 * 110 + c1) / (100 ** 2 + 110 ** 2 + c1);
  expect(
    sampledSimilarity(
      grey(() => 100),
      grey(() => 110),
    ),
  ).toBeCloseTo(expected, 6);
});

test('an image and its inverse have negative similarity', () => {
  const stripes = (light: number) => grey((at) => ((at % 64) % 8 < 4 ? light : 255 - light));
  expect(sampledSimilarity(stripes(55), stripes(200))).toBeLessThan(-0.5);
});

// Nearly black with a few faint stars: no texture masks the change.
test('a night sky is marked within the normal quality budget', () => {
  const next = keyedRandom(2);
  const night = grey(() => (next() % 400 === 0 ? 90 : next() % 4), 1024);
  const { messageClass, bits } = sealMessage(encodePayload('by night'))!;
  const marked = markPixels(night, codeMark({ id: '0123456789ab', messageClass }, bits), 0.5);
  expect(sampledSimilarity(night, marked.raster)).toBeGreaterThan(0.975);
  expect(marked.psnrDb).toBeGreaterThan(42);
});
