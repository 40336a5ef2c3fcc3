import type { Plane } from '../pixels/plane.ts';
import { type Demodulated, demodulate, noiseOf, toneSums, turnByHalf } from './demodulate.ts';
import type { Candidate } from './find_turns.ts';
import { complexOf, transformSquare } from './fourier.ts';
import type { Ways } from './frequency_map.ts';
import { PILOT_PERIOD_PX, PILOT_TONES } from './pilot.ts';
import type { Placement } from './placement.ts';
import { type Fit, phaseAtOrigin, refineFit, type Start } from './refine_fit.ts';

export interface Found {
  readonly placement: Placement;
  /** How far all tones agree on one place, in standard deviations of chance. */
  readonly score: number;
}

const SIDE = PILOT_PERIOD_PX;
const TURN = 2 * Math.PI;

/**
 * The place and, more exactly, the scale and turn at which the phases of all tones agree, for a candidate and for the same
 * turned by half: once moved only the ways such pictures are moved, and once in any way, which fits a little better, and is
 * a little less exact where that was not needed. Nothing where the phases agree no better than by chance.
 * @param halved the whitened frame in half its pixels
 */
export function findPlacements(halved: Plane, { map, ways, bend }: Candidate): Found[] {
  const blocks = demodulate(halved, map, bend);
  if (bend) return findBent(blocks);
  const starts = startsOf(blocks);
  const highest = Math.max(...starts.map(({ value }) => value));
  // Where a picture is flat there are no phases at all.
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

/** Standard deviations of chance that the right place reaches in the middle alone. */
const NEAR_MIN = 4.4;
/** With more ways to be moved, chance alone reaches 6.5; pictures that could be read have 10 and more. */
const BENT_MIN = 7;
/** How far from the middle blocks are looked at, in pixels of the frame: at first few, then all. */
const REACHES_PX = [200, 330, Number.POSITIVE_INFINITY];

/**
 * Of a picture seen from the side: what is a little wrong in the middle is wrong by whole waves at its borders, so the fit is made in
 * the middle and grows outwards.
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

/** A fit of some blocks as one of others of the same picture; those may have been turned by half. */
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

/** Standard deviations of chance below which a start leads nowhere: half of those of unmarked pictures, of marked ones none that was read. */
const START_MIN = 3.4;
const STARTS_SHARE = 0.7;
/** Standard deviations of chance that the right place reaches even where a lookalike was found first. */
const ROUGH_MIN = 4.8;
const STARTS = 2;

/** All tones have about 48 cycles along each axis: moved by half a wave along both, the pilot is three quarters like itself. */
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
 * The likeliest places, to two pixels, of blocks as they are and turned by half: no tone has a quarter as many cycles as the
 * pilot has pixels. Both agreements are real, so that one transform gives the first in its real part and the other beside it.
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

/** Indices of the highest local maxima of a square that repeats. */
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

/** Whether none of the eight neighbours is higher; of several alike the first is it. */
function isHighest(values: Float32Array, at: number, side: number): boolean {
  const last = values.length - 1;
  const value = values[at]!;
  for (let step = 1; step <= side + 1; step = step === 1 ? side - 1 : step + 1)
    if (value < values[(at + step) & last]! || value <= values[(at - step) & last]!) return false;
  return true;
}

/** From frequencies and origin back to pixels: frequencies change by the transposed inverse of what pixels do. */
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
