import { expect, test } from 'vitest';
import { scene } from '../../../../tests/support/scene.ts';
import { sharp } from '../codecs/sharp.ts';
import { likenessOf } from './likeness.ts';
import { DIHEDRAL } from './pdq/pdq.ts';

const pixelated = (bytes: Uint8Array) =>
  sharp(bytes).resize(40, 30).resize(640, 480, { kernel: 'nearest' }).png().toBuffer();
const worstJpeg = (bytes: Uint8Array) => sharp(bytes).resize(160, 120).jpeg({ quality: 3 }).toBuffer();

test.each([
  ['coarse pixels', pixelated],
  ['the worst JPEG of a sixteenth', worstJpeg],
])('an image in %s is similar to its original', async (_, spoil) => {
  const original = await scene(3);
  expect(await likenessOf({ bytes: await spoil(original), original, turn: 0 })).toBeGreaterThan(0.8);
});

test.each([
  ['rotate90', (bytes: Uint8Array) => sharp(bytes).rotate(90)],
  ['rotate270', (bytes: Uint8Array) => sharp(bytes).rotate(270)],
  ['flipX', (bytes: Uint8Array) => sharp(bytes).flip()],
  ['flipY', (bytes: Uint8Array) => sharp(bytes).flop()],
] as const)(
  'an image transformed by %s matches its original in exactly one orientation',
  async (_, turned) => {
    const original = await scene(3);
    const bytes = await turned(original).png().toBuffer();
    const likenesses = await Promise.all(
      DIHEDRAL.map((_name, turn) => likenessOf({ bytes, original, turn })),
    );

    expect(likenesses.filter((likeness) => likeness > 0.9)).toHaveLength(1);
  },
);

test('a different image and a flat image are not similar', async () => {
  const [bytes, original] = await Promise.all([scene(3), scene(9)]);
  const flat = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'grey' } })
    .png()
    .toBuffer();

  expect(await likenessOf({ bytes, original, turn: 0 })).toBeLessThan(0.5);
  expect(await likenessOf({ bytes: flat, original, turn: 0 })).toBe(0);
});
