import { type Clusters, centersOf } from './cluster_colors.ts';
import type { ColorCells } from './color_cells.ts';

/**
 * Joins clusters, cheapest pair first, while `cost(masses, distance)` of the cheapest is below `limit` or there are more
 * than `count`. A joined cluster has the weighted mean of its cells.
 */
export function mergeClusters(
  cells: ColorCells,
  clusters: Clusters,
  {
    count,
    cost,
    limit,
  }: { count: number; cost: (one: number, other: number, distance: number) => number; limit: number },
): Clusters {
  const alive = [...clusters.masses.keys()];
  const centers = clusters.centers.slice();
  const masses = clusters.masses.slice();
  const heir = alive.slice();
  while (alive.length > 1) {
    const [kept, gone, price] = cheapestPair(alive, centers, masses, cost);
    if (alive.length <= count && price >= limit) break;
    const mass = masses[kept]! + masses[gone]!;
    for (let axis = 0; axis < 3; axis++) {
      centers[3 * kept + axis] =
        (masses[kept]! * centers[3 * kept + axis]! + masses[gone]! * centers[3 * gone + axis]!) / mass;
    }
    masses[kept] = mass;
    alive.splice(alive.indexOf(gone), 1);
    heir.forEach((cluster, index) => {
      if (cluster === gone) heir[index] = kept;
    });
  }
  const owners = clusters.owners.map((cluster) => alive.indexOf(heir[cluster]!));
  return { owners, ...centersOf(cells, owners, alive.length) };
}

function cheapestPair(
  alive: number[],
  centers: Float64Array,
  masses: Float64Array,
  cost: (one: number, other: number, distance: number) => number,
): [kept: number, gone: number, price: number] {
  let best: [number, number, number] = [0, 0, Infinity];
  for (const [index, one] of alive.entries()) {
    for (const other of alive.slice(index + 1)) {
      const distance = Math.hypot(
        centers[3 * one]! - centers[3 * other]!,
        centers[3 * one + 1]! - centers[3 * other + 1]!,
        centers[3 * one + 2]! - centers[3 * other + 2]!,
      );
      const price = cost(masses[one]!, masses[other]!, distance);
      if (price < best[2]) best = [one, other, price];
    }
  }
  return best;
}
