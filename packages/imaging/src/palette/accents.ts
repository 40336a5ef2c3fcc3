import { type Clusters, clusterColors } from './cluster_colors.ts';
import type { ColorCells } from './color_cells.ts';

/** A small part of an image whose colour stands out. */
export interface Accent {
  /** Weighted OKLab of its most vivid core, scaled as in the cells. */
  readonly center: readonly [number, number, number];
  /** Weight of the cells that stand out in this colour. */
  readonly mass: number;
}

/** OKLab chroma below which a colour has no named hue. */
const CHROMA_MIN = 0.03;
/** Distance from the mean hue at which a colour stands out: in spreads of the image's own hues, with a minimum in OKLab. */
const SPREADS = 1.5;
const CONTRAST_MIN = 0.05;
/** Smallest fraction of the image; less is a speck. */
const SHARE_MIN = 0.0015;
/** Lit and shaded parts of one object form one accent. */
const LIGHTNESS_WEIGHT = 0.2;
const GROUPS = 5;
const ROUNDS = 12;

/** Finds colours that stand out from the hues of the image as a whole, such as a red scarf among browns, in no order. */
export function accentsOf(cells: ColorCells): Accent[] {
  const { count, weights, labs, totalWeight, chromaWeight } = cells;
  const { mean, spread } = huesOf(cells);
  const least = chromaWeight * Math.max(CONTRAST_MIN, (SPREADS * spread) / chromaWeight);
  const out: number[] = [];
  for (let cell = 0; cell < count; cell += 1) {
    const [a, b] = [labs[3 * cell + 1]!, labs[3 * cell + 2]!];
    const isVivid = Math.hypot(a, b) >= CHROMA_MIN * chromaWeight;
    if (isVivid && Math.hypot(a - mean[0], b - mean[1]) >= least) out.push(cell);
  }
  if (out.length === 0) return [];
  const chosen = {
    count: out.length,
    weights: Float64Array.from(out, (cell) => weights[cell]!),
    labs: Float64Array.from(
      out.flatMap((cell) => [LIGHTNESS_WEIGHT * labs[3 * cell]!, labs[3 * cell + 1]!, labs[3 * cell + 2]!]),
    ),
  };
  const groups = clusterColors(chosen, GROUPS, ROUNDS);
  return coresOf(cells, out, groups).filter(({ mass }) => mass >= SHARE_MIN * totalWeight);
}

/** Mean of the two hue axes, and the spread of the cells around it. */
function huesOf({ count, weights, labs, totalWeight }: ColorCells): {
  mean: [number, number];
  spread: number;
} {
  let [a, b, squares] = [0, 0, 0];
  for (let cell = 0; cell < count; cell += 1) {
    const weight = weights[cell]! / totalWeight;
    const [x, y] = [labs[3 * cell + 1]!, labs[3 * cell + 2]!];
    a += weight * x;
    b += weight * y;
    squares += weight * (x * x + y * y);
  }
  return { mean: [a, b], spread: Math.sqrt(Math.max(0, squares - a * a - b * b)) };
}

/** The mean of each group, weighted towards vivid cells, which matches the perceived colour. */
function coresOf(
  { weights, labs }: ColorCells,
  out: readonly number[],
  { masses, owners }: Clusters,
): Accent[] {
  const sums = Array.from(masses, () => [0, 0, 0, 0] as [number, number, number, number]);
  for (const [index, cell] of out.entries()) {
    const sum = sums[owners[index]!]!;
    const [l, a, b] = [labs[3 * cell]!, labs[3 * cell + 1]!, labs[3 * cell + 2]!];
    const weight = weights[cell]! * Math.hypot(a, b) ** 4;
    sum[0] += weight;
    sum[1] += weight * l;
    sum[2] += weight * a;
    sum[3] += weight * b;
  }
  return sums.map(([total, l, a, b], group) => ({
    center: [l / total, a / total, b / total] as const,
    mass: masses[group]!,
  }));
}
