import { oklabDistance, oklabOf } from '../palette/oklab.ts';
import type { VisibleParts } from './visible_parts.ts';
import { colorAt, type Fill } from './write_svg.ts';

/** How far a drawing, rendered, is from the picture; both on white. */
export interface RasterError {
  /** Peak signal-to-noise ratio over the three sRGB channels. At most 99. */
  readonly psnrDb: number;
  /** Mean ΔE_OK. */
  readonly meanDeltaE: number;
}

const ROUNDS = 3;
const PSNR_MAX = 99;
/** Pixels looked at for the mean colour difference. */
const SAMPLES = 50_000;

/**
 * Corrects fills by what is seen of them, so that the rendered drawing has the least squared error: each takes over the
 * mean of what is missing from the pixels it shows in. `target` has three 8-bit channels a pixel.
 */
export function correctFills(
  fills: readonly Fill[],
  parts: VisibleParts,
  target: Float32Array,
  width: number,
): Fill[] {
  let corrected = [...fills];
  for (let round = 0; round < ROUNDS; round++) {
    const drawn = rendered(corrected, parts, target.length, width);
    corrected = corrected.map((fill, layer) => shifted(fill, missingMean(layer, parts, target, drawn)));
  }
  return corrected;
}

/** The drawing's pixels on white. */
function rendered(fills: readonly Fill[], parts: VisibleParts, length: number, width: number): Float32Array {
  const drawn = new Float32Array(length).fill(255);
  for (const [layer, fill] of fills.entries()) {
    for (let index = parts.starts[layer]!; index < parts.starts[layer + 1]!; index++) {
      const pixel = parts.pixels[index]!;
      const share = parts.shares[index]!;
      const color = colorAt(fill, pixel % width, Math.floor(pixel / width));
      for (let channel = 0; channel < 3; channel++)
        drawn[3 * pixel + channel]! += share * (color[channel]! - 255);
    }
  }
  return drawn;
}

function missingMean(
  layer: number,
  parts: VisibleParts,
  target: Float32Array,
  drawn: Float32Array,
): number[] {
  const missing = [0, 0, 0];
  let weight = 0;
  for (let index = parts.starts[layer]!; index < parts.starts[layer + 1]!; index++) {
    const share = parts.shares[index]!;
    const at = 3 * parts.pixels[index]!;
    weight += share;
    for (let channel = 0; channel < 3; channel++)
      missing[channel]! += share * (target[at + channel]! - drawn[at + channel]!);
  }
  return missing.map((sum) => (weight > 0 ? sum / weight : 0));
}

function shifted(fill: Fill, by: readonly number[]): Fill {
  const move = (color: readonly number[]) =>
    color.map((value, channel) => Math.min(255, Math.max(0, value + by[channel]!)));
  return 'color' in fill ? { color: move(fill.color) } : { ...fill, stops: fill.stops.map(move) };
}

/** What a drawing with these fills differs from the picture. */
export function rasterError(
  fills: readonly Fill[],
  parts: VisibleParts,
  target: Float32Array,
  width: number,
): RasterError {
  const drawn = rendered(fills.map(rounded), parts, target.length, width);
  let squares = 0;
  for (let at = 0; at < target.length; at++) squares += (target[at]! - drawn[at]!) ** 2;
  const stride = 3 * Math.max(1, Math.floor(target.length / 3 / SAMPLES));
  let difference = 0;
  let samples = 0;
  for (let at = 0; at < target.length; at += stride, samples++)
    difference += oklabDistance(
      oklabOf(target[at]!, target[at + 1]!, target[at + 2]!),
      oklabOf(drawn[at]!, drawn[at + 1]!, drawn[at + 2]!),
    );
  return {
    psnrDb: Math.min(PSNR_MAX, 10 * Math.log10(255 ** 2 / Math.max(squares / target.length, 1e-12))),
    meanDeltaE: difference / samples,
  };
}

/** As it is written into the drawing. */
const rounded = (fill: Fill): Fill =>
  'color' in fill
    ? { color: fill.color.map(Math.round) }
    : { ...fill, stops: fill.stops.map((stop) => stop.map(Math.round)) };
