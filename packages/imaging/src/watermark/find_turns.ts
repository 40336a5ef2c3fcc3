import { quickBoxMean } from '../pixels/box_mean.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Bend } from './bend.ts';
import { type Complex, complexOf, transformSquare } from './fourier.ts';
import { type FrequencyMap, MOVES, type Ways } from './frequency_map.ts';
import { PILOT_TONES } from './pilot.ts';

const SPECTRUM_SIDE = 512;
const WINDOWS_MAX = 4;
/** A frequency may count for so many times its surroundings: single ones belong to the picture itself. */
export const POWER_MAX = 14;

/**
 * How far the power of each frequency of a frame stands out from that of its neighbours, 1 where it does not; averaged
 * over overlapping windows (P. Welch, 1967). Frequencies in cycles per 512 pixels, row by row, negative ones at the end.
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

/** Writes a square of the frame, faded out to its borders (Hann), row by row into `target`. */
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

/** Adds the power of two real squares, transformed as the parts of one: half of what a frequency and its opposite hold. */
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
  /** The ways it may differ from the truth. */
  readonly ways: Ways;
  /** Of a picture seen from the side. */
  readonly bend?: Bend;
}

/** From a picture shown in the middle of a page twice as high, to one cut to half its height. */
const SCALE_MIN = 0.5;
const SCALE_MAX = 2;
/** Scales nearer to each other than this are one shape. */
const SAME_SCALE = 0.015;
/** Frequency maps nearer to each other than this are one candidate: a tone moves by less than a cycle. */
const SAME_MAP = 0.01;

/** Takes a map as its four numbers: over two hundred thousand are tried, and few are kept. */
type Visit = (xx: number, xy: number, yx: number, yy: number) => void;

interface Kind {
  readonly visitMaps: (visit: Visit) => void;
  readonly ways: Ways;
  readonly kept: number;
}

/**
 * What is done to pictures, the commonest first. Each kind keeps its own best: among the few places of a plain cut a mark
 * stands out that would drown in the chance hits of all angles.
 */
const KINDS: readonly Kind[] = [
  { visitMaps: visitUprights, ways: 'enlarged', kept: 6 },
  { visitMaps: visitTilts, ways: 'turned', kept: 4 },
  { visitMaps: visitSimilarities, ways: 'turned', kept: 4 },
  { visitMaps: visitStretches, ways: 'stretched', kept: 4 },
  { visitMaps: visitSkews, ways: 'free', kept: 3 },
];

/**
 * Where the tones of the pilot may be in a spectrum: turned by any angle, scaled and mirrored; or turned a little, each
 * axis scaled by itself, and then turned by quarters. A spectrum is the same turned by half, so every answer stands for two.
 */
export const findTurns = (spectrum: Float32Array): Candidate[] => findKinds(spectrum, KINDS);

/** The same of a picture that lies as it was marked, or was mirrored or turned by quarters: a few thousand maps. */
export const findUpright = (spectrum: Float32Array): Candidate[] => findKinds(spectrum, KINDS.slice(0, 1));

const ENLARGED: readonly Kind[] = [{ visitMaps: visitEnlarged, ways: 'enlarged', kept: 3 }];

/**
 * The same of a picture of which much was cut off, so that what is left is enlarged in its frame, told from half the pixels: waves that
 * long are flattened where whitening looks at few pixels.
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

/** Turned by an angle, at each of some scales, and perhaps mirrored. */
function visitSimilar(visit: Visit, angle: number, sizes: readonly number[], mirror: number): void {
  for (const scale of sizes) {
    const c = Math.cos(angle) / scale;
    const s = Math.sin(angle) / scale;
    visit(mirror * c, -s, mirror * s, c);
  }
}

/** Cut, perhaps mirrored or turned by quarters. */
function visitUprights(visit: Visit): void {
  const sizes = scales(1.004);
  for (const quarter of [0, Math.PI / 2])
    for (const mirror of [1, -1]) visitSimilar(visit, quarter, sizes, mirror);
}

/** In half the pixels: cut to three quarters of each side, to less than half. */
function visitEnlarged(visit: Visit): void {
  const sizes = scales(1.004, 0.65, 1.2);
  for (const mirror of [1, -1]) visitSimilar(visit, 0, sizes, mirror);
}

const DEGREE = Math.PI / 180;

/** Straightened horizons: turned by some degrees and cut as much as that takes. */
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

/** Sheared, or stretched and turned a little: what editors and printers do to a picture that is put on something. */
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
  /** A sum must be higher to be kept. */
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

/** Makes cutting off decimals the same as rounding: a multiple of the side, and a half. */
const ROUNDING = 8 * SPECTRUM_SIDE + 0.5;
const ACROSS = Float64Array.from(PILOT_TONES, ({ across }) => across);
const DOWN = Float64Array.from(PILOT_TONES, ({ down }) => down);

/** So that a tone is found from half a step of the search away. */
function smoothSpectrum(spectrum: Float32Array): Float32Array {
  return mixNeighbours(mixNeighbours(spectrum, 1), SPECTRUM_SIDE);
}

/** Each value with those `step` before and after it; it begins anew at the end. */
function mixNeighbours(source: Float32Array, step: number): Float32Array {
  const result = new Float32Array(source.length);
  const last = source.length - 1;
  for (let at = 0; at < result.length; at++)
    result[at] = 0.5 * source[at]! + 0.25 * (source[(at - step) & last]! + source[(at + step) & last]!);
  return result;
}

/** To the highest place nearby, by steps that get smaller. */
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

/** The sum over the tones, linear between frequencies. */
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
