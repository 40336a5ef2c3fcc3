import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { downsamplePlane, downsampleRaster } from './resample.ts';

/** Unmixed foreground and background colours of each pixel; interleaved RGB, 0 to 255. */
export interface Sides {
  readonly width: number;
  readonly height: number;
  readonly foreground: Float32Array;
  readonly background: Float32Array;
}

/** Smoothness between neighbours: weak everywhere, stronger across alpha gradients. */
const SMOOTHNESS = 1e-4;
const SMALL_SIDE_PX = 32;
const SMALL_ROUNDS = 10;
const LARGE_ROUNDS = 2;

/**
 * Estimates foreground and background colours. Source: Germer and others, "Fast multi-level foreground estimation", 2020: each pixel is
 * solved from its compositing equation and its four neighbours, in an image pyramid from one pixel upwards.
 */
export function estimateForeground(picture: Raster, alpha: Plane): Sides {
  const { width, height } = picture;
  const levels = Math.ceil(Math.log2(Math.max(width, height)));
  let sides: Sides = {
    width: 1,
    height: 1,
    foreground: meanSideColor(picture, alpha, 1),
    background: meanSideColor(picture, alpha, 0),
  };
  for (let level = 0; level <= levels; level++) {
    const size = {
      width: Math.max(1, Math.round(width ** (level / Math.max(1, levels)))),
      height: Math.max(1, Math.round(height ** (level / Math.max(1, levels)))),
    };
    sides = nearestOf(sides, size);
    const mixed = { picture: downsampleRaster(picture, size), alpha: downsamplePlane(alpha, size) };
    const rounds = Math.max(size.width, size.height) <= SMALL_SIDE_PX ? SMALL_ROUNDS : LARGE_ROUNDS;
    for (let round = 0; round < rounds; round++) relax(sides, mixed);
  }
  return sides;
}

/** Mean colour of one side. */
function meanSideColor({ channels, data }: Raster, alpha: Plane, side: 0 | 1): Float32Array {
  const mean = new Float64Array(3);
  let total = 1e-9;
  for (let pixel = 0; pixel < alpha.data.length; pixel++) {
    const weight = side === 1 ? alpha.data[pixel]! : 1 - alpha.data[pixel]!;
    total += weight;
    for (let at = 0; at < 3; at++) mean[at]! += weight * data[pixel * channels + at]!;
  }
  return Float32Array.from(mean, (sum) => sum / total);
}

function nearestOf(sides: Sides, { width, height }: { width: number; height: number }): Sides {
  const foreground = new Float32Array(width * height * 3);
  const background = new Float32Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const row = Math.min(sides.height - 1, Math.floor(((y + 0.5) * sides.height) / height)) * sides.width;
    for (let x = 0; x < width; x++) {
      const from = 3 * (row + Math.min(sides.width - 1, Math.floor(((x + 0.5) * sides.width) / width)));
      const to = 3 * (y * width + x);
      for (let at = 0; at < 3; at++) {
        foreground[to + at] = sides.foreground[from + at]!;
        background[to + at] = sides.background[from + at]!;
      }
    }
  }
  return { width, height, foreground, background };
}

/** One in-place pass over all pixels, solving a 2 × 2 system each. */
function relax(
  { width, height, foreground, background }: Sides,
  { picture, alpha }: { picture: Raster; alpha: Plane },
): void {
  const { channels, data } = picture;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      const opacity = alpha.data[pixel]!;
      const rest = 1 - opacity;
      let [total, fr, fg, fb, br, bg, bb] = [0, 0, 0, 0, 0, 0, 0];
      for (let side = 0; side < 4; side++) {
        const u = Math.min(width - 1, Math.max(0, x + (side === 0 ? -1 : side === 1 ? 1 : 0)));
        const v = Math.min(height - 1, Math.max(0, y + (side === 2 ? -1 : side === 3 ? 1 : 0)));
        const other = v * width + u;
        const weight = SMOOTHNESS + Math.abs(opacity - alpha.data[other]!);
        total += weight;
        fr += weight * foreground[other * 3]!;
        fg += weight * foreground[other * 3 + 1]!;
        fb += weight * foreground[other * 3 + 2]!;
        br += weight * background[other * 3]!;
        bg += weight * background[other * 3 + 1]!;
        bb += weight * background[other * 3 + 2]!;
      }
      const ff = opacity * opacity + total;
      const mixed = opacity * rest;
      const gg = rest * rest + total;
      const over = 1 / (ff * gg - mixed * mixed);
      const [r, g, b] = [data[pixel * channels]!, data[pixel * channels + 1]!, data[pixel * channels + 2]!];
      foreground[pixel * 3] = level((gg * (fr + opacity * r) - mixed * (br + rest * r)) * over);
      foreground[pixel * 3 + 1] = level((gg * (fg + opacity * g) - mixed * (bg + rest * g)) * over);
      foreground[pixel * 3 + 2] = level((gg * (fb + opacity * b) - mixed * (bb + rest * b)) * over);
      background[pixel * 3] = level((ff * (br + rest * r) - mixed * (fr + opacity * r)) * over);
      background[pixel * 3 + 1] = level((ff * (bg + rest * g) - mixed * (fg + opacity * g)) * over);
      background[pixel * 3 + 2] = level((ff * (bb + rest * b) - mixed * (fb + opacity * b)) * over);
    }
  }
}

const level = (value: number): number => Math.min(255, Math.max(0, value));
