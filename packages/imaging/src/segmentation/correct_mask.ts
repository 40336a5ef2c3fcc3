import { connectedComponents } from '../pixels/connected_components.ts';
import { dilateMask } from '../pixels/dilate_mask.ts';
import { distanceInside } from '../pixels/distance_inside.ts';
import { fitInside } from '../pixels/fit_inside.ts';
import { type Plane, planeOf, type Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { boundaryCosts, cutGrid, fitMixture } from './grab_cut.ts';
import { downsamplePlane, downsampleRaster, upsamplePlane } from './resample.ts';
import { labPlanes } from './segment.ts';

/** A line drawn on the subject or on the background, in pixels. */
export interface Stroke {
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Half its width. */
  readonly radius: number;
  /** true: subject; false: background. */
  readonly keep: boolean;
}

/** Stroke label of each pixel. */
const [NOTHING, KEEP, REMOVE] = [0, 1, 2];
type StrokeLabels = Uint8Array;

/** Rasterises strokes onto an image of another size; where two cross, the later one wins. */
export function drawStrokes(strokes: readonly Stroke[], from: Size, to: Size): StrokeLabels {
  const labels = new Uint8Array(to.width * to.height);
  for (let first = 0; first < strokes.length; ) {
    const { keep, radius } = strokes[first]!;
    const beside = new Uint8Array(labels.length).fill(1);
    let next = first;
    for (; next < strokes.length && strokes[next]!.keep === keep && strokes[next]!.radius === radius; next++)
      drawLine(strokes[next]!.points, { from, to, beside });
    const reach = (radius * to.width) / from.width;
    const away = distanceInside(beside, to.width);
    for (let at = 0; at < labels.length; at++) if (away[at]! <= reach) labels[at] = keep ? KEEP : REMOVE;
    first = next;
  }
  return labels;
}

/** Sets the pixels of a line to 0, clipped to the image. */
function drawLine(
  points: Stroke['points'],
  { from, to, beside }: { from: Size; to: Size; beside: Uint8Array },
): void {
  const placed = points.map(
    ([x, y]) => [(x * to.width) / from.width, (y * to.height) / from.height] as const,
  );
  for (const [at, [x, y]] of placed.entries()) {
    const [startX, startY] = placed[Math.max(0, at - 1)]!;
    const steps = Math.min(
      to.width + to.height,
      Math.ceil(Math.max(Math.abs(x - startX), Math.abs(y - startY))),
    );
    for (let step = 0; step <= steps; step++) {
      const part = steps === 0 ? 1 : step / steps;
      const [column, row] = [
        Math.floor(startX + part * (x - startX)),
        Math.floor(startY + part * (y - startY)),
      ];
      if (column >= 0 && column < to.width && row >= 0 && row < to.height)
        beside[row * to.width + column] = 0;
    }
  }
}

/** Largest size at which the graph cut runs. */
const SIDE_PX = 384;
const COMPONENTS = 5;
/** Gaussians for the few colours under a stroke. */
const STROKE_COMPONENTS = 3;
/** Largest weight of the colour term. */
const COLOR_MAX = 12;
/** Cost of changing a pixel: low next to a stroke, and rising to `atReach` at the distance `REACH`, a fraction of the longest side. */
const CHANGE_COST = { beside: 1, atReach: 6 } as const;
const REACH = 0.3;
/** Larger than any other cost: a stroke is a hard constraint. */
const HARD_CONSTRAINT = 1e6;
/** Fraction of a reduced pixel that a stroke must cover. */
const COVERED_MIN = 0.3;
/** Width of the band around changes that is refined, as a fraction of the longest side. */
const REFINED_BAND = 0.02;

export interface Corrected {
  readonly mask: Plane;
  /** 1 where the mask changed, or may have a new edge. */
  readonly changed: Plane;
}

/**
 * Corrects a mask with strokes: each stroke spreads over connected regions of similar colour, up to image edges. Regions not connected to a
 * stroke are unchanged. Source of the cut: Rother, Kolmogorov and Blake, "GrabCut", 2004.
 * @param labels stroke labels of the size of `picture`, from `drawStrokes`
 * @param mask of the same size
 */
export function correctMask(picture: Raster, mask: Plane, labels: StrokeLabels): Corrected {
  const small = downsampleRaster(picture, fitInside(picture, SIDE_PX));
  const share = (target: number) =>
    downsamplePlane(
      { ...mask, data: Float32Array.from(labels, (value) => (value === target ? 1 : 0)) },
      small,
    ).data;
  const [keep, remove] = [share(KEEP), share(REMOVE)];
  const ground = {
    size: { width: small.width, height: small.height },
    lab: labPlanes(small),
    isSubject: Uint8Array.from(downsamplePlane(mask, small).data, (value) => (value > 0.5 ? 1 : 0)),
    own: keep.map((value) => (value > COVERED_MIN ? 1 : 0)),
    others: remove.map((value) => (value > COVERED_MIN ? 1 : 0)),
  };
  const added = spreadStrokes(ground);
  const swapped = {
    isSubject: ground.isSubject.map((value) => 1 - value),
    own: ground.others,
    others: ground.own,
  };
  const removed = spreadStrokes({ ...ground, ...swapped });
  const [more, less] = [added, removed].map((plane) => upsamplePlane(plane, mask).data) as [
    Float32Array,
    Float32Array,
  ];
  const corrected = planeOf(mask);
  const changed = planeOf(mask);
  for (let at = 0; at < labels.length; at++) {
    const value = Math.min(Math.max(mask.data[at]!, more[at]!), 1 - less[at]!);
    corrected.data[at] = labels[at] === NOTHING ? value : labels[at] === KEEP ? 1 : 0;
    changed.data[at] = Math.abs(corrected.data[at]! - mask.data[at]!) > 0.1 ? 1 : 0;
  }
  const rim = Math.ceil(REFINED_BAND * Math.max(mask.width, mask.height));
  return { mask: corrected, changed: dilateMask(changed, rim) };
}

interface SpreadInput {
  readonly size: Size;
  /** Interleaved OKLab. */
  readonly lab: Float32Array;
  /** 1 where a pixel is already on the strokes' side. */
  readonly isSubject: Uint8Array;
  /** 1 under the strokes of this side, and of the other side. */
  readonly own: Float32Array;
  readonly others: Float32Array;
}

/** Pixels that strokes add to their side, as 1: the pixels they cover on the other side, and those the graph cut joins to them. */
function spreadStrokes({ size, lab, isSubject, own, others }: SpreadInput): Plane {
  const added = planeOf(size);
  if (!own.includes(1)) return added;
  const away = distanceInside(
    Uint8Array.from(own, (value) => 1 - value),
    size.width,
  );
  const reach = REACH * Math.max(size.width, size.height);
  const near = fitMixture(lab, own, STROKE_COMPONENTS)!;
  // The region to be added still counts as the other side, so the colours of that side are learnt away from the strokes.
  const far = Float32Array.from(isSubject, (value, at) =>
    others[at] === 1 ? 5 : value === 0 && away[at]! > reach / 2 ? 1 : 0,
  );
  const any = Float32Array.from(isSubject, (value, at) => (value === 0 && own[at] === 0 ? 1 : 0));
  const beyond = fitMixture(lab, far.includes(1) ? far : any, COMPONENTS);
  if (!beyond) return added;
  const unary = Float32Array.from(isSubject, (value, at) => {
    if (own[at] === 1) return HARD_CONSTRAINT;
    if (others[at] === 1) return -HARD_CONSTRAINT;
    if (value === 1) return COLOR_MAX;
    const colors = Math.min(COLOR_MAX, Math.max(-COLOR_MAX, beyond.cost(lab, at) - near.cost(lab, at)));
    return colors - CHANGE_COST.beside - CHANGE_COST.atReach * (away[at]! / reach) ** 2;
  });
  const side = cutGrid({ ...size, unary, pairwise: boundaryCosts({ ...size, lab }) });
  const isNew = side.map((value, at) => (value === 1 && isSubject[at] === 0 ? 1 : 0));
  for (const patch of connectedComponents(isNew, size.width))
    if (patch.some((at) => own[at] === 1)) for (const at of patch) added.data[at] = 1;
  return added;
}
