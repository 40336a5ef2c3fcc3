import { EngineError } from '../errors/engine_error.ts';
import { fitInside } from '../pixels/fit_inside.ts';
import { largestComponent } from '../pixels/largest_component.ts';
import { oklabOf } from '../pixels/oklab.ts';
import { type Plane, planeOf, type Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { isPoint, type SubjectSelector, scaleSelector, selectSubject } from './choose_subject.ts';
import { grabCut } from './grab_cut.ts';
import type { Region } from './letterbox.ts';
import { downsampleRaster } from './resample.ts';
import { saliencyOf } from './saliency.ts';
import { superpixels } from './superpixels.ts';

/** Error probability from which a cutout is reported as uncertain; one in five of those was wrong in the data used for fitting. */
export const UNSURE_FROM = 0.2;

/** Weights of the quality signals; each signal is 0 for a sound mask. The fit is described in decision 24. */
const COLOR_WEIGHTS = { disagreement: 25, soft: 23, outsideLargest: 30, inPieces: 5, start: -2.5 } as const;
const NETWORK_WEIGHTS = { mirrored: 5.4, padded: 0.8, soft: 2.2, weakEdge: 12.2, start: -2.4 } as const;

/**
 * Probability, 0 to 1, that a mask found by colours has an IoU below 0.9 with the object: from its difference to a second mask, its
 * softness, its coverage of the left and right image border, and the share outside its largest component.
 * @param other of the same size, found by another method
 */
export function doubtOfColors(mask: Plane, other: Plane): number {
  const kept = countKept(mask);
  if (kept === 0) return 1;
  return logistic(
    COLOR_WEIGHTS.start +
      COLOR_WEIGHTS.disagreement * (1 - intersectionOverUnion(mask, other)) +
      COLOR_WEIGHTS.soft * softShare(mask) +
      COLOR_WEIGHTS.outsideLargest * reachOfSides(mask) +
      COLOR_WEIGHTS.inPieces * (1 - largestComponentSize(mask) / kept),
  );
}

interface NetworkSignals {
  /** One minus the IoU with the mask of the mirrored image. */
  readonly mirrored: number;
  /** One minus the IoU with the mask of the padded image. */
  readonly padded: number;
  /** Soft share of the object in their mean. */
  readonly soft: number;
  /** Share of the outline without a visible edge. */
  readonly weakEdge: number;
}

/** Probability, 0 to 1, that a network's mask has an IoU below 0.9 with the object. */
export const doubtOfNetwork = ({ mirrored, padded, soft, weakEdge }: NetworkSignals): number =>
  logistic(
    NETWORK_WEIGHTS.start +
      NETWORK_WEIGHTS.mirrored * mirrored +
      NETWORK_WEIGHTS.padded * padded +
      NETWORK_WEIGHTS.soft * Math.min(1, soft) +
      NETWORK_WEIGHTS.weakEdge * weakEdge,
  );

/** Intersection over union (IoU) of two masks of the same size; 1 if both are empty. */
export function intersectionOverUnion(one: Plane, other: Plane): number {
  let [both, either] = [0, 0];
  for (let pixel = 0; pixel < one.data.length; pixel++) {
    const [isIn, isInOther] = [one.data[pixel]! > 0.5, other.data[pixel]! > 0.5];
    if (isIn && isInOther) both++;
    if (isIn || isInOther) either++;
  }
  return either === 0 ? 1 : both / either;
}

/** Uncertain pixels per kept pixel. */
export function softShare(mask: Plane): number {
  const soft = mask.data.reduce((sum, value) => sum + (value > 0.2 && value < 0.8 ? 1 : 0), 0);
  return soft / Math.max(1, countKept(mask));
}

/** Coverage of the four image borders by a mask, each 0 to 1: top, bottom, left, right. */
export function borderCoverage({ width, height, data }: Plane): [number, number, number, number] {
  const reach: [number, number, number, number] = [0, 0, 0, 0];
  for (let x = 0; x < width; x++) {
    if (data[x]! > 0.5) reach[0] += 1 / width;
    if (data[(height - 1) * width + x]! > 0.5) reach[1] += 1 / width;
  }
  for (let y = 0; y < height; y++) {
    if (data[y * width]! > 0.5) reach[2] += 1 / height;
    if (data[(y + 1) * width - 1]! > 0.5) reach[3] += 1 / height;
  }
  return reach;
}

const reachOfSides = (mask: Plane): number => {
  const [, , left, right] = borderCoverage(mask);
  return (left + right) / 2;
};

export const logistic = (value: number): number => 1 / (1 + Math.exp(-value));
const countKept = ({ data }: Plane): number => data.reduce((sum, value) => sum + (value > 0.5 ? 1 : 0), 0);

/** Pixels of the largest connected component of a mask. */
export const largestComponentSize = ({ width, data }: Plane): number =>
  largestComponent(
    Uint8Array.from(data, (value) => (value > 0.5 ? 1 : 0)),
    width,
  ).length;

export interface Segmented {
  /** Object probability of each pixel, at any size. */
  readonly mask: Plane;
  /** Probabilities up to this are background; from one minus this, object; values in between are unknown. */
  readonly certainty: number;
  /** Largest error of the mask's outline, as a fraction of the longest side. */
  readonly edgePart: number;
  /** Whether alpha is recomputed from colours along every edge, or only in hair. */
  readonly edges: 'anew' | 'hair_only';
  /** Probability, 0 to 1, that the mask has an IoU below 0.9 with the object; absent if not estimated. */
  readonly doubt?: number;
}

/**
 * Finds the object in an image, with a network or with `segmentByColor`.
 * @param where selects the object, in image pixels
 */
export type Segment = (picture: Raster, where?: SubjectSelector) => Promise<Segmented> | Segmented;

/** The reason a subject was not found, and the remedy. */
export const subjectUnclear = (detail: string): EngineError => new EngineError('subject_unclear', detail);

/** The minimum cut is binary for every pixel; only its confidence varies. */
const CERTAINTY = 0.45;
const EDGE_PART = 0.014;

const SIDE_PX = 256;
const PATCHES = 300;
/** A coarse second division reveals how far the result depends on the superpixels. */
const COARSE_SUPERPIXELS = 150;

/** Prior foreground probability inside and outside a client's box. */
const PRIOR_IN_BOX = 0.75;
const PRIOR_OUTSIDE_BOX = 0.02;
/** The second mask uses a box shrunk by this fraction on each side. */
const SHRINK_SHARE = 0.08;

/**
 * Segmentation without model weights: saliency or a client's box as prior, refined by GrabCut.
 * @throws EngineError subject_unclear if it finds nothing at `where`
 */
export function segmentByColor(picture: Raster, where?: SubjectSelector): Segmented {
  const small = downsampleRaster(picture, fitInside(picture, SIDE_PX));
  const place = where && scaleSelector(where, picture, small);
  const [prior, other] =
    place && !isPoint(place)
      ? [boxPrior(place, small), boxPrior(shrunk(place), small)]
      : [saliencyPrior(small, PATCHES), saliencyPrior(small, COARSE_SUPERPIXELS)];
  const lab = labPlanes(small);
  const whole = grabCut({ ...small, lab, prior });
  const mask = place ? selectSubject(whole, place) : whole;
  if (!mask) throw subjectUnclear(NOTHING_AT_WHERE);
  return {
    mask,
    certainty: CERTAINTY,
    edgePart: EDGE_PART,
    edges: 'anew',
    doubt: doubtOfColors(whole, grabCut({ ...small, lab, prior: other })),
  };
}

const NOTHING_AT_WHERE =
  'Nothing at `where` differs in colour from the background. Send a box around the whole subject, or ask the operator to install a segmentation network.';

/** Saliency of each pixel relative to the image border, with this number of superpixels. */
function saliencyPrior(picture: Raster, count: number): Plane {
  const patches = superpixels({ ...picture, lab: labPlanes(picture) }, count);
  const saliency = saliencyOf(patches);
  const prior = planeOf(picture);
  for (let pixel = 0; pixel < prior.data.length; pixel++)
    prior.data[pixel] = saliency[patches.labels[pixel]!]!;
  return prior;
}

function boxPrior({ left, top, width, height }: Region, size: Size): Plane {
  const prior = planeOf(size);
  prior.data.fill(PRIOR_OUTSIDE_BOX);
  const clamp = (value: number, maximum: number) => Math.min(maximum, Math.max(0, Math.round(value)));
  for (let y = clamp(top, size.height); y < clamp(top + height, size.height); y++) {
    const row = y * size.width;
    prior.data.fill(PRIOR_IN_BOX, row + clamp(left, size.width), row + clamp(left + width, size.width));
  }
  return prior;
}

const shrunk = ({ left, top, width, height }: Region): Region => ({
  left: left + SHRINK_SHARE * width,
  top: top + SHRINK_SHARE * height,
  width: (1 - 2 * SHRINK_SHARE) * width,
  height: (1 - 2 * SHRINK_SHARE) * height,
});

/** Interleaved OKLab, in which Euclidean distances are perceptually uniform. */
export function labPlanes(picture: Raster): Float32Array {
  const { channels, data } = picture;
  const pixels = picture.width * picture.height;
  const lab = new Float32Array(pixels * 3);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const at = pixel * channels;
    lab.set(oklabOf(data[at]!, data[at + 1]!, data[at + 2]!), pixel * 3);
  }
  return lab;
}
