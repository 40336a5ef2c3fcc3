import type { Raster } from '../pixels/raster.ts';
import { areaSums, fitGradient, type Gradient, MOMENTS, meanColor } from './area_sums.ts';
import type { Partition } from './partition.ts';
import type { Fill } from './write_svg.ts';

/** The fill of each area that fits its pixels best: its mean, or where that pays and `gradients` allows, a gradient. */
export function fillAreas(picture: Raster, areas: Partition, gradients: boolean): Fill[] {
  const sums = areaSums(picture, areas.labels, areas.count);
  const found = Array.from({ length: areas.count }, (_, area) =>
    gradients ? fitGradient(sums, MOMENTS * area) : undefined,
  );
  const extents = extentsOf(areas, found);
  return found.map((gradient, area) =>
    gradient === undefined
      ? { color: meanColor(sums, MOMENTS * area) }
      : between(gradient, extents[2 * area]!, extents[2 * area + 1]!),
  );
}

/** How far each area reaches along its gradient: least and greatest distance from the gradient's own place. */
function extentsOf({ width, labels, count }: Partition, gradients: readonly (Gradient | undefined)[]) {
  const extents = new Float64Array(2 * count);
  for (let pixel = 0; pixel < labels.length; pixel++) {
    const area = labels[pixel]!;
    const gradient = gradients[area];
    if (gradient === undefined) continue;
    const x = pixel % width;
    const along = (x - gradient.x) * gradient.dx + ((pixel - x) / width - gradient.y) * gradient.dy;
    extents[2 * area] = Math.min(extents[2 * area]!, along);
    extents[2 * area + 1] = Math.max(extents[2 * area + 1]!, along);
  }
  return extents;
}

function between({ x, y, dx, dy, color, change }: Gradient, first: number, last: number): Fill {
  // Sums count pixels by their corner; a drawing's coordinates lie half a pixel further.
  const place = (along: number) => [x + 0.5 + along * dx, y + 0.5 + along * dy] as const;
  const stop = (along: number) =>
    color.map((value, channel) => Math.min(255, Math.max(0, value + along * change[channel]!)));
  return { from: place(first), to: place(last), stops: [stop(first), stop(last)] };
}
