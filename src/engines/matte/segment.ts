import { grabCut } from './grab_cut.ts';
import { labPlanes } from './lab_planes.ts';
import { fitInside, type Picture, type Plane, planeOf } from './picture.ts';
import { reducePicture } from './resample.ts';
import { saliencyOf } from './saliency.ts';
import { superpixels } from './superpixels.ts';

/** Finds the object: how likely each pixel of a (reduced) picture belongs to it. What a network does, or `segmentByColor`. */
export type Segment = (picture: Picture) => Promise<Plane> | Plane;

const SIDE_PX = 256;
const PATCHES = 300;

/** The segmenter that needs no weights: what stands out from the edge of the picture, and the cheapest outline around it. */
export function segmentByColor(picture: Picture): Plane {
  const small = reducePicture(picture, fitInside(picture, SIDE_PX));
  const { width, height } = small;
  const lab = labPlanes(small);
  const patches = superpixels({ width, height, lab }, PATCHES);
  const saliency = saliencyOf(patches);
  const prior = planeOf(small);
  for (let pixel = 0; pixel < prior.data.length; pixel++) prior.data[pixel] = saliency[patches.labels[pixel]!]!;
  return grabCut({ width, height, lab, prior });
}
