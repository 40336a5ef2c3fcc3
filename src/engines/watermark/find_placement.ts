import type { FrequencyMap } from './find_turns.ts';
import { complexOf, transformSquare } from './fourier.ts';
import { PILOT_PERIOD_PX, PILOT_TONES, type Tone } from './pilot.ts';
import type { Placement } from './placement.ts';
import type { Plane } from './plane.ts';

export interface Found {
  readonly placement: Placement;
  /** How far all tones agree on one place, in standard deviations of chance. */
  readonly score: number;
}

const BLOCK_PX = 64;
const SIDE = PILOT_PERIOD_PX;
const TURN = 2 * Math.PI;

/** What each block of a picture holds of each tone, at the frequencies of a map, and where the blocks are. */
interface Demodulated {
  readonly map: FrequencyMap;
  /** Blocks × tones. Phases are those at the origin of the picture. */
  readonly real: Float32Array;
  readonly imaginary: Float32Array;
  readonly centres: readonly (readonly [x: number, y: number])[];
}

/** The place and, more exactly, the scale and turn at which the phases of all tones agree; and the same turned by half. */
export function findPlacements(whitened: Plane, map: FrequencyMap): Found[] {
  const blocks = demodulate(whitened, map);
  return [blocks, turnedByHalf(blocks)].map((each) => {
    const start = bestShift(each);
    const { fit, score } = refine(each, start);
    return { placement: placementOf(fit), score };
  });
}

function demodulate({ width, height, data }: Plane, map: FrequencyMap): Demodulated {
  const [across, down] = [Math.ceil(width / BLOCK_PX), Math.ceil(height / BLOCK_PX)];
  const count = PILOT_TONES.length;
  const real = new Float32Array(across * down * count);
  const imaginary = new Float32Array(real.length);
  PILOT_TONES.forEach((tone, index) => {
    const [u, v] = [map.xx * tone.across + map.xy * tone.down, map.yx * tone.across + map.yy * tone.down];
    for (let y = 0; y < height; y++) {
      const row = (y / BLOCK_PX) | 0;
      let turn = (v * (y + 0.5) + u * 0.5) / SIDE;
      for (let block = 0, x = 0; block < across; block++) {
        let [re, im] = [0, 0];
        for (const end = Math.min(width, x + BLOCK_PX); x < end; x++, turn += u / SIDE) {
          const at = (turn * TABLE) & (TABLE - 1);
          const value = data[y * width + x]!;
          re += value * COSINES[at]!;
          im -= value * COSINES[(at - TABLE / 4) & (TABLE - 1)]!;
        }
        const place = (row * across + block) * count + index;
        real[place]! += re;
        imaginary[place]! += im;
      }
    }
  });
  const centres = Array.from({ length: across * down }, (_, block) => {
    return [((block % across) + 0.5) * BLOCK_PX, (Math.floor(block / across) + 0.5) * BLOCK_PX] as const;
  });
  return { map, real, imaginary, centres };
}

const TABLE = 4096;
const COSINES = Float32Array.from({ length: TABLE }, (_, at) => Math.cos((TURN * (at + 0.5)) / TABLE));

function turnedByHalf({ map, real, imaginary, centres }: Demodulated): Demodulated {
  const { xx, xy, yx, yy } = map;
  return {
    map: { xx: -xx, xy: -xy, yx: -yx, yy: -yy },
    real,
    imaginary: imaginary.map((value) => -value),
    centres,
  };
}

/** The tile has its phases at the centre of the first pixel. In turns. */
const phaseAtOrigin = ({ across, down, phase }: Tone): number => phase - (across + down) / (2 * SIDE);

/** Of the mark's origin, in pixels of the mark, as the phases say it. */
interface Fit extends FrequencyMap {
  readonly x: number;
  readonly y: number;
}

/** To two pixels: no tone has a quarter as many cycles as the pilot has pixels. */
function bestShift({ map, real, imaginary }: Demodulated): Fit {
  const side = SIDE / 2;
  const square = complexOf(side * side);
  const { weights } = toneSums(real, imaginary);
  PILOT_TONES.forEach((each, tone) => {
    const { across, down } = each;
    const phase = phaseAtOrigin(each);
    const { re, im } = weights[tone]!;
    const [c, s] = [Math.cos(TURN * phase), Math.sin(TURN * phase)];
    const at = ((down + side) % side) * side + across;
    // The conjugate, so that the forward transform has the value of the inverse in its real part.
    square.real[at] = re * c + im * s;
    square.imaginary[at] = -(im * c - re * s);
  });
  transformSquare(square, side);
  let best = 0;
  for (let at = 1; at < square.real.length; at++) if (square.real[at]! > square.real[best]!) best = at;
  return { ...map, x: 2 * (best % side), y: 2 * Math.floor(best / side) };
}

/** The tones over all blocks, each bounded so that none decides alone. */
function toneSums(real: Float32Array, imaginary: Float32Array) {
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

/** By steps that get smaller, each number by itself. Turns are taken about the middle of the picture. */
function refine(blocks: Demodulated, start: Fit): { fit: Fit; score: number } {
  const { centres } = blocks;
  const middle = centres.reduce(
    (sum, [x, y]) => [sum[0] + x / centres.length, sum[1] + y / centres.length] as const,
    [0, 0] as const,
  );
  const agreement = agreementOf(blocks);
  let fit = start;
  let value = agreement(fit);
  for (let step = 1; step > 0.01; step /= 2) {
    for (let again = 0; again < 2; again++) {
      for (const [key, unit] of STEPS) {
        for (const sign of [step * unit, -step * unit]) {
          const moved = about(middle, fit, key, sign);
          const there = agreement(moved);
          if (there > value) [fit, value] = [moved, there];
        }
      }
    }
  }
  return { fit, score: value / noiseOf(blocks) };
}

const STEPS: readonly (readonly [keyof Fit, number])[] = [
  ['x', 1],
  ['y', 1],
  ['xx', 0.004],
  ['xy', 0.004],
  ['yx', 0.004],
  ['yy', 0.004],
];

/** Changing a scale or turn moves the origin so that the middle of the picture stays where it is. */
function about([x, y]: readonly [number, number], fit: Fit, key: keyof Fit, by: number): Fit {
  const moved = { ...fit, [key]: fit[key] + by };
  if (key === 'xx') return { ...moved, x: moved.x + by * x };
  if (key === 'xy') return { ...moved, y: moved.y + by * x };
  if (key === 'yx') return { ...moved, x: moved.x + by * y };
  if (key === 'yy') return { ...moved, y: moved.y + by * y };
  return moved;
}

/** Sum of what all tones of all blocks hold in the phase the pilot would have there. */
function agreementOf({ map, real, imaginary, centres }: Demodulated): (fit: Fit) => number {
  const { scales } = toneSums(real, imaginary);
  const count = PILOT_TONES.length;
  const phases = PILOT_TONES.map(phaseAtOrigin);
  return (fit) => {
    let total = 0;
    for (let tone = 0; tone < count; tone++) {
      const { across, down } = PILOT_TONES[tone]!;
      const u = (fit.xx - map.xx) * across + (fit.xy - map.xy) * down;
      const v = (fit.yx - map.yx) * across + (fit.yy - map.yy) * down;
      const origin = (across * fit.x + down * fit.y) / SIDE - phases[tone]!;
      let sum = 0;
      for (let block = 0, at = tone; block < centres.length; block++, at += count) {
        const [x, y] = centres[block]!;
        const angle = ((origin - (u * x + v * y) / SIDE) * TABLE) & (TABLE - 1);
        sum += real[at]! * COSINES[angle]! - imaginary[at]! * COSINES[(angle - TABLE / 4) & (TABLE - 1)]!;
      }
      total += sum * scales[tone]!;
    }
    return total;
  };
}

/** Standard deviation of the agreement where nothing is hidden, from the power of the blocks. */
function noiseOf({ real, imaginary }: Demodulated): number {
  const { scales } = toneSums(real, imaginary);
  const count = PILOT_TONES.length;
  let power = 0;
  for (let at = 0; at < real.length; at++)
    power += (real[at]! ** 2 + imaginary[at]! ** 2) * scales[at % count]! ** 2;
  return Math.sqrt(power / 2) + 1e-9;
}

/** From frequencies and origin back to pixels: frequencies change by the transposed inverse of what pixels do. */
function placementOf({ xx, xy, yx, yy, x, y }: Fit): Placement {
  const area = xx * yy - xy * yx;
  const pixels = { xx: yy / area, xy: -yx / area, yx: -xy / area, yy: xx / area };
  return {
    ...pixels,
    left: pixels.xx * x + pixels.xy * y,
    top: pixels.yx * x + pixels.yy * y,
  };
}
