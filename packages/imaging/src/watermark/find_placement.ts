import type { Plane } from '../pixels/plane.ts';
import type { Bend } from './bend.ts';
import { type Demodulated, demodulate, noiseOf, toneSums, turnByHalf } from './demodulate.ts';
import type { Candidate } from './find_turns.ts';
import { complexOf, transformSquare } from './fourier.ts';
import { type FrequencyMap, MOVES, type Move, type Ways } from './frequency_map.ts';
import { PILOT_PERIOD_PX, PILOT_TONES, type Tone } from './pilot.ts';
import type { Placement } from './placement.ts';

/** Frequencies, and the origin of the watermark according to the phases, in pixels of the watermark. */
interface Fit extends FrequencyMap {
  readonly x: number;
  readonly y: number;
  readonly bend?: Bend | undefined;
}

interface Start {
  readonly blocks: Demodulated;
  readonly fit: Fit;
  readonly value: number;
}

/** Coordinate descent with decreasing steps. Rotations are about the centre of the image. */
function refineFit({ blocks, fit: start }: Start, ways: Ways): Start {
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

const REFINE_FIT_TURN = 2 * Math.PI;
const REFINE_FIT_SIDE = PILOT_PERIOD_PX;
const TABLE = 4096;
const COSINES = Float32Array.from({ length: TABLE }, (_, at) =>
  Math.cos((REFINE_FIT_TURN * (at + 0.5)) / TABLE),
);

/** Phase of a tone at the origin, in turns; the tile defines phases at the centre of its first pixel. */
const phaseAtOrigin = ({ across, down, phase }: Tone): number =>
  phase - (across + down) / (2 * REFINE_FIT_SIDE);

type FitMove = (fit: Fit, by: number) => Fit;
const moveX: FitMove = (fit, by) => ({ ...fit, x: fit.x + by });
const moveY: FitMove = (fit, by) => ({ ...fit, y: fit.y + by });

/** Change of perspective that alters the scale by 0.004 over 256 pixels. */
const BEND_STEP = 0.004 / 256;
const BENDS = (['across', 'down'] as const).map(
  (axis): FitMove =>
    (fit, by) =>
      fit.bend ? { ...fit, bend: { ...fit.bend, [axis]: fit.bend[axis] + BEND_STEP * by } } : fit,
);

/** Moves the origin when scale or rotation changes, so that the centre of the image stays fixed. */
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

/** Returns the agreement of a fit: the sum over all blocks and tones of the component in phase with the pilot. */
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
      movedX[block] = (fit.x - movedX[block]! + before.x[block]!) * (TABLE / REFINE_FIT_SIDE);
      movedY[block] = (fit.y - movedY[block]! + before.y[block]!) * (TABLE / REFINE_FIT_SIDE);
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

/** Positions of image points in the watermark, without the origin; batched, because it runs thousands of times. */
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

export interface Found {
  readonly placement: Placement;
  /** Agreement of all tones on one placement, in standard deviations of chance. */
  readonly score: number;
}

const SIDE = PILOT_PERIOD_PX;
const TURN = 2 * Math.PI;

/**
 * Placements at which the phases of all tones agree, with refined scale and rotation, for a candidate and for the same rotated by 180°. Each is
 * refined twice: within the allowed moves of its kind, and freely, which fits slightly better but is slightly less exact where it was not needed.
 * Empty if the phases agree only by chance.
 * @param halved the whitened frame at half size
 */
export function findPlacements(halved: Plane, { map, ways, bend }: Candidate): Found[] {
  const blocks = demodulate(halved, map, bend);
  if (bend) return findBent(blocks);
  const starts = startsOf(blocks);
  const highest = Math.max(...starts.map(({ value }) => value));
  // A flat image has no phases.
  if (!(highest > START_MIN * noiseOf(blocks))) return [];
  const [first, ...others] = starts
    .filter(({ value }) => value > STARTS_SHARE * highest)
    .map((start) => refineFit(start, ways));
  const rough = others.reduce((best, each) => (each.value > best.value ? each : best), first!);
  if (rough.value < ROUGH_MIN * noiseOf(blocks)) return [];
  const found = tryLookalikes(rough, ways);
  const aspect = ways === 'enlarged' ? refineFit(found, 'stretched') : found;
  const fits = ways === 'free' ? [aspect] : [aspect, refineFit(aspect, 'free')];
  return fits.map(foundOf);
}

const foundOf = ({ blocks, fit, value }: Start): Found => ({
  placement: placementOf(fit),
  score: value / noiseOf(blocks),
});

/** Score of the right placement in the centre alone, in standard deviations of chance. */
const NEAR_MIN = 4.4;
/** With more degrees of freedom, chance alone reaches 6.5; readable images have 10 or more. */
const BENT_MIN = 7;
/** Distance from the centre of the blocks used, in pixels of the frame: few first, then all. */
const REACHES_PX = [200, 330, Number.POSITIVE_INFINITY];

/**
 * Placements of an image with perspective. A small error in the centre grows to whole waves at the borders, so the fit starts in the centre and grows
 * outwards.
 */
function findBent(blocks: Demodulated): Found[] {
  const [inner, ...outer] = REACHES_PX.map((reach) => nearTheMiddle(blocks, reach));
  const starts = startsOf(inner!);
  const highest = Math.max(...starts.map(({ value }) => value));
  if (!(highest > START_MIN * noiseOf(inner!))) return [];
  const fits = starts
    .filter(({ value }) => value > STARTS_SHARE * highest)
    .flatMap((start) => {
      const near = refineFit(start, 'free');
      if (near.value < NEAR_MIN * noiseOf(inner!)) return [];
      const rough = tryLookalikes(near, 'free');
      return outer.reduce((before, wider) => refineFit(within(wider, before), 'free'), rough);
    });
  return fits.map(foundOf).filter(({ score }) => score > BENT_MIN);
}

/** Transfers a fit of one set of blocks to another set of the same image, which may be rotated by 180°. */
function within(blocks: Demodulated, { blocks: before, fit }: Start): Start {
  const isTurned = blocks.map.xx * before.map.xx + blocks.map.yy * before.map.yy < 0;
  return { blocks: isTurned ? turnByHalf(blocks) : blocks, fit, value: 0 };
}

function nearTheMiddle(blocks: Demodulated, reach: number): Demodulated {
  const { bend, xs, ys } = blocks;
  const kept = Array.from(xs.keys()).filter(
    (at) => Math.hypot(xs[at]! - bend!.x, ys[at]! - bend!.y) <= reach,
  );
  const count = PILOT_TONES.length;
  const pick = (values: Float32Array) =>
    Float32Array.from(
      { length: kept.length * count },
      (_, at) => values[kept[Math.floor(at / count)]! * count + (at % count)]!,
    );
  return {
    ...blocks,
    real: pick(blocks.real),
    imaginary: pick(blocks.imaginary),
    xs: Float64Array.from(kept, (at) => xs[at]!),
    ys: Float64Array.from(kept, (at) => ys[at]!),
  };
}

/** Starts below this are dropped, in standard deviations of chance: half of those of unmarked images, none of the readable marked ones. */
const START_MIN = 3.4;
const STARTS_SHARE = 0.7;
/** Score that the right placement reaches even if a similar one was found first, in standard deviations of chance. */
const ROUGH_MIN = 4.8;
const STARTS = 2;

/** All tones have about 48 cycles along each axis: shifted by half a wave along both, the pilot correlates with itself by three quarters. */
const HALF_WAVE_PX = SIDE / 96;
const LOOKALIKES = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
  [2, 0],
  [-2, 0],
  [0, 2],
  [0, -2],
].map(([x, y]) => [x! * HALF_WAVE_PX, y! * HALF_WAVE_PX] as const);

const tryLookalikes = (rough: Start, ways: Ways): Start =>
  LOOKALIKES.map(([x, y]) =>
    refineFit({ ...rough, fit: { ...rough.fit, x: rough.fit.x + x, y: rough.fit.y + y } }, ways),
  ).reduce((best, each) => (each.value > best.value ? each : best), rough);

/**
 * The most likely placements, to two pixels, of the blocks as they are and rotated by 180°; no tone has as many cycles as a quarter of the grid. Both
 * agreements are real, so one transform yields both: one in its real part, one in its imaginary part.
 */
function startsOf(blocks: Demodulated): Start[] {
  const side = SIDE / 2;
  const square = complexOf(side * side);
  const { weights } = toneSums(blocks.real, blocks.imaginary);
  PILOT_TONES.forEach((tone, index) => {
    const { re, im } = weights[index]!;
    const phase = TURN * phaseAtOrigin(tone);
    const [c, s] = [Math.cos(phase) / 2, Math.sin(phase) / 2];
    const [x, y] = [re * c + im * s, re * s - im * c];
    const [xTurned, yTurned] = [re * c - im * s, re * s + im * c];
    const add = (across: number, down: number, real: number, imaginary: number) => {
      const at = ((down + side) % side) * side + ((across + side) % side);
      square.real[at]! += real;
      square.imaginary[at]! += imaginary;
    };
    add(tone.across, tone.down, x - yTurned, y + xTurned);
    add(-tone.across, -tone.down, x + yTurned, xTurned - y);
  });
  transformSquare(square, side);
  const turned = turnByHalf(blocks);
  return [...startsAt(blocks, square.real, side), ...startsAt(turned, square.imaginary, side)];
}

const startsAt = (blocks: Demodulated, agreement: Float32Array, side: number): Start[] =>
  peaksOf(agreement, side).map((at) => ({
    blocks,
    fit: { ...blocks.map, bend: blocks.bend, x: 2 * (at % side), y: 2 * Math.floor(at / side) },
    value: agreement[at]!,
  }));

/** Indices of the highest local maxima of a periodic square. */
function peaksOf(values: Float32Array, side: number): number[] {
  const peaks: number[] = [];
  let least = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (value <= least) continue;
    if (!isHighest(values, at, side)) continue;
    peaks.push(at);
    peaks.sort((a, b) => values[b]! - values[a]!).splice(STARTS);
    if (peaks.length === STARTS) least = values[peaks[STARTS - 1]!]!;
  }
  return peaks;
}

/** Whether none of the eight neighbours is higher; among equal ones, the first counts. */
function isHighest(values: Float32Array, at: number, side: number): boolean {
  const last = values.length - 1;
  const value = values[at]!;
  for (let step = 1; step <= side + 1; step = step === 1 ? side - 1 : step + 1)
    if (value < values[(at + step) & last]! || value <= values[(at - step) & last]!) return false;
  return true;
}

/** Converts frequencies and origin back to pixels: frequencies change by the inverse transpose of the pixel map. */
function placementOf({ xx, xy, yx, yy, x, y, bend }: Fit): Placement {
  const area = xx * yy - xy * yx;
  const pixels = { xx: yy / area, xy: -yx / area, yx: -xy / area, yy: xx / area };
  return {
    ...pixels,
    left: pixels.xx * x + pixels.xy * y,
    top: pixels.yx * x + pixels.yy * y,
    ...(bend && { bend }),
  };
}
