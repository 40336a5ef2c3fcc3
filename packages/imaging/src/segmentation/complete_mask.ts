import { fitInside } from '../pixels/fit_inside.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { grabCut } from './grab_cut.ts';
import type { Opinions } from './looks.ts';
import { enlargePlane, reducePicture } from './resample.ts';
import { doubtOfNetwork, labPlanes, overlapOfMasks, softPart } from './segment.ts';

/** Steps of colour (OKLab) smaller than this are hardly seen as an edge. */
const STEP_MIN = 0.04;
const REACH_PX = 2;

/**
 * How large the steps of colour across the outline of a mask are, on the mean, and in which part of it there is hardly one. An
 * outline that follows an object has larger ones than one through the middle of something. The edge of the picture is left out.
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
        if (step < STEP_MIN) weak++;
      }
    }
  }
  return count === 0 ? { mean: 0, weakPart: 1 } : { mean: sum / count, weakPart: weak / count };
}

const distance = (lab: Float32Array, one: number, other: number): number =>
  Math.hypot(lab[one]! - lab[other]!, lab[one + 1]! - lab[other + 1]!, lab[one + 2]! - lab[other + 2]!);

/** Colours are compared at this size. */
const SIDE_PX = 256;
/** The wide view counts where it has nearly all of what the plain one has, and leaves room for a background. */
const COVERED_MIN = 0.9;
const WIDE_SHARE_MAX = 0.75;
/** What is added has been seen at least so well by one of the views … */
const SEEN_MIN = 0.3;
/** … and hangs together with what the network is sure of. */
const CORE_MIN = 0.7;
/** Enough to belong to the object, too little to be certain of: the edge is worked out anew there. */
const ADDED = 0.7;
/** Outlines that run along weaker steps of colour than before are not taken. */
const CONTRAST_KEPT = 0.9;
/** A view alone never forbids: so far from certain is what the cut starts from. */
const PRIOR_MARGIN = 0.05;

/**
 * A network's mask with the parts it left weak: hair, wings, leaves. They are what another view of the picture shows, what the
 * colours of both sides (GrabCut) give to the object, and what is connected to it. With it how likely the mask is wrong.
 */
export function completeMask(picture: Raster, opinions: Opinions): { mask: Plane; doubt: number } {
  const small = reducePicture(picture, fitInside(picture, SIDE_PX));
  const lab = labPlanes(small);
  const plain = enlargePlane(opinions.plain, small);
  const mirrored = enlargePlane(opinions.mirrored, small);
  const widened = enlargePlane(opinions.widened, small);
  const views = isPlausible(plain, widened) ? [plain, mirrored, widened] : [plain, mirrored];
  const [mean, most] = [meanOf(views), mostOf(views)];
  const prior = meanOf([mean, most]);
  const cut = grabCut({
    ...small,
    lab,
    prior: { ...prior, data: prior.data.map((value) => PRIOR_MARGIN + (1 - 2 * PRIOR_MARGIN) * value) },
  });
  const grown = growOver(plain, { cut, most });
  const isKept = outlineContrast(grown, lab).mean >= CONTRAST_KEPT * outlineContrast(plain, lab).mean;
  const found = isKept ? grown : plain;
  const doubt = doubtOfNetwork({
    mirrored: 1 - overlapOfMasks(plain, mirrored),
    widened: 1 - overlapOfMasks(plain, widened),
    soft: softPart(mean),
    weakEdge: outlineContrast(found, lab).weakPart,
  });
  return { mask: isKept ? addTo(opinions.plain, plain, grown) : opinions.plain, doubt };
}

function isPlausible(plain: Plane, widened: Plane): boolean {
  let [kept, covered, wide] = [0, 0, 0];
  for (let pixel = 0; pixel < plain.data.length; pixel++) {
    const isWide = widened.data[pixel]! > 0.5;
    if (isWide) wide++;
    if (plain.data[pixel]! <= 0.5) continue;
    kept++;
    if (isWide) covered++;
  }
  return covered >= COVERED_MIN * kept && wide <= WIDE_SHARE_MAX * plain.data.length;
}

/** From what is certain over connected pixels that a view and the colours both give to the object. */
function growOver(plain: Plane, { cut, most }: { cut: Plane; most: Plane }): Plane {
  const { width, data } = plain;
  const grown = Float32Array.from(data);
  const isOpen = Uint8Array.from(data, (_, at) => (cut.data[at]! > 0.5 && most.data[at]! > SEEN_MIN ? 1 : 0));
  const reached = [...data.keys()].filter((at) => data[at]! > CORE_MIN);
  for (const at of reached) isOpen[at] = 0;
  for (let at = reached.pop(); at !== undefined; at = reached.pop()) {
    grown[at] = Math.max(grown[at]!, ADDED);
    const x = at % width;
    for (const next of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
      if (isOpen[next] !== 1) continue;
      isOpen[next] = 0;
      reached.push(next);
    }
  }
  return { ...plain, data: grown };
}

/** Only what was added goes over to the mask of the network, whose own numbers stay. */
function addTo(mask: Plane, before: Plane, grown: Plane): Plane {
  const added = enlargePlane(
    { ...grown, data: grown.data.map((value, at) => value - before.data[at]!) },
    mask,
  );
  return { ...mask, data: mask.data.map((value, at) => Math.min(1, value + added.data[at]!)) };
}

const meanOf = (planes: readonly Plane[]): Plane => ({
  ...planes[0]!,
  data: planes[0]!.data.map((_, at) => planes.reduce((sum, { data }) => sum + data[at]!, 0) / planes.length),
});

const mostOf = (planes: readonly Plane[]): Plane => ({
  ...planes[0]!,
  data: planes[0]!.data.map((_, at) => planes.reduce((best, { data }) => Math.max(best, data[at]!), 0)),
});
