import { expect, test } from 'vitest';
import { sharp } from '../codecs/sharp.ts';
import { compareEnlarged } from './compare_enlarged.ts';

/** Discs on a gradient, as PNG. */
const drawn = async (side: number, lighten = 0) => {
  const levels = Uint8ClampedArray.from({ length: side * side }, (_, at) => {
    const [x, y] = [((at % side) + 0.5) / side, (Math.floor(at / side) + 0.5) / side];
    return (Math.hypot((x * 4) % 1, (y * 4) % 1) - 0.6) * side > 0
      ? 70 + 60 * y + lighten
      : 190 - 60 * x + lighten;
  });
  const raw = { width: side, height: side, channels: 1 } as const;
  return { bytes: await sharp(Buffer.from(levels), { raw }).png().toBuffer(), width: side, height: side };
};

test('a faithful enlargement scores high when reduced, and a recoloured one does not', async () => {
  const { bytes } = await drawn(96);
  const [same, lighter] = [
    (await compareEnlarged(bytes, await drawn(384))).quality,
    (await compareEnlarged(bytes, await drawn(384, 40))).quality,
  ];
  expect(same).toMatchObject({ compared_at: 'source_size', halo_percent: 0 });
  expect(same.psnr_db).toBeGreaterThan(25);
  expect(lighter.psnr_db).toBeLessThan(17);
  expect(lighter.halo_percent).toBeGreaterThan(20);
  expect(lighter.delta_e00_mean).toBeGreaterThan(5);
});
