import { connectedComponents } from '../pixels/connected_components.ts';
import { fitInside } from '../pixels/fit_inside.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { fitMixture } from './grab_cut.ts';
import { downsamplePlane, downsampleRaster } from './resample.ts';
import { labPlanes } from './segment.ts';

/** Size at which the colour models are fitted. */
const TRAINING_SIDE_PX = 256;
/** Gaussians per side. */
const COMPONENTS = 8;
/**
 * Alpha from which a pixel trains the subject's colour model, and up to which it trains that of the background. Pixels in between are
 * classified by colour: a label on a pot has none of its colours.
 */
const SUBJECT_FROM = 0.9;
const BACKGROUND_TO = 0.03;
const SHOWN_WELL_FROM = 0.8;
/**
 * Log-odds weights of the mask (which was stretched) and of the colours, chosen on matted photographs and composites
 * (docs/decisions/0024-cut-outs-and-erasing.md).
 */
const MASK_WEIGHT = 0.5;
const COLOR_WEIGHT = 1;
/** Log odds at which the colour term saturates. */
const COLOR_MAX = 4;
const MASK_MAX = 0.98;

/**
 * Classifies pixels that a model is uncertain of by the colours of the pixels it is certain of: gaps between tufts of hair match the
 * background, and leaves inside a plant match its other leaves. A mask without certain pixels is unchanged.
 * @param shown the model's mask, 0 to 1
 * @param mask the mask to refine, of the same size
 */
export function classifyByColors(picture: Raster, shown: Plane, mask: Plane): Plane {
  const small = fitInside(picture, TRAINING_SIDE_PX);
  const learnt = labPlanes(downsampleRaster(picture, small));
  const { data: sure } = downsamplePlane(shown, small);
  const mixtureOf = (isTaught: (value: number) => boolean) =>
    fitMixture(
      learnt,
      Float32Array.from(sure, (value) => Number(isTaught(value))),
      COMPONENTS,
    );
  const subject = mixtureOf((value) => value > SUBJECT_FROM);
  const background = mixtureOf((value) => value < BACKGROUND_TO);
  if (!subject || !background) return mask;
  const lab = labPlanes(picture);
  const data = mask.data.map((value, pixel) => {
    const seen = shown.data[pixel]!;
    if (seen < BACKGROUND_TO || seen > SUBJECT_FROM) return value;
    const own = Math.min(MASK_MAX, Math.max(1 - MASK_MAX, value));
    const color = background.cost(lab, pixel) - subject.cost(lab, pixel);
    const odds =
      MASK_WEIGHT * Math.log(own / (1 - own)) +
      COLOR_WEIGHT * Math.min(COLOR_MAX, Math.max(-COLOR_MAX, color));
    return 1 / (1 + Math.exp(-odds));
  });
  return { ...mask, data: keepEnclosed(shown, mask.data, data) };
}

/**
 * Keeps confident pixels that colours remove from the inside of a subject, such as a highlight: background must be connected to background.
 */
function keepEnclosed(
  { data: shown, width }: Plane,
  before: Float32Array,
  weighed: Float32Array,
): Float32Array {
  const isReached = new Uint8Array(shown.length);
  const isBackground = Uint8Array.from(shown, (value, pixel) =>
    Number(value < BACKGROUND_TO || weighed[pixel]! < 0.5),
  );
  for (const patch of connectedComponents(isBackground, width))
    if (patch.some((pixel) => shown[pixel]! < BACKGROUND_TO)) for (const pixel of patch) isReached[pixel] = 1;
  return weighed.map((value, pixel) =>
    isReached[pixel] === 1 || shown[pixel]! < SHOWN_WELL_FROM ? value : Math.max(value, before[pixel]!),
  );
}
