import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { classifyByColors } from './classify_by_colors.ts';
import { type RunModel, runPadded } from './model_views.ts';
import { upsamplePlane } from './resample.ts';
import {
  intersectionOverUnion,
  largestComponentSize,
  logistic,
  type Segmented,
  softShare,
} from './segment.ts';

/** Alpha from which a pixel may belong to the object, and from which it does with confidence. */
const DETECTED_FROM = 0.08;
const CONFIDENT_FROM = 0.7;
/** Share of weak pixels from which the model runs a second time; decisive masks have at most 0.06. */
export const WEAK_FROM = 0.15;
/** Share of the weak pixels that may remain in the second result. On a busy background, a second run only adds clutter. */
const WEAK_LEFT_MAX = 0.8;

/** Share of weak pixels among all that the mask detects; 1 if it detects nothing. */
export function weakShare({ data }: Plane): number {
  let [seen, weak] = [0, 0];
  for (const value of data) {
    if (value <= DETECTED_FROM) continue;
    seen++;
    if (value < CONFIDENT_FROM) weak++;
  }
  return seen === 0 ? 1 : weak / seen;
}

/**
 * Range of alpha that is stretched to 0 to 1 in a weak result, where most detected pixels belong to the object. On composites, this
 * recovers half of the missed pixels.
 */
const STRETCH_FROM = 0.1;
const STRETCH_TO = 0.6;

const stretchWeak = (mask: Plane): Plane => ({
  ...mask,
  data: mask.data.map((value) =>
    Math.min(1, Math.max(0, (value - STRETCH_FROM) / (STRETCH_TO - STRETCH_FROM))),
  ),
});

/** Results of a model that may have run twice; the second is absent if the first was decisive. */
export interface ModelRuns {
  readonly first: Plane;
  /** Of the size of the image. */
  readonly padded?: Plane;
  /** The combined mask: a decisive first result, or the union of both. */
  readonly mask: Plane;
}

/**
 * Runs the model, and a second time with padding if the result is weak: subjects that fill the frame are the usual failure. The second
 * result is used if it is clearly less weak; pixels uncertain in both are decided by colours.
 */
export async function rerunWhenWeak(picture: Raster, ask: RunModel): Promise<ModelRuns> {
  const first = await ask(picture);
  const weak = weakShare(first);
  if (weak <= WEAK_FROM) return { first, mask: first };
  const padded = await runPadded(picture, ask);
  if (weakShare(padded) > WEAK_LEFT_MAX * weak) return { first, padded, mask: stretchWeak(first) };
  const plain = upsamplePlane(first, padded).data;
  const either = { ...padded, data: padded.data.map((value, at) => Math.max(value, plain[at]!)) };
  return { first, padded, mask: classifyByColors(picture, either, stretchWeak(either)) };
}

/** Alpha from which the model is certain of a pixel. */
const CERTAIN_FROM = 0.95;

/**
 * Probability that the mask has an IoU below 0.9 with the object: a logistic function of the certain share of the first result, the share
 * of the mask outside its largest component, the difference between both results, and the softness of the mask. Fitted to sixty composites
 * and five photographs: docs/decisions/0024-cut-outs-and-erasing.md
 */
export function assessRuns(looks: ModelRuns): Pick<Segmented, 'doubt' | 'edges'> {
  const edges = weakShare(looks.first) > WEAK_FROM ? 'anew' : 'hair_only';
  return { doubt: doubtOfRuns(looks), edges };
}

function doubtOfRuns({ first, padded, mask }: ModelRuns): number {
  const kept = countAbove(mask, 0.5);
  if (kept === 0) return 1;
  const outsideLargest = 1 - largestComponentSize(mask) / kept;
  const certain = countAbove(first, CERTAIN_FROM) / Math.max(1, countAbove(first, DETECTED_FROM));
  const difference = padded ? 1 - intersectionOverUnion(upsamplePlane(first, padded), padded) : 0;
  const soft = Math.log(Math.min(1, softShare(mask)) + SOFT_FLOOR);
  return logistic(
    WEIGHTS.start +
      WEIGHTS.certain * certain +
      WEIGHTS.outsideLargest * outsideLargest +
      WEIGHTS.difference * difference +
      WEIGHTS.soft * soft,
  );
}

/** The intercept is lower than fitted, because objects pasted onto foreign backgrounds fail more often than photographs. */
const WEIGHTS = { start: 1.25, certain: -1.1, outsideLargest: 0.7, difference: 1.7, soft: 1.05 } as const;
/** Keeps the logarithm finite for a mask without soft pixels. */
const SOFT_FLOOR = 0.01;

const countAbove = ({ data }: Plane, level: number): number =>
  data.reduce((sum, value) => sum + (value > level ? 1 : 0), 0);
