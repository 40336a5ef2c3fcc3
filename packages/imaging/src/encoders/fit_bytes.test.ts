import { expect, test } from 'vitest';
import { type Attempt, fitBytes } from './fit_bytes.ts';

/** An encoder whose file size is linear in pixels and exponential in quality. */
function encoder(bytesAtFull = 1_000_000) {
  const attempts: Attempt[] = [];
  const encode = async (attempt: Attempt) => {
    attempts.push(attempt);
    const { quality, isLossless, scale } = attempt;
    const size = bytesAtFull * scale ** 2 * (isLossless ? 3 : 1.035 ** (quality - 100));
    return { bytes: new Uint8Array(Math.round(size) + 500), width: 1000 * scale, height: 500 * scale };
  };
  return { attempts, encode };
}
const FIRST = { quality: 90, isLossless: false, scale: 1 };
const fit = (bytesMax: number, more: object = {}) => {
  const { attempts, encode } = encoder();
  return fitBytes(encode, { bytesMax, first: FIRST, hasQuality: true, ...more }).then((fitted) => ({
    ...fitted,
    attempts,
  }));
};

test('a file that fits immediately is encoded once', async () => {
  const { attempt, attempts } = await fit(5_000_000);
  expect([attempt, attempts.length]).toEqual([FIRST, 1]);
});

test.each([500_000, 300_000, 150_000])(
  'at %i bytes, the highest quality that fits is near the limit',
  async (bytesMax) => {
    const { attempt, file, attempts } = await fit(bytesMax);
    expect(attempt.scale).toBe(1);
    expect(file.bytes.length).toBeLessThanOrEqual(bytesMax);
    expect(file.bytes.length).toBeGreaterThan(0.9 * bytesMax);
    expect(attempts.length).toBeLessThanOrEqual(8);
  },
);

test('dimensions are reduced once the minimum quality is reached', async () => {
  const { attempt, file, attempts } = await fit(30_000);
  expect(attempt.quality).toBe(35);
  expect(attempt.scale).toBeLessThan(0.6);
  expect(file.bytes.length).toBeLessThanOrEqual(30_000);
  expect(attempts.length).toBeLessThanOrEqual(8);
});

test('a palette is tried before reducing dimensions, and formats without quality skip it', async () => {
  const lossless = { quality: 100, isLossless: true, scale: 1 };
  const second = { ...lossless, isLossless: false };
  const { attempt } = await fit(1_200_000, { first: lossless, second, hasQuality: false });
  expect(attempt).toEqual(second);
  const smaller = await fit(1_200_000, { first: lossless, hasQuality: false });
  expect(smaller.attempt.isLossless).toBe(true);
  expect(smaller.attempt.scale).toBeLessThan(1);
});

test('an unreachable byte limit is rejected with the smallest size reached', async () => {
  await expect(fit(400)).rejects.toMatchObject({
    code: 'unsuitable_image',
    message: expect.stringMatching(/within 400 bytes.*still has \d+/),
  });
});
