import { EngineError } from '../errors/engine_error.ts';
import { fitInside } from '../pixels/fit_inside.ts';
import { largestComponent } from '../pixels/largest_component.ts';
import { oklabOf } from '../pixels/oklab.ts';
import { type Plane, planeOf, type Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { isPoint, keepSubject, scaleWhere, type Where } from './choose_subject.ts';
import { grabCut } from './grab_cut.ts';
import type { Region } from './letterbox.ts';
import { reducePicture } from './resample.ts';
import { saliencyOf } from './saliency.ts';
import { superpixels } from './superpixels.ts';

/** From here on a cut-out is called unsure: one in five such was wrong where this was fitted. */
export const UNSURE_FROM = 0.2;

/** What a mask is judged by; each 0 where nothing speaks against it. Decision 24 has what the weights were fitted to. */
const COLORS = { disagreement: 25, soft: 23, besides: 30, inPieces: 5, start: -2.5 } as const;
const NETWORK = { mirrored: 5.4, widened: 0.8, soft: 2.2, weakEdge: 12.2, start: -2.4 } as const;

/**
 * How likely a mask found by colours shares less than 0.9 with the object, 0 to 1: by how far a second opinion is from it, how much
 * of it is soft, how much of the left and right edge of the picture it reaches, and how much lies in other pieces than the largest.
 * @param other of the same size, found another way
 */
export function doubtOfColors(mask: Plane, other: Plane): number {
  const kept = countKept(mask);
  if (kept === 0) return 1;
  return logistic(
    COLORS.start +
      COLORS.disagreement * (1 - overlapOfMasks(mask, other)) +
      COLORS.soft * softPart(mask) +
      COLORS.besides * reachOfSides(mask) +
      COLORS.inPieces * (1 - largestPiece(mask) / kept),
  );
}

interface NetworkSigns {
  /** How much of the mask and the one of the mirrored picture is in one of them only. */
  readonly mirrored: number;
  /** As much for the picture with more around it. */
  readonly widened: number;
  /** How much of the object is soft in the mean of them. */
  readonly soft: number;
  /** The part of the outline without a step of colour. */
  readonly weakEdge: number;
}

/** How likely a network's mask shares less than 0.9 with the object, 0 to 1. */
export const doubtOfNetwork = ({ mirrored, widened, soft, weakEdge }: NetworkSigns): number =>
  logistic(
    NETWORK.start +
      NETWORK.mirrored * mirrored +
      NETWORK.widened * widened +
      NETWORK.soft * Math.min(1, soft) +
      NETWORK.weakEdge * weakEdge,
  );

/** What two masks of one size have in common, of what either has: 1 where they are the same, or both empty. */
export function overlapOfMasks(one: Plane, other: Plane): number {
  let [both, either] = [0, 0];
  for (let pixel = 0; pixel < one.data.length; pixel++) {
    const [isIn, isInOther] = [one.data[pixel]! > 0.5, other.data[pixel]! > 0.5];
    if (isIn && isInOther) both++;
    if (isIn || isInOther) either++;
  }
  return either === 0 ? 1 : both / either;
}

/** Pixels of which a mask is unsure, for each it keeps. */
export function softPart(mask: Plane): number {
  const soft = mask.data.reduce((sum, value) => sum + (value > 0.2 && value < 0.8 ? 1 : 0), 0);
  return soft / Math.max(1, countKept(mask));
}

/** How much of the four edges of a picture a mask covers, each of length 1: at the top, at the bottom, left and right. */
export function reachOfEdges({ width, height, data }: Plane): [number, number, number, number] {
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
  const [, , left, right] = reachOfEdges(mask);
  return (left + right) / 2;
};

export const logistic = (value: number): number => 1 / (1 + Math.exp(-value));
const countKept = ({ data }: Plane): number => data.reduce((sum, value) => sum + (value > 0.5 ? 1 : 0), 0);

/** Pixels of the largest connected part of a mask. */
export const largestPiece = ({ width, data }: Plane): number =>
  largestComponent(
    Uint8Array.from(data, (value) => (value > 0.5 ? 1 : 0)),
    width,
  ).length;

export interface Segmented {
  /** How likely each pixel belongs to the object, at any size. */
  readonly mask: Plane;
  /** At most this probability means background, at least one minus this the object; what lies between is left open. */
  readonly certainty: number;
  /** How far the mask's outline may be off, as a part of the longest side. */
  readonly edgePart: number;
  /** Whether opacity is worked out from the colours along every edge, or the mask is taken as it is but for hair. */
  readonly edges: 'anew' | 'hair_only';
  /** How likely the mask shares less than 0.9 with the object, 0 to 1; absent where that was not measured. */
  readonly doubt?: number;
}

/**
 * Finds the object in a picture: what a network does, or `segmentByColor`.
 * @param where the object that is meant, in pixels of the picture
 */
export type Segment = (picture: Raster, where?: Where) => Promise<Segmented> | Segmented;

/** Why a picture is not cut out, and what helps. */
export const subjectUnclear = (detail: string): EngineError => new EngineError('subject_unclear', detail);

/** The minimum cut has decided for every pixel: only how sure it is varies. */
const CERTAINTY = 0.45;
const EDGE_PART = 0.014;

const SIDE_PX = 256;
const PATCHES = 300;
/** So few show what depends on how the picture was divided. */
const COARSE_PATCHES = 150;

/** How likely a pixel is foreground before its colour is looked at: in a box that a client drew, and outside it. */
const IN_BOX = 0.75;
const BESIDE_BOX = 0.02;
/** The second opinion is from a box smaller by this part on each side. */
const SHRUNK_PART = 0.08;

/**
 * The segmenter that needs no weights: what stands out from the edge of the picture, or what a box is around, and the cheapest
 * outline around its colours.
 * @throws EngineError subject_unclear where nothing of it lies at `where`
 */
export function segmentByColor(picture: Raster, where?: Where): Segmented {
  const small = reducePicture(picture, fitInside(picture, SIDE_PX));
  const place = where && scaleWhere(where, picture, small);
  const [prior, other] =
    place && !isPoint(place)
      ? [boxPrior(place, small), boxPrior(shrunk(place), small)]
      : [saliencyPrior(small, PATCHES), saliencyPrior(small, COARSE_PATCHES)];
  const lab = labPlanes(small);
  const whole = grabCut({ ...small, lab, prior });
  const mask = place ? keepSubject(whole, place) : whole;
  if (!mask) throw subjectUnclear(NOTHING_THERE);
  return {
    mask,
    certainty: CERTAINTY,
    edgePart: EDGE_PART,
    edges: 'anew',
    doubt: doubtOfColors(whole, grabCut({ ...small, lab, prior: other })),
  };
}

const NOTHING_THERE =
  'Nothing at `where` differs from the background by its colours. Send a box around all of the subject, or have the operator install a segmentation network.';

/** How far each pixel stands out from the edge of a picture that is divided into so many patches. */
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
  prior.data.fill(BESIDE_BOX);
  const clamp = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)));
  for (let y = clamp(top, size.height); y < clamp(top + height, size.height); y++) {
    const row = y * size.width;
    prior.data.fill(IN_BOX, row + clamp(left, size.width), row + clamp(left + width, size.width));
  }
  return prior;
}

const shrunk = ({ left, top, width, height }: Region): Region => ({
  left: left + SHRUNK_PART * width,
  top: top + SHRUNK_PART * height,
  width: (1 - 2 * SHRUNK_PART) * width,
  height: (1 - 2 * SHRUNK_PART) * height,
});

/** Colours as numbers a distance may be measured in: three of OKLab a pixel, interleaved. */
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
