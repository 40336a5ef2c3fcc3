import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { DeepRaster } from '@atelier/imaging/pixels/raster.ts';
import { keyedRandom } from '@atelier/imaging/watermark/keyed_random.ts';

/** Noise at several scales: generated, and as detailed as a photograph. */
export function clouds(width: number, height: number, channels: 1 | 3 | 4 = 3): DeepRaster {
  const next = keyedRandom(7);
  const grids = [128, 64, 32, 16, 8].map((cell) => ({
    cell,
    level: Float32Array.from({ length: 2000 }, () => (next() / 2 ** 32 - 0.5) * cell),
  }));
  const samples = new Uint8Array(width * height * channels);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    let value = 128;
    for (const { cell, level } of grids) {
      const [u, v] = [x / cell, y / cell];
      const corner = (i: number, j: number) => level[((Math.floor(u) + i) * 31 + Math.floor(v) + j) % 2000]!;
      const [du, dv] = [u % 1, v % 1];
      value +=
        (1 - dv) * ((1 - du) * corner(0, 0) + du * corner(1, 0)) +
        dv * ((1 - du) * corner(0, 1) + du * corner(1, 1));
    }
    for (let channel = 0; channel < channels; channel++)
      samples[at * channels + channel] =
        channel === 3 ? 255 : Math.max(0, Math.min(255, value + 6 * channel));
  }
  return { width, height, channels, data: samples };
}

/** The raster as PNG. */
export const pngOf = ({ width, height, channels, data: samples }: DeepRaster) =>
  sharp(samples, { raw: { width, height, channels } }).png({ compressionLevel: 1 }).toBuffer();
