import { createCoverage } from '../coverage.ts';
import { reverseCurve } from '../curve.ts';
import type { Curve } from '../fit_curve.ts';
import type { Line, Ring } from '../outlines.ts';
import { type FlatAreas, shareOf } from './flat_colors.ts';
import type { SimpleShape } from './recognise_shape.ts';
import { skiaPoints } from './skia_points.ts';

/** Lines between flat areas as curves, all of which may be moved. */
export interface FlatLines {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly Line[];
  readonly curves: Curve[];
  readonly rings: readonly (readonly Ring[])[];
  /** Index of a core for each area. */
  readonly coreOf: Int16Array;
  /** Lines along pixel sides, which are exact. */
  readonly isFixed: Uint8Array;
  /** Lines that are simple shapes. */
  readonly simple: Map<number, SimpleShape>;
}

/** Maximum motion of a point per iteration, in pixels. */
const STEP_MAX = 0.35;

/**
 * Moves curves until the coverage of each pixel along them matches its soft edge: edges located from single pixels are
 * off by 0.1 px, which is visible in the shades. Shared nodes move together. Source: least squares (C. F. Gauss); the
 * derivative of pixel coverage is the motion of the edge within the pixel.
 */
export function refineLines(flat: FlatLines, areas: FlatAreas, rounds: number): void {
  const cover = createCoverage(flat.width, flat.height);
  const byArea = linesByArea(flat);
  for (let round = 0; round < rounds; round++) {
    const moves = new Map<number, Float64Array>();
    for (const [area, own] of byArea.entries()) {
      if (own.length === 0) continue;
      const shown = cover(flat.rings[area]!.map((ring) => skiaPoints(curveOfRing(ring, flat.curves))));
      for (const line of own)
        moves.set(line, solveRows(rowsOf(flat, areas, line, shown), flat.curves[line]!.length));
    }
    for (const [line, move] of moves) applyMove(flat.curves[line]!, move, flat.lines[line]!.isLoop);
    joinEnds(flat);
  }
}

/** Root mean square error of the pixel coverage, per line. */
export function coverageErrors(
  flat: FlatLines,
  areas: FlatAreas,
  wanted: ReadonlySet<number>,
): Map<number, number> {
  const cover = createCoverage(flat.width, flat.height);
  const misses = new Map<number, number>();
  for (const [area, lines] of linesByArea(flat).entries()) {
    const own = lines.filter((line) => wanted.has(line));
    if (own.length === 0) continue;
    const shown = cover(flat.rings[area]!.map((ring) => skiaPoints(curveOfRing(ring, flat.curves))));
    for (const line of own) {
      const rows = rowsOf(flat, areas, line, shown);
      misses.set(line, Math.sqrt(rows.reduce((sum, { lack }) => sum + lack * lack, 0) / (rows.length || 1)));
    }
  }
  return misses;
}

/**
 * Adjusts the parameters of a curve, such as centre and radius of a circle, until its pixel coverage matches.
 * @param curveOf returns the curve for given parameters, always with the same number of values
 */
export function refineMeasures(
  flat: FlatLines,
  areas: FlatAreas,
  line: number,
  { measures, curveOf }: { measures: readonly number[]; curveOf: (measures: readonly number[]) => Curve },
): number[] {
  const cover = createCoverage(flat.width, flat.height);
  const rings = flat.rings[measuredArea(flat.lines[line]!)]!;
  let current = [...measures];
  for (let round = 0; round < MEASURE_ROUNDS; round++) {
    flat.curves[line] = curveOf(current);
    const shown = cover(rings.map((ring) => skiaPoints(curveOfRing(ring, flat.curves))));
    const slopes = current.map((_, own) => {
      const moved = (by: number) => curveOf(current.map((value, at) => (at === own ? value + by : value)));
      const [less, more] = [moved(-MEASURE_STEP), moved(MEASURE_STEP)];
      return more.map((value, at) => (Number.isNaN(value) ? 0 : (value - less[at]!) / (2 * MEASURE_STEP)));
    });
    const rows = rowsOf(flat, areas, line, shown).map(({ lack, places, changes }) => ({
      lack,
      places: slopes.map((_, own) => own),
      changes: slopes.map((slope) =>
        places.reduce((sum, place, at) => sum + slope[place]! * changes[at]!, 0),
      ),
    }));
    const move = solveRows(rows, current.length);
    current = current.map((value, own) => value + Math.max(-STEP_MAX, Math.min(STEP_MAX, move[own]!)));
  }
  flat.curves[line] = curveOf(current);
  return current;
}

const MEASURE_ROUNDS = 3;
const MEASURE_STEP = 0.01;

/** The area that determines the pixel coverage of a line: the smaller one, inside a loop. */
const measuredArea = ({ left, right, isLoop }: Line): number => (isLoop ? right : left);

/** The lines that may be moved, by the area that measures them. */
function linesByArea({ lines, rings, isFixed }: FlatLines): number[][] {
  const byArea: number[][] = rings.map(() => []);
  for (const [index, line] of lines.entries())
    if (line.left >= 0 && line.right >= 0 && isFixed[index] === 0) byArea[measuredArea(line)]!.push(index);
  return byArea;
}

/** The closed curve of a ring. */
export function curveOfRing(ring: Ring, curves: readonly Curve[]): Curve {
  const outline: Curve = [];
  for (const { line, backwards } of ring) {
    const own = backwards ? reverseCurve(curves[line]!) : curves[line]!;
    for (let at = outline.length === 0 ? 0 : 2; at < own.length; at++) outline.push(own[at]!);
  }
  return outline;
}

/** A pixel that the curve passes: missing coverage, and its derivative by each parameter of the curve. */
interface Row {
  readonly lack: number;
  readonly places: number[];
  readonly changes: number[];
}

type Cover = ReturnType<ReturnType<typeof createCoverage>>;

function rowsOf(flat: FlatLines, areas: FlatAreas, line: number, cover: Cover): Row[] {
  const curve = flat.curves[line]!;
  const { left, right, isLoop } = flat.lines[line]!;
  const [own, other] = isLoop ? [right, left] : [left, right];
  const [one, two] = [flat.coreOf[own]!, flat.coreOf[other]!];
  const rows = new Map<number, Row>();
  const rowAt = (x: number, y: number): Row | undefined => {
    if (x < 0 || y < 0 || x >= flat.width || y >= flat.height) return undefined;
    const pixel = y * flat.width + x;
    const known = rows.get(pixel);
    if (known) return known;
    const wanted = shareOf(areas, pixel, one, two);
    if (wanted < 0) return undefined;
    const [column, row] = [x - cover.left, y - cover.top];
    const inside = column >= 0 && row >= 0 && column < cover.width && row < cover.height;
    const made = {
      lack: wanted - (inside ? cover.shares[row * cover.width + column]! : 0),
      places: [],
      changes: [],
    };
    rows.set(pixel, made);
    return made;
  };
  for (let at = 2; at < curve.length; at += 6) addPiece(curve, at, rowAt, isLoop);
  return [...rows.values()];
}

const SAMPLES_PER_PIXEL = 5;

/** Adds the change of coverage in the pixels that a segment passes. */
function addPiece(
  curve: Curve,
  at: number,
  rowAt: (x: number, y: number) => Row | undefined,
  isLoop: boolean,
): void {
  const start = isLoop && at === 2 ? curve.length - 2 : at - 2;
  const straight = Number.isNaN(curve[at]);
  const [x0, y0] = [curve[at - 2]!, curve[at - 1]!];
  const [x3, y3] = [curve[at + 4]!, curve[at + 5]!];
  const [x1, y1] = straight ? [x0 + (x3 - x0) / 3, y0 + (y3 - y0) / 3] : [curve[at]!, curve[at + 1]!];
  const [x2, y2] = straight
    ? [x0 + (2 * (x3 - x0)) / 3, y0 + (2 * (y3 - y0)) / 3]
    : [curve[at + 2]!, curve[at + 3]!];
  const length = Math.hypot(x1 - x0, y1 - y0) + Math.hypot(x2 - x1, y2 - y1) + Math.hypot(x3 - x2, y3 - y2);
  const steps = Math.max(3, Math.ceil(SAMPLES_PER_PIXEL * length));
  for (let step = 0; step < steps; step++) {
    const t = (step + 0.5) / steps;
    const s = 1 - t;
    const [b0, b1, b2, b3] = [s * s * s, 3 * t * s * s, 3 * t * t * s, t * t * t];
    const row = rowAt(
      Math.floor(b0 * x0 + b1 * x1 + b2 * x2 + b3 * x3),
      Math.floor(b0 * y0 + b1 * y1 + b2 * y2 + b3 * y3),
    );
    if (!row) continue;
    // Right-hand normal of a step: moving along it enlarges the area on the left and shrinks the area inside a loop.
    const sign = isLoop ? -1 : 1;
    const dx = (sign * 3 * (s * s * (x1 - x0) + 2 * s * t * (x2 - x1) + t * t * (x3 - x2))) / steps;
    const dy = (sign * 3 * (s * s * (y1 - y0) + 2 * s * t * (y2 - y1) + t * t * (y3 - y2))) / steps;
    const add = (place: number, share: number): void => {
      row.places.push(place, place + 1);
      row.changes.push(-dy * share, dx * share);
    };
    if (straight) {
      add(start, s);
      add(at + 4, t);
    } else {
      add(start, b0);
      add(at, b1);
      add(at + 2, b2);
      add(at + 4, b3);
    }
  }
}

const SOLVER_STEPS = 60;
/**
 * Regularisation weight against any motion, relative to a pixel: determines what no pixel does, such as a handle's
 * motion along its curve.
 */
const STAY = 2e-3;

/** The least squares of all rows by conjugate gradients. */
function solveRows(rows: readonly Row[], count: number): Float64Array {
  const move = new Float64Array(count);
  const slope = new Float64Array(count);
  for (const { lack, places, changes } of rows)
    for (let index = 0; index < places.length; index++) slope[places[index]!]! += lack * changes[index]!;
  const way = slope.slice();
  const bent = new Float64Array(count);
  let square = dot(slope, slope);
  const enough = 1e-8 * square;
  for (let step = 0; step < SOLVER_STEPS && square > enough; step++) {
    for (let at = 0; at < count; at++) bent[at] = STAY * way[at]!;
    for (const { places, changes } of rows) {
      let sum = 0;
      for (let index = 0; index < places.length; index++) sum += way[places[index]!]! * changes[index]!;
      for (let index = 0; index < places.length; index++) bent[places[index]!]! += sum * changes[index]!;
    }
    const far = square / dot(way, bent);
    for (let at = 0; at < count; at++) {
      move[at]! += far * way[at]!;
      slope[at]! -= far * bent[at]!;
    }
    const next = dot(slope, slope);
    for (let at = 0; at < count; at++) way[at] = slope[at]! + (next / square) * way[at]!;
    square = next;
  }
  return move;
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}

function applyMove(curve: Curve, move: Float64Array, isLoop: boolean): void {
  for (let at = 0; at < curve.length; at += 2) {
    if (Number.isNaN(curve[at])) continue;
    const length = Math.hypot(move[at]!, move[at + 1]!);
    const scale = length > STEP_MAX ? STEP_MAX / length : 1;
    curve[at]! += scale * move[at]!;
    curve[at + 1]! += scale * move[at + 1]!;
  }
  if (isLoop) [curve[0], curve[1]] = [curve.at(-2)!, curve.at(-1)!];
}

/** Unifies the ends of lines that meet: on the image border if they meet there, otherwise at their mean. */
function joinEnds({ lines, curves, isFixed, width, height }: FlatLines): void {
  const nodes = new Map<number, { line: number; at: number }[]>();
  for (const [line, { corners, isLoop }] of lines.entries()) {
    if (isLoop) continue;
    for (const [corner, at] of [
      [corners[0]!, 0],
      [corners.at(-1)!, curves[line]!.length - 2],
    ] as const) {
      const known = nodes.get(corner);
      if (known) known.push({ line, at });
      else nodes.set(corner, [{ line, at }]);
    }
  }
  for (const [corner, ends] of nodes) {
    const fixed = ends.filter(
      ({ line }) => isFixed[line] === 1 && lines[line]!.left >= 0 && lines[line]!.right >= 0,
    );
    const free = ends.filter(({ line }) => isFixed[line] === 0);
    const from = fixed.length > 0 ? fixed : free.length > 0 ? free : ends;
    let x = from.reduce((sum, { line, at }) => sum + curves[line]![at]!, 0) / from.length;
    let y = from.reduce((sum, { line, at }) => sum + curves[line]![at + 1]!, 0) / from.length;
    const [column, row] = [corner % (width + 1), Math.floor(corner / (width + 1))];
    if (column === 0 || column === width) x = column;
    if (row === 0 || row === height) y = row;
    for (const { line, at } of ends) [curves[line]![at], curves[line]![at + 1]] = [x, y];
  }
}
