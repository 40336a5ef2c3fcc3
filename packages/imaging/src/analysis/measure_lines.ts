import type { Point } from './places.ts';
import { type Gradient, gradientOf, type Planes } from './planes.ts';

/** normalX · x + normalY · y = offset, in pixels. */
interface Line {
  readonly normalX: number;
  readonly normalY: number;
  readonly offset: number;
  /** Direction in degrees from horizontal, clockwise on screen, 0 to 180. */
  readonly angle: number;
  /** Number of edge pixels on it. */
  readonly support: number;
}

const ANGLES = 180;
const LINES_MAX = 14;
/** Minimum edge pixels of a line, relative to the shorter side. */
const SUPPORT_MIN = 0.36;
/** L* per pixel. */
const EDGE_MIN = 3;
const SAME = { degrees: 5, pixels: 5 };

/**
 * Long straight edges, longest first, by the Hough transform in normal form; each edge pixel votes only for lines perpendicular to its gradient.
 * Source: Duda and Hart, 1972; O'Gorman and Clowes, 1976.
 */
function longLines(gradient: Gradient, width: number, height: number): Line[] {
  const reach = Math.ceil(Math.hypot(width, height));
  const votes = new Uint16Array(ANGLES * (2 * reach + 1));
  for (const at of thinEdges(gradient, width, height)) {
    const [column, row] = [at % width, Math.floor(at / width)];
    const normal = Math.round((Math.atan2(gradient.y[at]!, gradient.x[at]!) * 180) / Math.PI + 360);
    for (let turn = normal - 3; turn <= normal + 3; turn++) {
      const angle = turn % ANGLES;
      votes[angle * (2 * reach + 1) + reach + Math.round(column * COS[angle]! + row * SIN[angle]!)]!++;
    }
  }
  return pickStrongest(votes, reach, SUPPORT_MIN * Math.min(width, height));
}

const COS = Float64Array.from({ length: ANGLES }, (_, angle) => Math.cos((angle * Math.PI) / 180));
const SIN = Float64Array.from({ length: ANGLES }, (_, angle) => Math.sin((angle * Math.PI) / 180));

/** Pixels with a maximum along their gradient (Canny's thinning, with nearest neighbours). */
function thinEdges({ x, y, size }: Gradient, width: number, height: number): number[] {
  const edges: number[] = [];
  for (let row = 1; row < height - 1; row++)
    for (let column = 1; column < width - 1; column++) {
      const at = row * width + column;
      const steepness = size[at]!;
      if (steepness < EDGE_MIN) continue;
      const step = Math.round(x[at]! / steepness) + width * Math.round(y[at]! / steepness);
      if (steepness >= size[at + step]! && steepness > size[at - step]!) edges.push(at);
    }
  return edges;
}

function pickStrongest(votes: Uint16Array, reach: number, least: number): Line[] {
  const span = 2 * reach + 1;
  const candidates: Line[] = [];
  for (let angle = 0; angle < ANGLES; angle++)
    for (let place = 1; place < span - 1; place++) {
      const at = angle * span + place;
      // A slanted line falls between two offsets.
      const support = votes[at]! + Math.max(votes[at - 1]!, votes[at + 1]!);
      if (support < least || votes[at]! < votes[at - 1]! || votes[at]! < votes[at + 1]!) continue;
      candidates.push({
        normalX: COS[angle]!,
        normalY: SIN[angle]!,
        offset: place - reach,
        angle: (angle + 90) % 180,
        support,
      });
    }
  candidates.sort((one, other) => other.support - one.support);
  const kept: Line[] = [];
  for (const line of candidates) {
    if (kept.length === LINES_MAX) break;
    if (!kept.some((other) => isSame(line, other))) kept.push(line);
  }
  return kept;
}

function isSame(one: Line, other: Line): boolean {
  const turn = Math.abs(one.angle - other.angle);
  if (Math.min(turn, 180 - turn) > SAME.degrees) return false;
  // Across 180°, the same line has the opposite normal.
  const offset = turn > 90 ? -other.offset : other.offset;
  return Math.abs(one.offset - offset) < SAME.pixels;
}

export interface Lines {
  /** Number of long straight edges. */
  readonly count: number;
  readonly direction:
    | 'level'
    | 'upright'
    | 'rising to the right'
    | 'falling to the right'
    | 'level and upright'
    | 'mixed'
    | 'none';
  /** Shares of all edges within 15° of each direction. */
  readonly level: number;
  readonly upright: number;
  readonly rising: number;
  readonly falling: number;
  /** Intersection of long edges, as fractions of width and height; may be outside the image. */
  readonly meeting?: Point & { readonly lines: number };
  /** Number of lines towards the focal point. */
  readonly leading: number;
}

const MEETING = { linesMin: 4, within: 0.025, spreadMin: 25, from: -0.3, to: 1.3 };
const LEADS_WITHIN = 0.05;

/** Measures straight lines, edge directions and their intersection. @param focus focal point, if any */
export function measureLines({ width, height, lightness }: Planes, focus: Point | undefined): Lines {
  const gradient = gradientOf(lightness, width, height);
  const lines = longLines(gradient, width, height);
  const parts = directionsOf(gradient);
  const meeting = meetingOf(lines, width, height);
  return {
    count: lines.length,
    ...parts,
    direction: directionName(parts, parts.edges),
    ...(meeting && { meeting }),
    leading: focus ? lines.filter((line) => leadsTo(line, focus, width, height)).length : 0,
  };
}

const leadsTo = (line: Line, { x, y }: Point, width: number, height: number): boolean =>
  isSlanted(line) && Math.abs(distance(line, x * width, y * height)) < LEADS_WITHIN * Math.max(width, height);

const isSlanted = ({ angle }: Line): boolean => Math.min(angle % 90, 90 - (angle % 90)) > 6;

const distance = ({ normalX, normalY, offset }: Line, x: number, y: number): number =>
  normalX * x + normalY * y - offset;

function directionsOf({ x, y, size }: ReturnType<typeof gradientOf>) {
  const sums = { level: 0, upright: 0, rising: 0, falling: 0 };
  let edges = 0;
  for (const [at, steepness] of size.entries()) {
    if (steepness < 4) continue;
    edges += steepness;
    // An edge is perpendicular to its gradient; on screen, y grows downwards.
    const angle = ((Math.atan2(-x[at]!, y[at]!) * 180) / Math.PI + 360) % 180;
    if (angle < 15 || angle > 165) sums.level += steepness;
    else if (angle > 75 && angle < 105) sums.upright += steepness;
    else if (angle > 30 && angle < 60) sums.falling += steepness;
    else if (angle > 120 && angle < 150) sums.rising += steepness;
  }
  const part = (sum: number) => (edges > 0 ? sum / edges : 0);
  return {
    level: part(sums.level),
    upright: part(sums.upright),
    rising: part(sums.rising),
    falling: part(sums.falling),
    edges: edges / size.length,
  };
}

function directionName(
  { level, upright, rising, falling }: Pick<Lines, 'level' | 'upright' | 'rising' | 'falling'>,
  edges: number,
): Lines['direction'] {
  if (edges < 0.05) return 'none';
  if (level > 0.25 && upright > 0.25 && level + upright > 0.62) return 'level and upright';
  if (level > 0.42) return 'level';
  if (upright > 0.42) return 'upright';
  if (rising > 0.36) return 'rising to the right';
  return falling > 0.36 ? 'falling to the right' : 'mixed';
}

/** The intersection of two lines that most others pass through. */
function meetingOf(lines: readonly Line[], width: number, height: number): Lines['meeting'] {
  const within = MEETING.within * Math.max(width, height);
  let best: (Point & { lines: number }) | undefined;
  for (const [index, one] of lines.entries())
    for (const other of lines.slice(index + 1)) {
      const crossing = crossingOf(one, other);
      if (!crossing || !isNear(crossing, width, height)) continue;
      const through = lines.filter((line) => Math.abs(distance(line, crossing.x, crossing.y)) < within);
      if (through.length < MEETING.linesMin || spreadOf(through) < MEETING.spreadMin) continue;
      // A grid has many intersections with two directions each; perspective has one intersection with many directions.
      if (directionsIn(through) < 3) continue;
      if (!best || through.length > best.lines)
        best = { x: crossing.x / width, y: crossing.y / height, lines: through.length };
    }
  return best;
}

const isNear = ({ x, y }: Point, width: number, height: number): boolean =>
  x > MEETING.from * width && x < MEETING.to * width && y > MEETING.from * height && y < MEETING.to * height;

function crossingOf(one: Line, other: Line): Point | undefined {
  const determinant = one.normalX * other.normalY - other.normalX * one.normalY;
  if (Math.abs(determinant) < 0.2) return undefined;
  return {
    x: (one.offset * other.normalY - other.offset * one.normalY) / determinant,
    y: (one.normalX * other.offset - other.normalX * one.offset) / determinant,
  };
}

/** Maximum angle between two lines, in degrees. */
function spreadOf(lines: readonly Line[]): number {
  let most = 0;
  for (const one of lines)
    for (const other of lines) {
      const apart = Math.abs(one.angle - other.angle);
      most = Math.max(most, Math.min(apart, 180 - apart));
    }
  return most;
}

/** Number of directions that differ by at least 8°. */
function directionsIn(lines: readonly Line[]): number {
  const kept: number[] = [];
  for (const { angle } of lines)
    if (kept.every((other) => Math.min(Math.abs(angle - other), 180 - Math.abs(angle - other)) >= 8))
      kept.push(angle);
  return kept.length;
}
