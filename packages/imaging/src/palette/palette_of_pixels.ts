import { EngineError } from '../errors/engine_error.ts';
import { rgbOf } from '../pixels/oklab.ts';
import { type Clusters, centersOf, clusterColors, settle } from './cluster_colors.ts';
import { type ColorCells, colorCells } from './color_cells.ts';

export interface Swatch {
  /** 0xRRGGBB */
  readonly color: number;
  /** Opacity-weighted part of the picture, 0–1. */
  readonly share: number;
}

/** Clusters sought at first for each one asked for; joining them afterwards keeps small accents that k-means would average away. */
const OVERSHOOT = 6;
/**
 * What joining costs beside the squared distance: the lighter cluster's mass to this power. 1 is Ward's criterion, which
 * minimises the mean error and swallows accents; 0 would let any stray pixel have its entry.
 */
const MASS_POWER = 0.35;
/** Hue separates a small bright object from its surroundings. */
const CHROMA_WEIGHT = 1.5;
/** Rounds of k-means after joining: more would lower the mean error a little and pull accents towards the crowd. */
const LAST_ROUNDS = 2;
/** Closer than this in OKLab two entries would look the same. */
const SAME_LOOK = 0.03;
/** A cluster smaller than this is the blur between two colours rather than a colour. */
const SHARE_MIN = 0.004;
/** A cluster of which one exact colour has at least this part is that colour and its blurred rim. */
const FLAT_PART = 0.5;

/**
 * The main colours of 8-bit RGBA pixels, the largest share first. A picture of at most `count` colours is answered
 * exactly; otherwise there may be fewer than `count` where colours look alike.
 * @throws EngineError unsuitable_image when every pixel is transparent
 */
export function paletteOfPixels(rgba: Uint8Array, count: number): Swatch[] {
  const cells = colorCells(rgba, CHROMA_WEIGHT);
  if (cells.totalWeight === 0) {
    throw new EngineError(
      'unsuitable_image',
      'Every pixel of the picture is fully transparent, so it has no colours. Send a picture with visible pixels.',
    );
  }
  const swatches =
    cells.exact && cells.exact.length <= count ? exactSwatches(cells) : clusterSwatches(cells, count);
  return swatches.sort((one, other) => other.share - one.share || one.color - other.color);
}

const exactSwatches = ({ exact, totalWeight }: ColorCells): Swatch[] =>
  exact!.map(({ color, weight }) => ({ color, share: weight / totalWeight }));

function clusterSwatches(cells: ColorCells, count: number): Swatch[] {
  const fine = clusterColors(cells, OVERSHOOT * count, 12);
  const total = cells.totalWeight;
  const withoutBlur = mergeClusters(cells, fine, {
    count: fine.masses.length,
    cost: (one, other, distance) => (Math.min(one, other) < SHARE_MIN * total ? distance : Infinity),
    limit: Infinity,
  });
  const chosen = mergeClusters(cells, withoutBlur, {
    count,
    cost: (one, other, distance) => ((one * other) / (one + other) / total) ** MASS_POWER * distance ** 2,
    limit: 0,
  });
  const apart = mergeClusters(cells, settle(cells, chosen.centers, LAST_ROUNDS), {
    count,
    cost: (_one, _other, distance) => distance,
    limit: SAME_LOOK,
  });
  return swatchesOf(cells, apart);
}

function swatchesOf(cells: ColorCells, { centers, masses, owners }: Clusters): Swatch[] {
  const modes = new Uint32Array(masses.length);
  const modeWeights = new Float64Array(masses.length);
  for (const [cell, owner] of owners.entries()) {
    if (cells.modeWeights[cell]! <= modeWeights[owner]!) continue;
    modes[owner] = cells.modes[cell]!;
    modeWeights[owner] = cells.modeWeights[cell]!;
  }
  return Array.from(masses, (mass, cluster) => {
    const isFlat = modeWeights[cluster]! >= FLAT_PART * mass;
    return {
      color: isFlat ? modes[cluster]! : centerColor(cells, centers, cluster),
      share: mass / cells.totalWeight,
    };
  });
}

/** The colour of a cluster's centre, 0xRRGGBB. */
export function centerColor({ chromaWeight }: ColorCells, centers: Float64Array, cluster: number): number {
  const [lightness, a, b] = centers.subarray(3 * cluster, 3 * cluster + 3);
  return rgbOf([lightness!, a! / chromaWeight, b! / chromaWeight]);
}

/**
 * Joins clusters, cheapest pair first, while `cost(masses, distance)` of the cheapest is below `limit` or there are more
 * than `count`. A joined cluster has the weighted mean of its cells.
 */
function mergeClusters(
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
