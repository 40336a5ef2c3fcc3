import type { Bend } from './bend.ts';
import { type Demodulated, toneSums } from './demodulate.ts';
import { type FrequencyMap, MOVES, type Move, type Ways } from './frequency_map.ts';
import { PILOT_PERIOD_PX, PILOT_TONES, type Tone } from './pilot.ts';

/** Where the phases put the mark's origin, in pixels of the mark. */
export interface Fit extends FrequencyMap {
  readonly x: number;
  readonly y: number;
  readonly bend?: Bend | undefined;
}

export interface Start {
  readonly blocks: Demodulated;
  readonly fit: Fit;
  readonly value: number;
}

/** By steps that get smaller, each number by itself. Turns are taken about the middle of the picture. */
export function refineFit({ blocks, fit: start }: Start, ways: Ways): Start {
  const mean = (places: Float64Array) => places.reduce((sum, place) => sum + place, 0) / places.length;
  const middle = [mean(blocks.xs), mean(blocks.ys)] as const;
  const moves = [
    moveX,
    moveY,
    ...MOVES[ways].map((move) => moveAbout(middle, move)),
    ...(start.bend ? BENDS : []),
  ];
  const agreement = agreementOf(blocks);
  let fit = start;
  let value = agreement(fit);
  for (let step = 1; step > 0.01; step /= 2) {
    for (let again = 0; again < 2; again++) {
      for (const move of moves) {
        for (const sign of [step, -step]) {
          const moved = move(fit, sign);
          const there = agreement(moved);
          if (there > value) [fit, value] = [moved, there];
        }
      }
    }
  }
  return { blocks, fit, value };
}

const TURN = 2 * Math.PI;
const SIDE = PILOT_PERIOD_PX;
const TABLE = 4096;
const COSINES = Float32Array.from({ length: TABLE }, (_, at) => Math.cos((TURN * (at + 0.5)) / TABLE));

/** The tile has its phases at the centre of the first pixel. In turns. */
export const phaseAtOrigin = ({ across, down, phase }: Tone): number => phase - (across + down) / (2 * SIDE);

type FitMove = (fit: Fit, by: number) => Fit;
const moveX: FitMove = (fit, by) => ({ ...fit, x: fit.x + by });
const moveY: FitMove = (fit, by) => ({ ...fit, y: fit.y + by });

/** By so much in 256 pixels as a scale is changed. */
const BEND_STEP = 0.004 / 256;
const BENDS = (['across', 'down'] as const).map(
  (axis): FitMove =>
    (fit, by) =>
      fit.bend ? { ...fit, bend: { ...fit.bend, [axis]: fit.bend[axis] + BEND_STEP * by } } : fit,
);

/** Changing a scale or turn moves the origin so that the middle of the picture stays where it is. */
function moveAbout([x, y]: readonly [number, number], move: Move): FitMove {
  return (fit, by) => {
    const map = move(fit, 0.004 * by);
    return {
      ...map,
      x: fit.x + (map.xx - fit.xx) * x + (map.yx - fit.yx) * y,
      y: fit.y + (map.xy - fit.xy) * x + (map.yy - fit.yy) * y,
    };
  };
}

/** Sum of what all tones of all blocks hold in the phase the pilot would have there. */
function agreementOf({ map, bend, real, imaginary, xs, ys }: Demodulated): (fit: Fit) => number {
  const { scales } = toneSums(real, imaginary);
  const count = PILOT_TONES.length;
  const phases = PILOT_TONES.map(phaseAtOrigin);
  const before = { x: new Float64Array(xs.length), y: new Float64Array(xs.length) };
  const now = { x: new Float64Array(xs.length), y: new Float64Array(xs.length) };
  placeInMark({ ...map, bend }, xs, ys, before);
  return (fit) => {
    placeInMark(fit, xs, ys, now);
    const { x: movedX, y: movedY } = now;
    for (let block = 0; block < xs.length; block++) {
      movedX[block] = (fit.x - movedX[block]! + before.x[block]!) * (TABLE / SIDE);
      movedY[block] = (fit.y - movedY[block]! + before.y[block]!) * (TABLE / SIDE);
    }
    let total = 0;
    for (let tone = 0; tone < count; tone++) {
      const { across, down } = PILOT_TONES[tone]!;
      const phase = phases[tone]! * TABLE;
      let sum = 0;
      for (let block = 0, at = tone; block < xs.length; block++, at += count) {
        const angle = (across * movedX[block]! + down * movedY[block]! - phase) & (TABLE - 1);
        sum += real[at]! * COSINES[angle]! - imaginary[at]! * COSINES[(angle - TABLE / 4) & (TABLE - 1)]!;
      }
      total += sum * scales[tone]!;
    }
    return total;
  };
}

/** Where points of the picture lie in the mark, but for the origin; many at once, because it is asked thousands of times. */
function placeInMark(
  { xx, xy, yx, yy, bend }: FrequencyMap & { readonly bend?: Bend | undefined },
  xs: Float64Array,
  ys: Float64Array,
  into: { readonly x: Float64Array; readonly y: Float64Array },
): void {
  for (let at = 0; at < xs.length; at++) {
    let u = xs[at]!;
    let v = ys[at]!;
    if (bend) {
      const depth = 1 + bend.across * (u - bend.x) + bend.down * (v - bend.y);
      u = bend.x + (u - bend.x) / depth;
      v = bend.y + (v - bend.y) / depth;
    }
    into.x[at] = xx * u + yx * v;
    into.y[at] = xy * u + yy * v;
  }
}
