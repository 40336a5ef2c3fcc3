import { type Plane, planeOf } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { doubtOfColors } from './doubt.ts';
import { grabCut } from './grab_cut.ts';
import { labPlanes } from './lab_planes.ts';
import { fitInside, reducePicture } from './resample.ts';
import { saliencyOf } from './saliency.ts';
import { superpixels } from './superpixels.ts';

export interface Segmented {
  /** How likely each pixel belongs to the object, at any size. */
  readonly mask: Plane;
  /** At most this probability means background, at least one minus this the object; what lies between is left open. */
  readonly certainty: number;
  /** How far the mask's outline may be off, as a part of the longest side. */
  readonly edgePart: number;
  /** How likely the mask shares less than 0.9 with the object, 0 to 1; absent where that was not measured. */
  readonly doubt?: number;
}

/** Finds the object in a picture: what a network does, or `segmentByColor`. */
export type Segment = (picture: Raster) => Promise<Segmented> | Segmented;

/** The minimum cut has decided for every pixel: only how sure it is varies. */
const CERTAINTY = 0.45;
const EDGE_PART = 0.014;

const SIDE_PX = 256;
const PATCHES = 300;
/** So few show what depends on how the picture was divided. */
const COARSE_PATCHES = 150;

/** The segmenter that needs no weights: what stands out from the edge of the picture, and the cheapest outline around it. */
export function segmentByColor(picture: Raster): Segmented {
  const small = reducePicture(picture, fitInside(picture, SIDE_PX));
  const { width, height } = small;
  const lab = labPlanes(small);
  const maskBy = (count: number): Plane => {
    const patches = superpixels({ width, height, lab }, count);
    const saliency = saliencyOf(patches);
    const prior = planeOf(small);
    for (let pixel = 0; pixel < prior.data.length; pixel++)
      prior.data[pixel] = saliency[patches.labels[pixel]!]!;
    return grabCut({ width, height, lab, prior });
  };
  const mask = maskBy(PATCHES);
  return {
    mask,
    certainty: CERTAINTY,
    edgePart: EDGE_PART,
    doubt: doubtOfColors(mask, maskBy(COARSE_PATCHES)),
  };
}
