import { fitInside } from '../pixels/fit_inside.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { grabCut } from './grab_cut.ts';
import type { MaskViews } from './model_views.ts';
import { downsampleRaster, upsamplePlane } from './resample.ts';
import { doubtOfNetwork, intersectionOverUnion, labPlanes, softShare } from './segment.ts';

/** OKLab differences below this are hardly visible as an edge. */
const EDGE_DIFFERENCE_MIN = 0.04;
const REACH_PX = 2;

/**
 * Mean colour difference across the outline of a mask, and the share of the outline without a visible edge. The outline of an object
 * follows edges; one through the middle of an object does not. The image border is excluded.
 * @param lab interleaved OKLab, of the mask's size
 */
export function outlineContrast(
  { width, height, data }: Plane,
  lab: Float32Array,
): { mean: number; weakPart: number } {
  let [sum, weak, count] = [0, 0, 0];
  for (let y = REACH_PX; y < height - REACH_PX; y++) {
    for (let x = REACH_PX; x < width - REACH_PX; x++) {
      for (const away of [REACH_PX, REACH_PX * width]) {
        const [before, after] = [y * width + x - away, y * width + x + away];
        if (data[before]! > 0.5 === data[after]! > 0.5) continue;
        const step = distance(lab, 3 * before, 3 * after);
        sum += step;
        count++;
        if (step < EDGE_DIFFERENCE_MIN) weak++;
      }
    }
  }
  return count === 0 ? { mean: 0, weakPart: 1 } : { mean: sum / count, weakPart: weak / count };
}

const distance = (lab: Float32Array, one: number, other: number): number =>
  Math.hypot(lab[one]! - lab[other]!, lab[one + 1]! - lab[other + 1]!, lab[one + 2]! - lab[other + 2]!);

/** Size at which colours are compared. */
const SIDE_PX = 256;
/** The padded view is used if it contains nearly all of the plain one and leaves some background. */
const COVERED_MIN = 0.9;
const WIDE_SHARE_MAX = 0.75;
/** An added pixel has at least this alpha in one view … */
const VIEW_ALPHA_MIN = 0.3;
/** … and is connected to pixels with at least this alpha. */
const CONFIDENT_ALPHA_MIN = 0.7;
/** Alpha of added pixels: part of the object, but uncertain, so that matting recomputes their edge. */
const ADDED_ALPHA = 0.7;
/** The grown mask is rejected if its outline contrast falls below this fraction of the previous one. */
const CONTRAST_RATIO_MIN = 0.9;
/** Margin of the prior from 0 and 1: a view alone never excludes a pixel. */
const PRIOR_MARGIN = 0.05;

/**
 * Completes the weak parts of a model's mask, such as hair, wings or leaves: parts that another view detects, that GrabCut assigns to the
 * object by colour, and that are connected to the mask. Also estimates the probability that the mask is wrong.
 */
export function completeMask(picture: Raster, opinions: MaskViews): { mask: Plane; doubt: number } {
  const small = downsampleRaster(picture, fitInside(picture, SIDE_PX));
  const lab = labPlanes(small);
  const plain = upsamplePlane(opinions.plain, small);
  const mirrored = upsamplePlane(opinions.mirrored, small);
  const padded = upsamplePlane(opinions.padded, small);
  const views = isPlausible(plain, padded) ? [plain, mirrored, padded] : [plain, mirrored];
  const [mean, maximum] = [meanOf(views), maximumOf(views)];
  const prior = meanOf([mean, maximum]);
  const cut = grabCut({
    ...small,
    lab,
    prior: { ...prior, data: prior.data.map((value) => PRIOR_MARGIN + (1 - 2 * PRIOR_MARGIN) * value) },
  });
  const grown = growRegion(plain, { cut, maximum });
  const isKept = outlineContrast(grown, lab).mean >= CONTRAST_RATIO_MIN * outlineContrast(plain, lab).mean;
  const found = isKept ? grown : plain;
  const doubt = doubtOfNetwork({
    mirrored: 1 - intersectionOverUnion(plain, mirrored),
    padded: 1 - intersectionOverUnion(plain, padded),
    soft: softShare(mean),
    weakEdge: outlineContrast(found, lab).weakPart,
  });
  return { mask: isKept ? addGrownPixels(opinions.plain, plain, grown) : opinions.plain, doubt };
}

function isPlausible(plain: Plane, padded: Plane): boolean {
  let [kept, covered, paddedPixels] = [0, 0, 0];
  for (let pixel = 0; pixel < plain.data.length; pixel++) {
    const isWide = padded.data[pixel]! > 0.5;
    if (isWide) paddedPixels++;
    if (plain.data[pixel]! <= 0.5) continue;
    kept++;
    if (isWide) covered++;
  }
  return covered >= COVERED_MIN * kept && paddedPixels <= WIDE_SHARE_MAX * plain.data.length;
}

/** Region growing from confident pixels over connected pixels that both a view and the colours assign to the object. */
function growRegion(plain: Plane, { cut, maximum }: { cut: Plane; maximum: Plane }): Plane {
  const { width, data } = plain;
  const grown = Float32Array.from(data);
  const isOpen = Uint8Array.from(data, (_, at) =>
    cut.data[at]! > 0.5 && maximum.data[at]! > VIEW_ALPHA_MIN ? 1 : 0,
  );
  const reached = [...data.keys()].filter((at) => data[at]! > CONFIDENT_ALPHA_MIN);
  for (const at of reached) isOpen[at] = 0;
  for (let at = reached.pop(); at !== undefined; at = reached.pop()) {
    grown[at] = Math.max(grown[at]!, ADDED_ALPHA);
    const x = at % width;
    for (const next of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
      if (isOpen[next] !== 1) continue;
      isOpen[next] = 0;
      reached.push(next);
    }
  }
  return { ...plain, data: grown };
}

/** Adds only the grown pixels; the alpha of the model's mask is unchanged. */
function addGrownPixels(mask: Plane, before: Plane, grown: Plane): Plane {
  const added = upsamplePlane(
    { ...grown, data: grown.data.map((value, at) => value - before.data[at]!) },
    mask,
  );
  return { ...mask, data: mask.data.map((value, at) => Math.min(1, value + added.data[at]!)) };
}

const meanOf = (planes: readonly Plane[]): Plane => ({
  ...planes[0]!,
  data: planes[0]!.data.map((_, at) => planes.reduce((sum, { data }) => sum + data[at]!, 0) / planes.length),
});

const maximumOf = (planes: readonly Plane[]): Plane => ({
  ...planes[0]!,
  data: planes[0]!.data.map((_, at) => planes.reduce((best, { data }) => Math.max(best, data[at]!), 0)),
});
