import { EngineError } from '../errors/engine_error.ts';
import { oklabOf, rgbOf } from '../pixels/oklab.ts';
import { accentsOf } from './accents.ts';
import { type Clusters, centersOf, clusterColors, settle } from './cluster_colors.ts';
import { type ColorCells, colorCells } from './color_cells.ts';

export interface Swatch {
  /** 0xRRGGBB */
  readonly color: number;
  /** Alpha-weighted fraction of the image, 0–1. */
  readonly share: number;
}

/** Initial clusters per requested colour; merging them afterwards preserves small accents that k-means would average away. */
const OVERSHOOT = 6;
/**
 * Exponent of the lighter cluster's mass in the merge cost, which also includes the squared distance. 1 is Ward's criterion, which
 * minimises the mean error but loses accents; with 0 any stray pixel could get an entry.
 */
const MASS_POWER = 0.35;
/** Hue separates a small bright object from its surroundings. */
const CHROMA_WEIGHT = 1.5;
/** Rounds of k-means after merging: more rounds slightly lower the mean error but pull accents towards the majority. */
const LAST_ROUNDS = 2;
/** Entries closer than this in OKLab look the same. */
const SAME_LOOK = 0.03;
/** A smaller cluster is the blur between two colours rather than a colour. */
const SHARE_MIN = 0.004;
/** Fraction of the requested entries reserved for small vivid accents. */
const ACCENT_PART = 1 / 3;
/** Smallest distance of an accent from every other entry, in OKLab with weighted chroma. */
const ACCENT_APART = 0.075;
/** Weight of an accent relative to another shade of the same mass and distance. */
const ACCENT_WEIGHT = 4;
/** Extra cost of replacing an entry by an accent, per OKLab chroma that would be lost. */
const VIVID_WEIGHT = 30;
/** A cluster in which one exact colour has at least this fraction consists of that colour and its antialiased edge. */
const FLAT_PART = 0.5;

/**
 * Extracts the main colours of 8-bit RGBA pixels, in descending order of share. Exact for images of at most `count` colours; otherwise
 * similar colours may be merged to fewer than `count`.
 * @throws EngineError unsuitable_image if every pixel is transparent
 */
export function paletteOfPixels(rgba: Uint8Array, count: number): Swatch[] {
  const cells = colorCells(rgba, CHROMA_WEIGHT);
  if (cells.totalWeight === 0) {
    throw new EngineError(
      'unsuitable_image',
      'Every pixel of the image is fully transparent, so it has no colours. Send an image with visible pixels.',
    );
  }
  const swatches =
    cells.exact && cells.exact.length <= count ? exactSwatches(cells) : clusterSwatches(cells, count);
  return swatches.sort((one, other) => other.share - one.share || one.color - other.color);
}

/**
 * Fraction of the image nearest to each of these colours, 0 to 1, in their order; all 0 if nothing is visible.
 * @param colors 0xRRGGBB
 */
export function sharesOfColors(rgba: Uint8Array, colors: readonly number[]): number[] {
  const cells = colorCells(rgba, CHROMA_WEIGHT);
  if (cells.totalWeight === 0) return colors.map(() => 0);
  const centers = colors.flatMap((color) => {
    const [lightness, a, b] = oklabOf(color >> 16, (color >> 8) & 255, color & 255);
    return [lightness, CHROMA_WEIGHT * a, CHROMA_WEIGHT * b];
  });
  const shares = colors.map(() => 0);
  for (let cell = 0; cell < cells.count; cell += 1) {
    const lab = cells.labs.subarray(3 * cell, 3 * cell + 3);
    let [nearest, apart] = [0, Number.POSITIVE_INFINITY];
    for (let at = 0; at < colors.length; at += 1) {
      const distance = Math.hypot(
        lab[0]! - centers[3 * at]!,
        lab[1]! - centers[3 * at + 1]!,
        lab[2]! - centers[3 * at + 2]!,
      );
      if (distance < apart) [nearest, apart] = [at, distance];
    }
    shares[nearest]! += cells.weights[cell]! / cells.totalWeight;
  }
  return shares;
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
    cost: (one, other, distance) => joinCost(cells, one, other, distance),
    limit: 0,
  });
  const apart = mergeClusters(cells, settle(cells, chosen.centers, LAST_ROUNDS), {
    count,
    cost: (_one, _other, distance) => distance,
    limit: SAME_LOOK,
  });
  return swatchesOf(cells, ...withAccents(cells, apart, count));
}

/**
 * Gives accents that are unlike every entry an entry of their own, the most striking first; if none is free, the two most similar entries
 * are merged.
 * @returns also the centres of accents, which stay fixed while the other entries become the means of their cells
 */
function withAccents(
  cells: ColorCells,
  base: Clusters,
  count: number,
): [Clusters, ReadonlyMap<number, number>] {
  let palette = base;
  const kept: (readonly [number, number, number])[] = [];
  const waiting = accentsOf(cells);
  while (kept.length < Math.floor(count * ACCENT_PART) && waiting.length > 0) {
    const taken = [
      ...Array.from({ length: palette.masses.length }, (_, at) => centerAt(palette, at)),
      ...kept,
    ];
    const ranked = waiting
      .map((accent) => ({ accent, apart: Math.min(...taken.map((one) => distanceOf(one, accent.center))) }))
      .filter(({ apart }) => apart >= ACCENT_APART)
      .map(({ accent, apart }) => ({
        accent,
        gain: ACCENT_WEIGHT * (accent.mass / cells.totalWeight) ** MASS_POWER * apart ** 2,
      }))
      .sort((one, other) => other.gain - one.gain);
    const [best] = ranked;
    if (!best) break;
    if (palette.masses.length + kept.length >= count) {
      const joined = mergeClusters(cells, palette, {
        count: count - kept.length - 1,
        cost: (one, other, distance, vivid) =>
          joinCost(cells, one, other, distance) * (1 + VIVID_WEIGHT * vivid),
        limit: 0,
      });
      if (lossOf(cells, palette) >= best.gain) break;
      palette = joined;
    }
    kept.push(best.accent.center);
    waiting.splice(waiting.indexOf(best.accent), 1);
  }
  if (kept.length === 0) return [base, new Map()];
  const centers = Float64Array.from([...palette.centers, ...kept.flat()]);
  const first = palette.masses.length;
  const settled = settle(cells, centers, 1);
  return [
    settled,
    new Map(kept.map((center, at) => [first + at, centerColor(cells, Float64Array.from(center), 0)])),
  ];
}

const joinCost = ({ totalWeight }: ColorCells, one: number, other: number, distance: number): number =>
  ((one * other) / (one + other) / totalWeight) ** MASS_POWER * distance ** 2;

/** Cost of merging the two most similar entries. */
function lossOf(cells: ColorCells, { centers, masses }: Clusters): number {
  const [, , price] = cheapestPair([...masses.keys()], centers, masses, (one, other, distance) =>
    joinCost(cells, one, other, distance),
  );
  return price;
}

const centerAt = ({ centers }: Clusters, cluster: number): readonly [number, number, number] => [
  centers[3 * cluster]!,
  centers[3 * cluster + 1]!,
  centers[3 * cluster + 2]!,
];

/** A lighter or darker shade of an entry is a weaker accent than another hue. */
const LIGHTNESS_WEIGHT = 0.6;
const distanceOf = (one: readonly number[], other: readonly number[]): number =>
  Math.hypot(LIGHTNESS_WEIGHT * (one[0]! - other[0]!), one[1]! - other[1]!, one[2]! - other[2]!);

function swatchesOf(
  cells: ColorCells,
  { centers, masses, owners }: Clusters,
  accents: ReadonlyMap<number, number>,
): Swatch[] {
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
      color: isFlat ? modes[cluster]! : (accents.get(cluster) ?? centerColor(cells, centers, cluster)),
      share: mass / cells.totalWeight,
    };
  });
}

/** Colour of a cluster's centre, 0xRRGGBB. */
export function centerColor({ chromaWeight }: ColorCells, centers: Float64Array, cluster: number): number {
  const [lightness, a, b] = centers.subarray(3 * cluster, 3 * cluster + 3);
  return rgbOf([lightness!, a! / chromaWeight, b! / chromaWeight]);
}

/** @param vivid OKLab chroma of the lighter cluster beyond the component that the heavier one has in its hue */
type Cost = (one: number, other: number, distance: number, vivid: number) => number;

/**
 * Merges clusters, cheapest pair first, while the lowest `cost` is below `limit` or there are more than `count`. A merged cluster has the
 * weighted mean of its cells.
 */
function mergeClusters(
  cells: ColorCells,
  clusters: Clusters,
  { count, cost, limit }: { count: number; cost: Cost; limit: number },
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
  cost: Cost,
): [kept: number, gone: number, price: number] {
  let best: [number, number, number] = [0, 0, Infinity];
  for (const [index, one] of alive.entries()) {
    for (const other of alive.slice(index + 1)) {
      const distance = Math.hypot(
        centers[3 * one]! - centers[3 * other]!,
        centers[3 * one + 1]! - centers[3 * other + 1]!,
        centers[3 * one + 2]! - centers[3 * other + 2]!,
      );
      const [light, heavy] = masses[one]! < masses[other]! ? [one, other] : [other, one];
      const price = cost(masses[one]!, masses[other]!, distance, vividBeside(centers, light, heavy));
      if (price < best[2]) best = [one, other, price];
    }
  }
  return best;
}

function vividBeside(centers: Float64Array, light: number, heavy: number): number {
  const [a, b] = [centers[3 * light + 1]!, centers[3 * light + 2]!];
  const chroma = Math.hypot(a, b);
  if (chroma === 0) return 0;
  const shared = (a * centers[3 * heavy + 1]! + b * centers[3 * heavy + 2]!) / chroma;
  return Math.max(0, chroma - Math.max(0, shared)) / CHROMA_WEIGHT;
}
