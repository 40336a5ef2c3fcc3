import type { Raster } from '../pixels/raster.ts';
import { areaSums, fitGradient, MOMENTS, meanColor } from './area_sums.ts';
import type { Partition } from './partition.ts';

const ROUNDS = 2;

/**
 * Gives pixels along the lines between areas to the area whose fill is nearest to them, a pixel of outline counting as so
 * much squared error as `price` says. Merging only ever joins, so a pixel that went with its first neighbours stays there;
 * this sets that right, and smooths lines where nothing speaks against it. Areas stay in one piece, and stay as many.
 * `gradients` says whether areas may be filled with gradients.
 * Source: the iterated conditional modes of J. Besag, "On the statistical analysis of dirty pictures", 1986.
 */
export function settleBorders(
  picture: Raster,
  areas: Partition,
  { price, gradients }: { price: number; gradients: boolean },
): Partition {
  const settled = { ...areas, labels: areas.labels.slice() };
  for (let round = 0; round < ROUNDS; round++)
    if (settleOnce(picture, settled, planesOf(picture, settled, gradients), price) === 0) break;
  return settled;
}

/** Numbers a plane has: for each channel its value at (0, 0) and its change across and down. */
const PLANE = 9;

/** The plain colour or even change of colour that fits each area best. */
function planesOf(picture: Raster, { labels, count }: Partition, gradients: boolean): Float32Array {
  const sums = areaSums(picture, labels, count);
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

/** Goes once over all pixels but the picture's edge; returns how many changed hands. */
function settleOnce(
  { data: rgba }: Raster,
  { width, height, labels }: Partition,
  planes: Float32Array,
  price: number,
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
