import type { Plane } from '../pixels/plane.ts';
import { type Bend, straighten } from './bend.ts';
import type { FrequencyMap } from './frequency_map.ts';
import { PILOT_PERIOD_PX, PILOT_TONES } from './pilot.ts';

/** In pixels of the halved frame. Within a block, a pilot still adds up if the candidate is off by 0.5 %. */
const BLOCK_PX = 64;

/** Complex amplitude of each pilot tone in each block of an image, at the frequencies of a map, and the block positions. */
export interface Demodulated {
  readonly map: FrequencyMap;
  /** Perspective of the image, if any. */
  readonly bend?: Bend;
  /** Blocks × tones. Phases are relative to the origin of the image, with perspective to that of the rectified image. */
  readonly real: Float32Array;
  readonly imaginary: Float32Array;
  /** Centres of the blocks. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

/** Demodulates the pilot tones block by block. @param halved the whitened frame at half size */
export function demodulate(halved: Plane, map: FrequencyMap, bend?: Bend): Demodulated {
  if (bend) return demodulateBent(halved, map, bend);
  const [across, down] = [Math.ceil(halved.width / BLOCK_PX), Math.ceil(halved.height / BLOCK_PX)];
  const count = PILOT_TONES.length;
  const real = new Float32Array(across * down * count);
  const imaginary = new Float32Array(real.length);
  PILOT_TONES.forEach((tone, index) => {
    const [u, v] = [map.xx * tone.across + map.xy * tone.down, map.yx * tone.across + map.yy * tone.down];
    const waves = { alongX: wave(u, halved.width), alongY: wave(v, halved.height) };
    for (let block = 0, at = index; at < real.length; block++, at += count) {
      const { re, im } = demodulateBlock(halved, block % across, Math.floor(block / across), waves);
      real[at] = re;
      imaginary[at] = im;
    }
  });
  const middles = (place: (block: number) => number) =>
    Float64Array.from({ length: across * down }, (_, block) => (2 * Math.floor(place(block)) + 1) * BLOCK_PX);
  return {
    map,
    real,
    imaginary,
    xs: middles((block) => block % across),
    ys: middles((block) => block / across),
  };
}

/** The same for an image with perspective: frequencies change from block to block and are assumed constant within a block. */
function demodulateBent(halved: Plane, map: FrequencyMap, bend: Bend): Demodulated {
  const [across, down] = [Math.ceil(halved.width / BLOCK_PX), Math.ceil(halved.height / BLOCK_PX)];
  const count = PILOT_TONES.length;
  const real = new Float32Array(across * down * count);
  const imaginary = new Float32Array(real.length);
  const xs = new Float64Array(across * down);
  const ys = new Float64Array(across * down);
  for (let block = 0; block < across * down; block++) {
    const [column, row] = [block % across, Math.floor(block / across)];
    const [x, y] = [(2 * column + 1) * BLOCK_PX, (2 * row + 1) * BLOCK_PX];
    xs[block] = x;
    ys[block] = y;
    const local = mapAt(map, bend, x, y);
    const [straightX, straightY] = straighten(bend, [x, y]);
    const [wide, high] = [
      Math.min(BLOCK_PX, halved.width - column * BLOCK_PX),
      Math.min(BLOCK_PX, halved.height - row * BLOCK_PX),
    ];
    const part = cut(halved, column * BLOCK_PX, row * BLOCK_PX, wide, high);
    PILOT_TONES.forEach((tone, index) => {
      const [u, v] = [
        local.xx * tone.across + local.xy * tone.down,
        local.yx * tone.across + local.yy * tone.down,
      ];
      const { re, im } = demodulateBlock(part, 0, 0, { alongX: wave(u, wide), alongY: wave(v, high) });
      // From the corner of the block to its centre with the local frequencies, from there with those of the rectified image.
      const straight =
        (map.xx * tone.across + map.xy * tone.down) * straightX +
        (map.yx * tone.across + map.yy * tone.down) * straightY;
      const angle = (2 * Math.PI * (u * BLOCK_PX + v * BLOCK_PX - straight)) / PILOT_PERIOD_PX;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      real[block * count + index] = re * c - im * s;
      imaginary[block * count + index] = re * s + im * c;
    });
  }
  return { map, bend, real, imaginary, xs, ys };
}

/** Local frequency map at a point of an image with perspective: the Jacobian of the rectification, then the map. */
export function mapAt(map: FrequencyMap, bend: Bend, x: number, y: number): FrequencyMap {
  const [dx, dy] = [x - bend.x, y - bend.y];
  const depth = 1 + bend.across * dx + bend.down * dy;
  const square = depth * depth;
  // Rows of the Jacobian of the rectification.
  const [a, b] = [1 / depth - (dx * bend.across) / square, (-dx * bend.down) / square];
  const [c, d] = [(-dy * bend.across) / square, 1 / depth - (dy * bend.down) / square];
  return {
    xx: a * map.xx + c * map.yx,
    xy: a * map.xy + c * map.yy,
    yx: b * map.xx + d * map.yx,
    yy: b * map.xy + d * map.yy,
  };
}

function cut({ width, data }: Plane, left: number, top: number, wide: number, high: number): Plane {
  const part = new Float32Array(wide * high);
  for (let y = 0; y < high; y++)
    part.set(data.subarray((top + y) * width + left, (top + y) * width + left + wide), y * wide);
  return { width: wide, height: high, data: part };
}

interface Wave {
  readonly cosines: Float32Array;
  readonly sines: Float32Array;
}

/** Correlates one block with one tone. */
function demodulateBlock(
  { width, height, data }: Plane,
  column: number,
  row: number,
  { alongX, alongY }: { alongX: Wave; alongY: Wave },
): { re: number; im: number } {
  const { cosines, sines } = alongX;
  const [left, right] = [column * BLOCK_PX, Math.min(width, (column + 1) * BLOCK_PX)];
  const bottom = Math.min(height, (row + 1) * BLOCK_PX);
  let [re, im] = [0, 0];
  // Two rows at a time halve the reads of the wave along x.
  for (let y = row * BLOCK_PX; y < bottom; y += 2) {
    const first = y * width;
    const second = y + 1 < bottom ? first + width : first;
    let re0 = 0;
    let im0 = 0;
    let re1 = 0;
    let im1 = 0;
    for (let x = left; x < right; x++) {
      const c = cosines[x]!;
      const s = sines[x]!;
      const value0 = data[first + x]!;
      const value1 = data[second + x]!;
      re0 += value0 * c;
      im0 -= value0 * s;
      re1 += value1 * c;
      im1 -= value1 * s;
    }
    re += re0 * alongY.cosines[y]! + im0 * alongY.sines[y]!;
    im += im0 * alongY.cosines[y]! - re0 * alongY.sines[y]!;
    if (second === first) continue;
    re += re1 * alongY.cosines[y + 1]! + im1 * alongY.sines[y + 1]!;
    im += im1 * alongY.cosines[y + 1]! - re1 * alongY.sines[y + 1]!;
  }
  return { re, im };
}

/** A complex wave of `cycles` per PILOT_PERIOD_PX pixels of the frame, sampled at the centres of halved pixels. */
function wave(cycles: number, length: number): Wave {
  const [cosines, sines] = [new Float32Array(length), new Float32Array(length)];
  const first = (2 * Math.PI * cycles) / PILOT_PERIOD_PX;
  const [turnC, turnS] = [Math.cos(2 * first), Math.sin(2 * first)];
  // Each sample rotates the previous one; over a frame the error stays below 32-bit precision.
  let [c, s] = [Math.cos(first), Math.sin(first)];
  for (let at = 0; at < length; at++) {
    cosines[at] = c;
    sines[at] = s;
    const next = c * turnC - s * turnS;
    s = c * turnS + s * turnC;
    c = next;
  }
  return { cosines, sines };
}

/** The amplitudes of the same blocks for a pilot rotated by 180°. */
export function turnByHalf(blocks: Demodulated): Demodulated {
  const { xx, xy, yx, yy } = blocks.map;
  return {
    ...blocks,
    map: { xx: -xx, xy: -xy, yx: -yx, yy: -yy },
    imaginary: blocks.imaginary.map((value) => -value),
  };
}

/** Sums the tones over all blocks, bounded per block so that no single one dominates. */
export function toneSums(real: Float32Array, imaginary: Float32Array) {
  const count = PILOT_TONES.length;
  const sums = PILOT_TONES.map((_, tone) => {
    let [re, im] = [0, 0];
    for (let at = tone; at < real.length; at += count) {
      re += real[at]!;
      im += imaginary[at]!;
    }
    return { re, im, size: Math.hypot(re, im) };
  });
  const middle = sums.map(({ size }) => size).sort((a, b) => a - b)[count >> 1]! + 1e-9;
  const scales = sums.map(({ size }) => 1 / (size + middle));
  return {
    scales,
    weights: sums.map(({ re, im }, tone) => ({ re: re * scales[tone]!, im: im * scales[tone]! })),
  };
}

/** Standard deviation of the agreement without a watermark, from the power of the blocks. */
export function noiseOf({ real, imaginary }: Demodulated): number {
  const { scales } = toneSums(real, imaginary);
  const count = PILOT_TONES.length;
  let power = 0;
  for (let at = 0; at < real.length; at++)
    power += (real[at]! ** 2 + imaginary[at]! ** 2) * scales[at % count]! ** 2;
  return Math.sqrt(power / 2) + 1e-9;
}
