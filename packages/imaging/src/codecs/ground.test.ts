import sharp from 'sharp';
import { expect, test } from 'vitest';
import { fingerprintOf } from '../fingerprint/fingerprint.ts';
import { groundFor } from './ground.ts';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
const create = (width: number, height: number, background: string) =>
  ({ create: { width, height, channels: 4, background } }) as const;
const drawn = (color: string, boxes: readonly Box[]) =>
  sharp(create(200, 200, '#00000000'))
    .composite(
      boxes.map(({ left, top, width, height }) => ({ input: create(width, height, color), left, top })),
    )
    .png()
    .toBuffer();
const SIGN = [
  { left: 20, top: 30, width: 120, height: 120 },
  { left: 120, top: 20, width: 60, height: 40 },
];
const BARS = [
  { left: 10, top: 10, width: 30, height: 180 },
  { left: 90, top: 60, width: 90, height: 30 },
];

test.each([
  ['black', '#000000', '#ffffff'],
  ['#102040', '#000000', '#ffffff'],
  ['white', '#000000', '#000000'],
  ['white', '#ffffff', '#000000'],
  ['#808080', '#ffffff', '#ffffff'],
] as const)(
  'a transparent %s drawing with default background %s gets background %s',
  async (color, usual, ground) => {
    expect(await groundFor(await drawn(color, SIGN), usual)).toBe(ground);
  },
);

test('two black drawings on transparency have different hashes', async () => {
  const [one, other] = await Promise.all(
    [SIGN, BARS].map(async (boxes) =>
      fingerprintOf({ bytes: await drawn('black', boxes), purpose: 'verify' }),
    ),
  );
  expect(one!.hashes[0]).not.toEqual(other!.hashes[0]);
  expect(Math.min(one!.quality, other!.quality)).toBeGreaterThan(0);
});
