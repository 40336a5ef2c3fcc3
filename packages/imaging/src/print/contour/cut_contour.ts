import { EngineError } from '../../errors/engine_error.ts';
import { type Curve, fitCurve } from '../../vectorize/fit_curve.ts';
import { OUTLINE_POINTS_MAX, OUTLINES_MAX } from '../limits.ts';
import { nearestSeeds, signedDistances } from './distance_field.ts';
import { joinIslands } from './join_islands.ts';
import type { Opacity } from './opacity.ts';
import { containsPoint, type Loop, signedArea, traceZero } from './trace_level.ts';

export interface ContourOptions {
  /** Distance from the edge of the artwork outwards to the cut. Negative: into the artwork. */
  readonly offsetMm: number;
  /** Concave corners of a smaller radius are filled; larger ones follow the artwork. */
  readonly smoothingMm: number;
  /** `join` connects separate parts with bridges, so that they are cut as one. */
  readonly islands: 'separate' | 'join';
  readonly cutsHoles: boolean;
}

export interface CutContour {
  /** Closed, in millimetres from the upper left corner of the opacity raster, outer contours first. */
  readonly curves: readonly Curve[];
  /** Signed distance of each pixel to the cut in pixels: positive inside. */
  readonly depth: Float32Array;
  readonly nodes: number;
  readonly holes: number;
  /** Specks without a contour. */
  readonly specks: number;
}

/** Radius up to which artwork counts as a speck. */
const SPECK_MM = 0.15;
/** Smallest side of a hole that is cut. */
const HOLE_MM = 3;
/** A plotter is accurate to about 0.05 mm. */
const TOLERANCE_MM = 0.04;
const TOLERANCE_PX_MIN = 0.25;
const SMOOTHING_PX_MIN = 1.5;
/** Distance between the points that curves are fitted to. Closer points make tangents unreliable and curves short. */
const STEP_MM = 0.25;
const STEP_PX_MIN = 2;
const STEPS_MIN = 24;

/**
 * Computes the cut contour of a sticker: an offset path around the artwork, smoothed, with few curves.
 * @throws EngineError unsuitable_image if nothing is opaque or the outline is too complex
 */
export function cutContour(opacity: Opacity, options: ContourOptions): CutContour {
  const first = outlinesOf(opacity.coverage, opacity, options);
  const isJoining = options.islands === 'join' && first.outer.length > 1;
  const joined = isJoining ? joinIslands(opacity, first.outer) : undefined;
  const { depth, outer, holes, specks } = joined ? outlinesOf(joined, opacity, options) : first;
  const { pixelsPerMm } = opacity;
  const tolerance = Math.max(TOLERANCE_PX_MIN, TOLERANCE_MM * pixelsPerMm);
  const curves = [...outer, ...holes].map((loop) =>
    toMillimetres(fitCurve(resampleEvenly(loop, STEP_MM * pixelsPerMm), tolerance), pixelsPerMm),
  );
  const nodes = curves.reduce((sum, curve) => sum + (curve.length - 2) / 6, 0);
  return { curves, depth, nodes, holes: holes.length, specks };
}

interface Outlines {
  readonly depth: Float32Array;
  readonly outer: Loop[];
  readonly holes: Loop[];
  readonly specks: number;
}

function outlinesOf(share: Float32Array, opacity: Opacity, options: ContourOptions): Outlines {
  const { pixelsPerMm } = opacity;
  const depth = signedDistanceToCut(share, opacity, options);
  const loops = traceZero(depth, opacity, OUTLINE_POINTS_MAX);
  if (!loops) throw unsuitable('its outline is too noisy. Remove the background more cleanly');
  const speckPx = (Math.max(0, options.offsetMm) + SPECK_MM) * pixelsPerMm;
  const found = loops.filter((loop) => signedArea(loop) > 0);
  const whole = found.filter((loop) => signedArea(loop) > Math.PI * speckPx ** 2);
  const isKept = (hole: Loop): boolean => options.cutsHoles && smallestSide(hole) >= HOLE_MM * pixelsPerMm;
  const holes = loops.filter((loop) => signedArea(loop) < 0);
  const filled = holes.filter((hole) => !isKept(hole));
  const outer = whole
    .filter((loop) => !filled.some((hole) => containsPoint(hole, loop[0]!, loop[1]!)))
    .sort((one, other) => signedArea(other) - signedArea(one));
  const kept = holes.filter(
    (hole) =>
      isKept(hole) && !filled.some((other) => other !== hole && containsPoint(other, hole[0]!, hole[1]!)),
  );
  if (outer.length === 0) throw unsuitable('no part of it is large and opaque enough');
  if (outer.length + kept.length > OUTLINES_MAX)
    throw unsuitable(
      `it has ${outer.length + kept.length} separate parts, and at most ${OUTLINES_MAX} are supported. Raise cut.offset_mm or cut.smoothing_mm until they merge`,
    );
  return { depth, outer, holes: kept, specks: found.length - whole.length };
}

/**
 * Computes the signed distance of each pixel to the cut. Gaps narrower than twice the smoothing radius are closed,
 * between parts as well.
 */
function signedDistanceToCut(
  share: Float32Array,
  opacity: Opacity,
  { offsetMm, smoothingMm }: ContourOptions,
): Float32Array {
  const { pixelsPerMm } = opacity;
  const inside = signedDistances(share, opacity, offsetMm < 0 ? 'inside' : 'outside');
  const offset = offsetMm * pixelsPerMm;
  const radius = smoothingMm * pixelsPerMm;
  if (radius < SMOOTHING_PX_MIN || offset < 0) return inside.map((depth) => depth + offset);
  const reach = offset + radius;
  const isBeyond = Uint8Array.from(inside, (depth) => (depth < -reach ? 1 : 0));
  const { distances, seeds } = nearestSeeds(isBeyond, opacity);
  return distances.map((distance, at) => {
    const beyond = -inside[seeds[at]!]! - reach;
    return isBeyond[at] === 1 ? -radius + inside[at]! + reach : distance - beyond - radius;
  });
}

function smallestSide(loop: Loop): number {
  const side = (axis: 0 | 1): number => {
    let [low, high] = [Infinity, -Infinity];
    for (let at: number = axis; at < loop.length; at += 2) {
      low = Math.min(low, loop[at]!);
      high = Math.max(high, loop[at]!);
    }
    return high - low;
  };
  return Math.min(side(0), side(1));
}

/** Resamples a loop at even steps; each point is the mean of the points around it. */
function resampleEvenly(loop: Loop, step: number): Loop {
  const count = loop.length / 2 - 1;
  const lengths = new Float64Array(count + 1);
  for (let at = 1; at <= count; at += 1)
    lengths[at] =
      lengths[at - 1]! + Math.hypot(loop[2 * at]! - loop[2 * at - 2]!, loop[2 * at + 1]! - loop[2 * at - 1]!);
  const whole = lengths[count]!;
  const steps = Math.max(STEPS_MIN, Math.round(whole / Math.max(STEP_PX_MIN, step)));
  const sums = new Float64Array(2 * steps);
  const counts = new Uint32Array(steps);
  for (let at = 0; at < count; at += 1) {
    const place = Math.round((steps * lengths[at]!) / whole) % steps;
    sums[2 * place]! += loop[2 * at]!;
    sums[2 * place + 1]! += loop[2 * at + 1]!;
    counts[place]! += 1;
  }
  const kept: number[] = [];
  for (let place = 0; place < steps; place += 1)
    if (counts[place]! > 0)
      kept.push(sums[2 * place]! / counts[place]!, sums[2 * place + 1]! / counts[place]!);
  return Float64Array.from([...kept, kept[0]!, kept[1]!]);
}

/** Points are pixel centres, half a pixel from the pixel edges. */
const toMillimetres = (curve: Curve, pixelsPerMm: number): Curve =>
  curve.map((value) => (value + 0.5) / pixelsPerMm);

const unsuitable = (reason: string): EngineError =>
  new EngineError('unsuitable_image', `No cut contour can be created for the image: ${reason}.`, {
    errors: [{ field: 'image', code: 'unsuitable', message: `No outline: ${reason}.` }],
  });
