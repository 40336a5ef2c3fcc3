import { type Oklab, oklabDistance, oklabOf } from '../../pixels/oklab.ts';
import type { Raster } from '../../pixels/raster.ts';
import { sampleColor } from './color_raster.ts';
import { intersectLines, isConvex, type Point, type Quad } from './quad.ts';

/** Sample positions along a side; those near its ends may lie on a rounded corner. */
const PLACES = 80;
const END = 0.08;
/** Largest error of a detected side, in pixels of the reduced photo. */
const ERROR_MAX_PX = 2.2;
/** Residual beyond which a sample is an outlier: an occluder, a shadow. */
const OUTLIER_PX = 1.5;
const ROUNDS = 4;

/**
 * Refines corners to subpixel accuracy: finds the strongest edge across each side, fits lines to these edge points and intersects
 * neighbouring lines.
 * @param scale photo pixels per pixel of the image in which the corners were detected
 */
export function refineQuad(photo: Raster, rough: Quad, scale: number): Quad {
  const sides = rough.map((from, at) =>
    refineSide(photo, from, rough[(at + 1) % 4]!, ERROR_MAX_PX * scale + 1),
  );
  const corners = sides.map((side, at) => intersectLines(sides[(at + 3) % 4]!, side));
  const isSound = corners.every((corner, at) => {
    const [x, y] = rough[at]!;
    return corner !== undefined && Math.hypot(corner[0] - x, corner[1] - y) < 3 * ERROR_MAX_PX * scale + 2;
  });
  const refined = corners as unknown as Quad;
  return isSound && isConvex(refined) ? refined : rough;
}

type Line = readonly [Point, Point];

function refineSide(photo: Raster, from: Point, to: Point, reach: number): Line {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const normal: Point = [-dy / length, dx / length];
  const found: { along: number; off: number; weight: number }[] = [];
  for (let position = 0; position < PLACES; position += 1) {
    const along = END + ((1 - 2 * END) * position) / (PLACES - 1);
    const step = strongestEdge(photo, [from[0] + along * dx, from[1] + along * dy], normal, reach);
    if (step) found.push({ along, ...step });
  }
  if (found.length < PLACES / 4) return [from, to];
  let { start, slope } = fitLine(found);
  for (let round = 0; round < ROUNDS; round += 1) {
    const near = found.filter(
      ({ along, off }) => Math.abs(start + slope * along - off) < OUTLIER_PX * (ROUNDS - round),
    );
    if (near.length < PLACES / 4) break;
    ({ start, slope } = fitLine(near));
  }
  const at = (along: number): Point => [
    from[0] + along * dx + (start + slope * along) * normal[0],
    from[1] + along * dy + (start + slope * along) * normal[1],
  ];
  return [at(0), at(1)];
}

/** Weighted least squares. */
function fitLine(positions: readonly { along: number; off: number; weight: number }[]) {
  let [w, x, y, xx, xy] = [0, 0, 0, 0, 0];
  for (const { along, off, weight } of positions) {
    w += weight;
    x += weight * along;
    y += weight * off;
    xx += weight * along * along;
    xy += weight * along * off;
  }
  const below = w * xx - x * x;
  const slope = below > 1e-12 ? (w * xy - x * y) / below : 0;
  return { slope, start: (y - slope * x) / w };
}

const STEP_PX = 0.5;
/** Colour changes below this are noise. */
const CHANGE_MIN = 0.02;
/** Weight of an edge half the search range away: prefers the nearer of two edges. */
const NEAR_WEIGHT = 0.6;

/** The strongest edge across a side: its offset along the normal in pixels, and its strength. */
function strongestEdge({ width, height, data }: Raster, [x, y]: Point, [nx, ny]: Point, reach: number) {
  const count = Math.ceil(reach / STEP_PX);
  const samples = new Float64Array(3);
  const colors: Oklab[] = [];
  for (let step = -count - 2; step <= count + 2; step += 1) {
    const position = step * STEP_PX;
    sampleColor({ width, height, values: data }, x + position * nx, y + position * ny, samples);
    colors.push(oklabOf(samples[0]!, samples[1]!, samples[2]!));
  }
  const changes = colors.map((_, at) =>
    oklabDistance(colors[Math.max(0, at - 2)]!, colors[Math.min(colors.length - 1, at + 2)]!),
  );
  let best = -1;
  let maximum = CHANGE_MIN;
  for (let at = 2; at < changes.length - 2; at += 1) {
    const away = Math.abs(at - 2 - count) / count;
    const strength = changes[at]! * (1 - NEAR_WEIGHT * away * away);
    if (strength > maximum) [best, maximum] = [at, strength];
  }
  if (best < 3 || best > changes.length - 4) return undefined;
  // Centroid of the gradient peak: subpixel, for edges of any softness.
  let [sum, moment] = [0, 0];
  for (let at = best - 3; at <= best + 3; at += 1) {
    const change = changes[at] ?? 0;
    sum += change;
    moment += change * (at - best);
  }
  return { off: (best + moment / sum - 2 - count) * STEP_PX, weight: changes[best]! };
}
