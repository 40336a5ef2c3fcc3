import type { Gradient } from './planes.ts';

/** normalX · x + normalY · y = offset, in pixels. */
export interface Line {
  readonly normalX: number;
  readonly normalY: number;
  readonly offset: number;
  /** Which way it runs: degrees from level, clockwise on the screen, 0 to 180. */
  readonly angle: number;
  /** Pixels of edge on it. */
  readonly support: number;
}

const ANGLES = 180;
const LINES_MAX = 14;
/** Edge pixels a line must have, as part of the shorter side. */
const SUPPORT_MIN = 0.36;
/** L* a pixel. */
const EDGE_MIN = 3;
const SAME = { degrees: 5, pixels: 5 };

/**
 * Long straight edges, the longest first, by the Hough transform in normal form; each edge pixel votes only for lines
 * across its gradient. Source: Duda and Hart, 1972; O'Gorman and Clowes, 1976.
 */
export function longLines(gradient: Gradient, width: number, height: number): Line[] {
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

/** Pixels whose step is the greatest along its gradient (Canny's thinning, on the nearest neighbours). */
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
      // A line on a slant falls between two offsets.
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
  // Just either side of 180° the same line has the opposite normal.
  const offset = turn > 90 ? -other.offset : other.offset;
  return Math.abs(one.offset - offset) < SAME.pixels;
}
