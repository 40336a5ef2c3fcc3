import { quickBoxMean } from '../pixels/box_mean.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Bend } from './bend.ts';
import { type Complex, complexOf, transformSquare } from './fourier.ts';
import { type FrequencyMap, MOVES, type Ways } from './frequency_map.ts';
import { PILOT_TONES } from './pilot.ts';

const SPECTRUM_SIDE = 512;
const WINDOWS_MAX = 4;
/** Maximum power of a frequency relative to its neighbours: single higher peaks belong to the image. */
export const POWER_MAX = 14;

/**
 * Power of each frequency of a frame relative to its neighbours, at least 1, averaged over overlapping windows (P. Welch, 1967). Frequencies are in
 * cycles per 512 pixels, row by row, negative ones last.
 */
export function spectrumOf(frame: Plane): Float32Array {
  const side = SPECTRUM_SIDE;
  const longer = Math.max(frame.width, frame.height);
  const count = Math.min(WINDOWS_MAX, 1 + Math.ceil((longer - side) / (side / 2)));
  const starts = Array.from({ length: count }, (_, window) =>
    count === 1 ? 0 : Math.round(((longer - side) * window) / (count - 1)),
  );
  const power = new Float32Array(side * side);
  for (let window = 0; window < count; window += 2) {
    const square = complexOf(side * side);
    addWindow(frame, placeOf(frame, starts[window]!), square.real);
    if (window + 1 < count) addWindow(frame, placeOf(frame, starts[window + 1]!), square.imaginary);
    transformSquare(square, side);
    addPower(square, side, power);
  }
  const usual = quickBoxMean({ width: side, height: side, data: power }, 6).data;
  for (let at = 0; at < power.length; at++) power[at] = Math.min(POWER_MAX, power[at]! / (usual[at]! + 1e-6));
  return power;
}

interface WindowPlace {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

/** A window `start` pixels along the longer side of a frame. */
const placeOf = ({ width, height }: Plane, start: number): WindowPlace => ({
  ...(width > height ? { left: start, top: 0 } : { left: 0, top: start }),
  side: SPECTRUM_SIDE,
});

const FADES = new Map<number, Float32Array>();

function fadeOf(side: number): Float32Array {
  const known = FADES.get(side);
  if (known) return known;
  const fade = Float32Array.from(
    { length: side },
    (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / side),
  );
  FADES.set(side, fade);
  return fade;
}

/** Writes a square of the frame to `target`, row by row, with a Hann window. */
export function addWindow(
  { width, height, data }: Plane,
  { left, top, side }: WindowPlace,
  target: Float32Array,
): void {
  const [columns, rows] = [Math.min(side, width - left), Math.min(side, height - top)];
  const [across, down] = [fadeOf(columns), fadeOf(rows)];
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++)
      target[y * side + x] = down[y]! * across[x]! * data[(y + top) * width + x + left]!;
  }
}

/** Adds the power of two real squares that were transformed as real and imaginary part of one: half of the sum of a frequency and its opposite. */
export function addPower({ real, imaginary }: Complex, side: number, power: Float32Array): void {
  const last = side - 1;
  for (let y = 0, at = 0; y < side; y++) {
    const opposite = (-y & last) * side;
    for (let x = 0; x < side; x++, at++) {
      const other = opposite + (-x & last);
      const here = real[at]! * real[at]! + imaginary[at]! * imaginary[at]!;
      const there = real[other]! * real[other]! + imaginary[other]! * imaginary[other]!;
      power[at]! += (here + there) / 2;
    }
  }
}

export interface Candidate {
  readonly map: FrequencyMap;
  /** Degrees of freedom for refinement. */
  readonly ways: Ways;
  /** Perspective of the image, if any. */
  readonly bend?: Bend;
}

/** From an image in the middle of a page twice as high, to a crop to half the height. */
const SCALE_MIN = 0.5;
const SCALE_MAX = 2;
/** Scales closer than this are treated as the same shape. */
const SAME_SCALE = 0.015;
/** Maps closer than this are treated as one candidate: tones differ by less than one cycle. */
const SAME_MAP = 0.01;

/** Takes a map as four numbers instead of an object: over 200,000 are tried, and few are kept. */
type Visit = (xx: number, xy: number, yx: number, yy: number) => void;

interface Kind {
  readonly visitMaps: (visit: Visit) => void;
  readonly ways: Ways;
  readonly kept: number;
}

/**
 * Kinds of edits, most common first. Each kind keeps its own best candidates: a peak that stands out among the few maps of a plain crop would be lost
 * among the chance peaks of all angles.
 */
const KINDS: readonly Kind[] = [
  { visitMaps: visitUprights, ways: 'enlarged', kept: 6 },
  { visitMaps: visitTilts, ways: 'turned', kept: 4 },
  { visitMaps: visitSimilarities, ways: 'turned', kept: 4 },
  { visitMaps: visitStretches, ways: 'stretched', kept: 4 },
  { visitMaps: visitSkews, ways: 'free', kept: 3 },
];

/**
 * Candidate maps of the pilot tones in a spectrum: rotated by any angle, scaled and mirrored; or rotated slightly, each axis scaled separately, then
 * rotated by a multiple of 90°. The spectrum is symmetric under a rotation by 180°, so each candidate stands for two.
 */
export const findTurns = (spectrum: Float32Array): Candidate[] => findKinds(spectrum, KINDS);

/** The same for an image that is upright, mirrored or rotated by a multiple of 90°: a few thousand maps. */
export const findUpright = (spectrum: Float32Array): Candidate[] => findKinds(spectrum, KINDS.slice(0, 1));

const ENLARGED: readonly Kind[] = [{ visitMaps: visitEnlarged, ways: 'enlarged', kept: 3 }];

/**
 * The same for a crop to a small part, which is enlarged in its frame. Uses half the pixels, because whitening with a small window flattens such long
 * waves.
 * @param spectrum of the halved frame, whitened
 */
export const findEnlarged = (spectrum: Float32Array): Candidate[] =>
  findKinds(spectrum, ENLARGED).map(({ map, ways }) => ({
    map: { xx: map.xx / 2, xy: map.xy / 2, yx: map.yx / 2, yy: map.yy / 2 },
    ways,
  }));

function findKinds(spectrum: Float32Array, kinds: readonly Kind[]): Candidate[] {
  const smooth = smoothSpectrum(spectrum);
  const apart: Candidate[] = [];
  for (const { visitMaps, ways, kept } of kinds) {
    const best = new Best(kept);
    visitMaps((xx, xy, yx, yy) => {
      const value = sum(smooth, xx, xy, yx, yy);
      if (value > best.lowest) best.add({ xx, xy, yx, yy }, value);
    });
    for (const rough of best.maps()) {
      const map = climb(spectrum, rough, ways);
      if (apart.every((other) => distance(other.map, map) > SAME_MAP)) apart.push({ map, ways });
    }
  }
  return apart;
}

const distance = (one: FrequencyMap, other: FrequencyMap): number =>
  Math.min(
    Math.hypot(one.xx - other.xx, one.xy - other.xy, one.yx - other.yx, one.yy - other.yy),
    Math.hypot(one.xx + other.xx, one.xy + other.xy, one.yx + other.yx, one.yy + other.yy),
  );

function scales(step: number, from = SCALE_MIN, to = SCALE_MAX): number[] {
  const all: number[] = [];
  for (let scale = from; scale <= to; scale *= step) all.push(scale);
  return all;
}

/** Visits a rotation at several scales, optionally mirrored. */
function visitSimilar(visit: Visit, angle: number, sizes: readonly number[], mirror: number): void {
  for (const scale of sizes) {
    const c = Math.cos(angle) / scale;
    const s = Math.sin(angle) / scale;
    visit(mirror * c, -s, mirror * s, c);
  }
}

/** Visits crops, mirrored and rotated by multiples of 90°. */
function visitUprights(visit: Visit): void {
  const sizes = scales(1.004);
  for (const quarter of [0, Math.PI / 2])
    for (const mirror of [1, -1]) visitSimilar(visit, quarter, sizes, mirror);
}

/** In half the pixels: crops to between three quarters and less than half of each side. */
function visitEnlarged(visit: Visit): void {
  const sizes = scales(1.004, 0.65, 1.2);
  for (const mirror of [1, -1]) visitSimilar(visit, 0, sizes, mirror);
}

const DEGREE = Math.PI / 180;

/** Visits straightened horizons: a rotation by some degrees and the crop it requires. */
function visitTilts(visit: Visit): void {
  const sizes = scales(1.006, 0.85, 1.35);
  for (let angle = -7 * DEGREE; angle <= 7 * DEGREE; angle += 0.35 * DEGREE)
    visitSimilar(visit, angle, sizes, 1);
}

function visitSimilarities(visit: Visit): void {
  const sizes = scales(1.008);
  for (let angle = 0; angle < Math.PI; angle += Math.PI / 400)
    for (const mirror of [1, -1]) visitSimilar(visit, angle, sizes, mirror);
}

function visitStretches(visit: Visit): void {
  const sizes = scales(1.011);
  for (const mirror of [1, -1]) {
    for (const across of sizes) {
      for (const down of sizes) {
        if (Math.abs(Math.log(across / down)) < SAME_SCALE) continue;
        const x = mirror / across;
        const y = 1 / down;
        visit(x, 0, 0, y);
        visit(0, y, x, 0);
      }
    }
  }
}

/** Visits shears, and stretches with a small rotation, as made by editors and printers. */
function visitSkews(visit: Visit): void {
  const sizes = scales(1.012, 0.8, 1.35);
  for (let angle = -8 * DEGREE; angle <= 8 * DEGREE; angle += 0.8 * DEGREE) {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    for (let aspect = -0.22; aspect <= 0.22; aspect += 0.022) {
      const [wide, high] = [Math.exp(aspect / 2), Math.exp(-aspect / 2)];
      for (let shear = -0.06; shear <= 0.06; shear += 0.015) {
        if (Math.abs(aspect) + Math.abs(shear) < SAME_SCALE) continue;
        for (const size of sizes) {
          const [x, y] = [wide / size, high / size];
          visit(c * x, c * shear * x - s * y, s * x, s * shear * x + c * y);
        }
      }
    }
  }
}

/** Keeps the highest of many sums. */
class Best {
  private readonly kept: { map: FrequencyMap; value: number }[] = [];
  private readonly count: number;
  /** Only higher sums are kept. */
  lowest = Number.NEGATIVE_INFINITY;

  constructor(count: number) {
    this.count = count;
  }

  add(map: FrequencyMap, value: number): void {
    const near = this.kept.findIndex((other) => distance(other.map, map) < 2 * SAME_MAP);
    if (near >= 0) {
      if (this.kept[near]!.value >= value) return;
      this.kept[near] = { map, value };
    } else this.kept.push({ map, value });
    this.kept.sort((a, b) => b.value - a.value).splice(this.count);
    if (this.kept.length === this.count) this.lowest = this.kept[this.count - 1]!.value;
  }

  maps(): FrequencyMap[] {
    return this.kept.map(({ map }) => map);
  }
}

function sum(spectrum: Float32Array, xx: number, xy: number, yx: number, yy: number): number {
  const last = SPECTRUM_SIDE - 1;
  let total = 0;
  for (let tone = 0; tone < ACROSS.length; tone++) {
    const across = ACROSS[tone]!;
    const down = DOWN[tone]!;
    const x = (xx * across + xy * down + ROUNDING) & last;
    const y = (yx * across + yy * down + ROUNDING) & last;
    total += spectrum[y * SPECTRUM_SIDE + x]!;
  }
  return total;
}

/** Makes truncation equal to rounding: a multiple of the side, plus one half. */
const ROUNDING = 8 * SPECTRUM_SIDE + 0.5;
const ACROSS = Float64Array.from(PILOT_TONES, ({ across }) => across);
const DOWN = Float64Array.from(PILOT_TONES, ({ down }) => down);

/** Blurs the spectrum so that a tone is found from half a search step away. */
function smoothSpectrum(spectrum: Float32Array): Float32Array {
  return mixNeighbours(mixNeighbours(spectrum, 1), SPECTRUM_SIDE);
}

/** Averages each value with those `step` before and after it, periodically. */
function mixNeighbours(source: Float32Array, step: number): Float32Array {
  const result = new Float32Array(source.length);
  const last = source.length - 1;
  for (let at = 0; at < result.length; at++)
    result[at] = 0.5 * source[at]! + 0.25 * (source[(at - step) & last]! + source[(at + step) & last]!);
  return result;
}

/** Hill climbing with decreasing steps. */
function climb(spectrum: Float32Array, from: FrequencyMap, ways: Ways): FrequencyMap {
  let map = from;
  let value = interpolateTones(spectrum, map);
  for (let step = 0.008; step > 0.0004; step /= 2) {
    for (const move of MOVES[ways]) {
      for (const sign of [1, -1]) {
        const moved = move(map, sign * step);
        const there = interpolateTones(spectrum, moved);
        if (there > value) [map, value] = [moved, there];
      }
    }
  }
  return map;
}

/** Sum over the tones, with linear interpolation between frequencies. */
function interpolateTones(spectrum: Float32Array, { xx, xy, yx, yy }: FrequencyMap): number {
  const last = SPECTRUM_SIDE - 1;
  let total = 0;
  for (let tone = 0; tone < ACROSS.length; tone++) {
    const x = xx * ACROSS[tone]! + xy * DOWN[tone]!;
    const y = yx * ACROSS[tone]! + yy * DOWN[tone]!;
    const [x0, y0] = [Math.floor(x), Math.floor(y)];
    const [dx, dy] = [x - x0, y - y0];
    const at = (column: number, row: number) => spectrum[(row & last) * SPECTRUM_SIDE + (column & last)]!;
    total +=
      (1 - dy) * ((1 - dx) * at(x0, y0) + dx * at(x0 + 1, y0)) +
      dy * ((1 - dx) * at(x0, y0 + 1) + dx * at(x0 + 1, y0 + 1));
  }
  return total;
}
