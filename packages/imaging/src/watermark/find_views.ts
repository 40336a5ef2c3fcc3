import { quickBoxMean } from '../pixels/box_mean.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Bend } from './bend.ts';
import { mapAt } from './demodulate.ts';
import { addPower, addWindow, type Candidate, POWER_MAX } from './find_turns.ts';
import { complexOf, transformSquare } from './fourier.ts';
import { type FrequencyMap, MOVES } from './frequency_map.ts';
import { PILOT_TONES } from './pilot.ts';

/** Side of the windows in which perspective is approximated by shear and scale, in pixels of the frame. */
const SIDE = 256;
const WINDOW_STEP = 192;
const WINDOWS_MAX = 5;
/** Number of views that are refined. */
const KEPT = 4;

interface Window {
  /** The centre, in pixels of the frame. */
  readonly x: number;
  readonly y: number;
  readonly spectrum: Float32Array;
}

/**
 * Candidates for images photographed from the side: in every window the tones are scaled, rotated and sheared slightly differently, and all windows
 * together reveal the camera position.
 * @param plain the whitened frame
 */
export function findViews(plain: Plane): Candidate[] {
  const windows = windowsOf(plain);
  const centre = { x: plain.width / 2, y: plain.height / 2 };
  const found = bestViews(windows, centre).map((view) => climb(windows, view));
  const apart: View[] = [];
  for (const view of found) if (apart.every((other) => distance(other, view) > SAME_VIEW)) apart.push(view);
  return apart.map(({ map, bend }) => ({ map, bend, ways: 'free' }));
}

interface View {
  readonly map: FrequencyMap;
  readonly bend: Bend;
}

const SAME_VIEW = 0.02;
const distance = (one: View, other: View): number =>
  Math.hypot(
    one.map.xx - other.map.xx,
    one.map.xy - other.map.xy,
    one.map.yx - other.map.yx,
    one.map.yy - other.map.yy,
  ) +
  SIDE * Math.hypot(one.bend.across - other.bend.across, one.bend.down - other.bend.down);

function windowsOf(plain: Plane): Window[] {
  const starts = (length: number): number[] => {
    const room = Math.max(0, length - SIDE);
    const count = Math.min(WINDOWS_MAX, 1 + Math.ceil(room / WINDOW_STEP));
    return Array.from({ length: count }, (_, at) =>
      count === 1 ? 0 : Math.round((room * at) / (count - 1)),
    );
  };
  const places = starts(plain.height).flatMap((top) =>
    starts(plain.width).map((left) => [left, top] as const),
  );
  return places.map(([left, top]) => ({
    x: left + SIDE / 2,
    y: top + SIDE / 2,
    spectrum: spectrumAt(plain, left, top),
  }));
}

function spectrumAt(plain: Plane, left: number, top: number): Float32Array {
  const square = complexOf(SIDE * SIDE);
  addWindow(plain, { left, top, side: SIDE }, square.real);
  transformSquare(square, SIDE);
  const power = new Float32Array(SIDE * SIDE);
  addPower(square, SIDE, power);
  const usual = quickBoxMean({ width: SIDE, height: SIDE, data: power }, 4).data;
  for (let at = 0; at < power.length; at++) power[at] = Math.min(POWER_MAX, power[at]! / (usual[at]! + 1e-6));
  return power;
}

/** Evenly spaced numbers centred on zero. */
const about = (step: number, count: number): number[] =>
  Array.from({ length: 2 * count + 1 }, (_, at) => step * (at - count));

const DEGREE = Math.PI / 180;
/** Ranges of a window: steps of enlargement and rotation, stretch and shear. */
const SCALE = { step: Math.log(1.026), first: -20, count: 33 };
const TURN = { step: 1.7 * DEGREE, first: -6, count: 13 };
const ASPECT = { step: 0.045, first: -4, count: 9 };
const SHEAR = { step: 0.03, first: -2, count: 5 };
/** Ranges of the whole image. */
const WHOLE_SCALE = { first: -15, count: 23 };
const WHOLE_TURN = { first: -4, count: 9 };
const WHOLE_ASPECTS = about(ASPECT.step, 2);
const BENDS = about(0.00008, 5);
/** A larger sum of both would put the camera implausibly close. */
const BEND_MAX = 0.00042;

interface Shape {
  readonly scale: number;
  readonly turn: number;
  readonly aspect: number;
  readonly shear: number;
}

/** Frequency map of enlargement, rotation, stretch and shear: a symmetric map followed by a rotation. */
function mapOf({ scale, turn, aspect, shear }: Shape): FrequencyMap {
  const [c, s] = [Math.cos(turn) * scale, Math.sin(turn) * scale];
  const [wide, high] = [Math.exp(aspect / 2), Math.exp(-aspect / 2)];
  return {
    xx: c * wide - s * shear,
    xy: c * shear - s * high,
    yx: s * wide + c * shear,
    yy: s * shear + c * high,
  };
}

/** The inverse of `mapOf`: every map close to the identity is a symmetric one followed by a rotation. */
function shapeOf({ xx, xy, yx, yy }: FrequencyMap): Shape {
  const turn = Math.atan2(yx - xy, xx + yy);
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const scale = Math.sqrt(Math.abs(xx * yy - xy * yx));
  const wide = c * xx + s * yx;
  const high = c * yy - s * xy;
  return { scale, turn, aspect: Math.log(wide / high), shear: (c * xy + s * yy) / scale };
}

/** Sums over the tones for every shape of the grid, with scale and rotation as the innermost dimensions. */
function tabulate(spectrum: Float32Array): Float32Array {
  const table = new Float32Array(ASPECT.count * SHEAR.count * TURN.count * SCALE.count);
  const smooth = quickBoxMean({ width: SIDE, height: SIDE, data: spectrum }, 1).data;
  const mixed = spectrum.map((value, at) => 0.5 * value + 0.5 * smooth[at]!);
  let at = 0;
  for (let aspect = 0; aspect < ASPECT.count; aspect++)
    for (let shear = 0; shear < SHEAR.count; shear++)
      for (let turn = 0; turn < TURN.count; turn++) {
        const unit = mapOf({
          scale: 1,
          turn: (TURN.first + turn) * TURN.step,
          aspect: (ASPECT.first + aspect) * ASPECT.step,
          shear: (SHEAR.first + shear) * SHEAR.step,
        });
        for (let scale = 0; scale < SCALE.count; scale++, at++)
          table[at] = sumTones(mixed, unit, SCALES[scale]!);
      }
  return table;
}

const SCALES = Float64Array.from({ length: SCALE.count }, (_, at) =>
  Math.exp((SCALE.first + at) * SCALE.step),
);
const LAST = SIDE - 1;
/** Cycles per window. */
const ACROSS = Float64Array.from(PILOT_TONES, ({ across }) => (across * SIDE) / 512);
const DOWN = Float64Array.from(PILOT_TONES, ({ down }) => (down * SIDE) / 512);
/** Makes truncation equal to rounding: a multiple of the side, plus one half. */
const ROUNDING = 8 * SIDE + 0.5;

function sumTones(spectrum: Float32Array, { xx, xy, yx, yy }: FrequencyMap, scale: number): number {
  let total = 0;
  const [a, b, c, d] = [xx * scale, xy * scale, yx * scale, yy * scale];
  for (let tone = 0; tone < ACROSS.length; tone++) {
    const x = (a * ACROSS[tone]! + b * DOWN[tone]! + ROUNDING) & LAST;
    const y = (c * ACROSS[tone]! + d * DOWN[tone]! + ROUNDING) & LAST;
    total += spectrum[y * SIDE + x]!;
  }
  return total;
}

interface Scored extends View {
  readonly value: number;
}

/**
 * The best views. Rotating and enlarging the image rotates and enlarges every window equally, so those two need no sums of their own: they are
 * offsets in the same tables.
 */
function bestViews(windows: readonly Window[], centre: { x: number; y: number }): View[] {
  const tables = windows.map(({ spectrum }) => tabulate(spectrum));
  const kept: Scored[] = [];
  const sums = new Float32Array(WHOLE_TURN.count * WHOLE_SCALE.count);
  for (const aspect of WHOLE_ASPECTS)
    for (const across of BENDS)
      for (const down of BENDS) {
        if (Math.hypot(across, down) > BEND_MAX) continue;
        const bend = { across, down, ...centre };
        sums.fill(0);
        windows.forEach(({ x, y }, at) => {
          addTable(
            sums,
            tables[at]!,
            shapeOf(mapAt(mapOf({ scale: 1, turn: 0, aspect, shear: 0 }), bend, x, y)),
          );
        });
        const best = sums.reduce((high, value, index) => (value > sums[high]! ? index : high), 0);
        const turn = (WHOLE_TURN.first + Math.floor(best / WHOLE_SCALE.count)) * TURN.step;
        const scale = Math.exp((WHOLE_SCALE.first + (best % WHOLE_SCALE.count)) * SCALE.step);
        keepBest(kept, { map: mapOf({ scale, turn, aspect, shear: 0 }), bend, value: sums[best]! });
      }
  return kept;
}

function addTable(sums: Float32Array, table: Float32Array, { scale, turn, aspect, shear }: Shape): void {
  const indexOf = (value: number, { step, first, count }: typeof TURN) =>
    Math.max(0, Math.min(count - 1, Math.round(value / step) - first));
  const row = indexOf(aspect, ASPECT) * SHEAR.count + indexOf(shear, SHEAR);
  const firstTurn = WHOLE_TURN.first - TURN.first + Math.round(turn / TURN.step);
  const firstScale = WHOLE_SCALE.first - SCALE.first + Math.round(Math.log(scale) / SCALE.step);
  for (let one = 0, at = 0; one < WHOLE_TURN.count; one++) {
    const within = Math.max(0, Math.min(TURN.count - 1, firstTurn + one));
    const start = (row * TURN.count + within) * SCALE.count;
    for (let other = 0; other < WHOLE_SCALE.count; other++, at++)
      sums[at]! += table[start + Math.max(0, Math.min(SCALE.count - 1, firstScale + other))]!;
  }
}

function keepBest(kept: Scored[], view: Scored): void {
  const near = kept.findIndex((other) => distance(other, view) < 3 * SAME_VIEW);
  if (near >= 0) {
    if (kept[near]!.value < view.value) kept[near] = view;
  } else kept.push(view);
  kept.sort((a, b) => b.value - a.value).splice(KEPT);
}

/** Hill climbing with decreasing steps. */
function climb(windows: readonly Window[], from: View): View {
  let view: View = from;
  let value = interpolate(windows, view);
  const moves = [...MOVES.turned, ...MOVES.free].map(
    (move) =>
      (now: View, by: number): View => ({ ...now, map: move(now.map, by) }),
  );
  const bends = (['across', 'down'] as const).map(
    (axis) =>
      (now: View, by: number): View => ({
        ...now,
        bend: { ...now.bend, [axis]: now.bend[axis] + by / SIDE },
      }),
  );
  for (let step = 0.012; step > 0.0008; step /= 2) {
    for (const move of [...bends, ...moves]) {
      for (const sign of [1, -1]) {
        const moved = move(view, sign * step);
        const there = interpolate(windows, moved);
        if (there > value) [view, value] = [moved, there];
      }
    }
  }
  return view;
}

/** Sum over windows and tones, with linear interpolation between frequencies. */
function interpolate(windows: readonly Window[], { map, bend }: View): number {
  let total = 0;
  for (const { x, y, spectrum } of windows) {
    const local = mapAt(map, bend, x, y);
    for (let tone = 0; tone < ACROSS.length; tone++) {
      const u = local.xx * ACROSS[tone]! + local.xy * DOWN[tone]!;
      const v = local.yx * ACROSS[tone]! + local.yy * DOWN[tone]!;
      const [column, row] = [Math.floor(u), Math.floor(v)];
      const [du, dv] = [u - column, v - row];
      const upper = (row & LAST) * SIDE;
      const lower = ((row + 1) & LAST) * SIDE;
      const [left, right] = [column & LAST, (column + 1) & LAST];
      total +=
        (1 - dv) * ((1 - du) * spectrum[upper + left]! + du * spectrum[upper + right]!) +
        dv * ((1 - du) * spectrum[lower + left]! + du * spectrum[lower + right]!);
    }
  }
  return total;
}
