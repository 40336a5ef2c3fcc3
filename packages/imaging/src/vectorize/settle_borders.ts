import type { Raster } from '../pixels/raster.ts';
import { type AreaSums, addPixel, fitGradient, MOMENTS, meanColor } from './area_sums.ts';
import type { Merged } from './merge_areas.ts';
import type { Partition } from './partition.ts';

const ROUNDS = 2;

/**
 * Gives pixels along the lines between areas to the area whose fill is nearest to them, a pixel of outline counting as so
 * much squared error as `price` says. Merging only ever joins, so a pixel that went with its first neighbours stays there;
 * this sets that right, and smooths lines where nothing speaks against it. Areas stay in one piece, and stay as many.
 * `gradients` says whether areas may be filled with gradients. Nothing of what is given changes.
 * Source: the iterated conditional modes of J. Besag, "On the statistical analysis of dirty pictures", 1986.
 */
export function settleBorders(
  picture: Raster,
  { areas, sums: given }: Merged,
  { price, gradients }: { price: number; gradients: boolean },
): Merged {
  const settled = { ...areas, labels: areas.labels.slice() };
  const sums = given.slice();
  for (let round = 0; round < ROUNDS; round++)
    if (settleOnce({ picture, sums, planes: planesOf(sums, settled.count, gradients), price }, settled) === 0)
      break;
  return { areas: settled, sums };
}

/** Numbers a plane has: for each channel its value at (0, 0) and its change across and down. */
const PLANE = 9;

/** The plain colour or even change of colour that fits each area best. */
function planesOf(sums: AreaSums, count: number, gradients: boolean): Float32Array {
  const planes = new Float32Array(PLANE * count);
  for (let area = 0; area < count; area++) {
    const gradient = gradients ? fitGradient(sums, MOMENTS * area) : undefined;
    const mean = meanColor(sums, MOMENTS * area);
    for (let channel = 0; channel < 3; channel++) {
      const at = PLANE * area + 3 * channel;
      planes[at] = mean[channel]!;
      if (gradient === undefined) continue;
      const { x, y, dx, dy } = gradient;
      planes[at + 1] = gradient.change[channel]! * dx;
      planes[at + 2] = gradient.change[channel]! * dy;
      planes[at]! -= planes[at + 1]! * x + planes[at + 2]! * y;
    }
  }
  return planes;
}

interface Settling {
  readonly picture: Raster;
  /** Of the areas; follows the pixels that change hands. */
  readonly sums: AreaSums;
  readonly planes: Float32Array;
  readonly price: number;
}

/** Goes once over all pixels but the picture's edge; returns how many changed hands. */
function settleOnce(
  { picture: { data: rgba }, sums, planes, price }: Settling,
  { width, height, labels }: Partition,
): number {
  const errorOf = (area: number, pixel: number, x: number, y: number): number => {
    let error = 0;
    for (let channel = 0; channel < 3; channel++) {
      const at = PLANE * area + 3 * channel;
      const meant = planes[at]! + planes[at + 1]! * x + planes[at + 2]! * y;
      error += (rgba[4 * pixel + channel]! - meant) ** 2;
    }
    return error;
  };
  const sides = [-width, 1, width, -1];
  const costOf = (area: number, pixel: number, x: number, y: number): number => {
    let cost = errorOf(area, pixel, x, y);
    for (const side of sides) if (labels[pixel + side] !== area) cost += price;
    return cost;
  };
  let moved = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const pixel = y * width + x;
      const own = labels[pixel]!;
      if (own < 0 || !isLoose(labels, pixel, width)) continue;
      let [best, least] = [own, costOf(own, pixel, x, y)];
      for (const side of sides) {
        const other = labels[pixel + side]!;
        if (other < 0 || other === own || other === best) continue;
        const cost = costOf(other, pixel, x, y);
        if (cost < least) [best, least] = [other, cost];
      }
      if (best === own) continue;
      addPixel(sums, MOMENTS * own, x, y, rgba, pixel, -1);
      addPixel(sums, MOMENTS * best, x, y, rgba, pixel, 1);
      labels[pixel] = best;
      moved++;
    }
  }
  return moved;
}

/** Whether a pixel may leave its area without parting it: what it touches of it hangs together round it. */
function isLoose(labels: Int32Array, pixel: number, width: number): boolean {
  const own = labels[pixel]!;
  const up = labels[pixel - width] === own;
  const right = labels[pixel + 1] === own;
  const down = labels[pixel + width] === own;
  const left = labels[pixel - 1] === own;
  if (up && right && down && left) return false;
  const runs =
    (up && !(right && labels[pixel - width + 1] === own) ? 1 : 0) +
    (right && !(down && labels[pixel + width + 1] === own) ? 1 : 0) +
    (down && !(left && labels[pixel + width - 1] === own) ? 1 : 0) +
    (left && !(up && labels[pixel - width - 1] === own) ? 1 : 0);
  return runs === 1;
}
