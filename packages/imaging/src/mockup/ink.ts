import type { Maps, Print } from './layer.ts';

/** More art pixels than this beneath one of the picture are read at several places. */
const DENSE = 1.3;
const TAPS_MAX = 4;
/** Beyond this a surface is seen so much from the side that nothing of it is. */
const DENSEST = 64;

/** An artwork on a surface, ready to be read at its places; numbers that a loop over pixels needs side by side. */
export interface Ink {
  readonly samples: Uint16Array;
  /** Samples from one row to the next. */
  readonly stride: number;
  readonly width: number;
  readonly height: number;
  /** Art pixels for a scene unit of the surface, and where its corner lies there. */
  readonly perX: number;
  readonly perY: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly gain: number;
  readonly floor: number;
  readonly isEndless: boolean;
  /** How many places are read for a pixel of each cell, and the way from the first to beyond the last, in art pixels. */
  readonly taps: Uint8Array;
  readonly stepX: Float32Array;
  readonly stepY: Float32Array;
}

/** How an artwork lies under the pixels of a layer: a slanted surface shows it denser one way than the other. */
export function inkOf(
  maps: Maps,
  { art, x, y, width, height, gain, floor, isEndless = false }: Print,
  pixel: number,
): Ink {
  const [perX, perY] = [art.width / width, art.height / height];
  // A pixel beyond the edges is still mixed with what lies at them.
  const [marginX, marginY] = [1 / perX, 1 / perY];
  return {
    samples: art.samples,
    stride: 4 * (art.width + 2),
    width: art.width,
    height: art.height,
    ...{ perX, perY, gain, floor, isEndless },
    left: x - width / 2 - marginX,
    top: y - height / 2 - marginY,
    right: x + width / 2 + marginX,
    bottom: y + height / 2 + marginY,
    ...tapsOf(maps, perX, perY, pixel),
  };
}

function tapsOf({ columns, rows, step, across, down }: Maps, perX: number, perY: number, pixel: number) {
  const count = columns * rows;
  const taps = new Uint8Array(count).fill(1);
  const [stepX, stepY] = [new Float32Array(count), new Float32Array(count)];
  if (!across || !down) return { taps, stepX, stepY };
  const [scaleX, scaleY] = [(pixel / step) * perX, (pixel / step) * perY];
  for (let at = 0; at < count - columns - 1; at += 1) {
    const [ax, ay] = [(across[at + 1]! - across[at]!) * scaleX, (down[at + 1]! - down[at]!) * scaleY];
    const below = at + columns;
    const [bx, by] = [(across[below]! - across[at]!) * scaleX, (down[below]! - down[at]!) * scaleY];
    const [a, b] = [ax * ax + ay * ay, bx * bx + by * by];
    const longest = Math.sqrt(Math.max(a, b));
    if (longest <= DENSE || longest > DENSEST) continue;
    taps[at] = Math.min(TAPS_MAX, Math.ceil(longest));
    stepX[at] = a >= b ? ax : bx;
    stepY[at] = a >= b ? ay : by;
  }
  return { taps, stepX, stepY };
}

/** Samples of art are whole numbers up to 65535. */
const WHITE = 1 / 65535;

/**
 * Puts the ink at a place of the surface into `out`: what it gives back of light, its black included, times opacity; and
 * opacity.
 */
export function readInk(ink: Ink, cell: number, across: number, down: number, out: Float64Array): void {
  const taps = ink.taps[cell]!;
  // One pixel of border lies around the artwork, and half a pixel from its edge to its first middle.
  const x = (across - ink.left) * ink.perX - 0.5;
  const y = (down - ink.top) * ink.perY - 0.5;
  out[0] = out[1] = out[2] = out[3] = 0;
  if (taps === 1) addInk(ink, x, y, WHITE, out);
  else {
    const [stepX, stepY] = [ink.stepX[cell]!, ink.stepY[cell]!];
    for (let tap = 0; tap < taps; tap += 1) {
      const away = (tap + 0.5) / taps - 0.5;
      addInk(ink, x + away * stepX, y + away * stepY, WHITE / taps, out);
    }
  }
  const black = ink.floor * out[3]!;
  out[0] = black + ink.gain * out[0]!;
  out[1] = black + ink.gain * out[1]!;
  out[2] = black + ink.gain * out[2]!;
}

function addInk(
  { samples, width, height, stride, isEndless }: Ink,
  x: number,
  y: number,
  weight: number,
  out: Float64Array,
): void {
  if (isEndless) {
    x = Math.max(1, Math.min(width, x));
    y = Math.max(1, Math.min(height, y));
  } else if (!(x >= 0 && y >= 0 && x < width + 1 && y < height + 1)) return;
  const column = x | 0;
  const row = y | 0;
  const fx = x - column;
  const fy = y - row;
  const at = row * stride + 4 * column;
  const to = at + stride;
  const d = fx * fy * weight;
  const b = fx * weight - d;
  const c = fy * weight - d;
  const a = weight - b - c - d;
  out[0]! += a * samples[at]! + b * samples[at + 4]! + c * samples[to]! + d * samples[to + 4]!;
  out[1]! += a * samples[at + 1]! + b * samples[at + 5]! + c * samples[to + 1]! + d * samples[to + 5]!;
  out[2]! += a * samples[at + 2]! + b * samples[at + 6]! + c * samples[to + 2]! + d * samples[to + 6]!;
  out[3]! += a * samples[at + 3]! + b * samples[at + 7]! + c * samples[to + 3]! + d * samples[to + 7]!;
}
