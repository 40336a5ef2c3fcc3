import { sharp } from '@atelier/imaging/codecs/sharp.ts';

const LUMA = [65.481 / 255, 128.553 / 255, 24.966 / 255];

/**
 * PSNR in dB of the luma of BT.601 (with the weights usual in papers), without a border of this many pixels.
 */
export async function lumaPsnr(one: Uint8Array, other: Uint8Array, border: number): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((bytes) =>
      sharp(bytes).toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true }),
    ),
  );
  const { width, height } = a!.info;
  let [sum, count] = [0, 0];
  for (let y = border; y < height - border; y += 1)
    for (let x = border; x < width - border; x += 1) {
      const at = 3 * (y * width + x);
      const apart = LUMA.reduce(
        (total, weight, color) => total + weight * (a!.data[at + color]! - b!.data[at + color]!),
        0,
      );
      sum += apart * apart;
      count += 1;
    }
  return 10 * Math.log10((255 * 255 * count) / sum);
}
