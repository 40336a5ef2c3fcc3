import type { Superpixels } from './superpixels.ts';

/** OKLab distances are about a hundredth of the CIELab distances in the paper. */
const COLOR_SIGMA = 0.07;
const NEAR_SIGMA = 0.25;
const SMOOTH_SIGMA = 0.1;
const SMOOTH_FLOOR = 0.1;
/** Number of border pixels from which a superpixel is a full border superpixel. */
const EDGE_PIXELS_MIN = 5;
const ROUNDS = 200;

/**
 * Saliency of each superpixel, 0 to 1. Source: Zhu and others, "Saliency optimization from robust background detection", 2014: background
 * probability follows from boundary connectivity, the share of the image border within a short geodesic colour distance; saliency is
 * contrast to the background, smoothed over similar neighbours.
 */
export function saliencyOf(patches: Superpixels): Float32Array {
  const distances = geodesics(patches);
  const background = backgroundWeights(patches, distances);
  const contrast = contrastTo(patches, background);
  return balanceSaliency(smoothSaliency(patches, background, contrast));
}

/** Geodesic colour distances between all superpixels; those on the border are all connected. */
function geodesics(patches: Superpixels): Float32Array[] {
  const { count, edgePixels, touching } = patches;
  const neighbours: number[][] = Array.from({ length: count }, () => []);
  const link = (one: number, other: number) => {
    neighbours[one]!.push(other);
    neighbours[other]!.push(one);
  };
  for (let at = 0; at < touching.length; at += 2) link(touching[at]!, touching[at + 1]!);
  const near = neighbours.map(({ length }) => length);
  const edge = [...edgePixels.keys()].filter((patch) => edgePixels[patch]! > 0);
  for (const [at, one] of edge.entries()) for (const other of edge.slice(at + 1)) link(one, other);
  const links = neighbours.map((others, one) => ({
    near: near[one]!,
    to: Int32Array.from(others),
    costs: Float64Array.from(others, (other) => Math.sqrt(colorDistance2(patches, one, other))),
  }));
  return links.map((_, from) => distancesFrom(from, links));
}

/** Neighbours of a superpixel, and the colour distances to them. */
interface Links {
  /** Number of adjacent superpixels; the remaining links connect border superpixels. */
  readonly near: number;
  readonly to: Int32Array;
  readonly costs: Float64Array;
}

/**
 * Dijkstra with a linear scan: a few hundred superpixels need no heap. Once a border superpixel was reached from another, its border links
 * are skipped: they form a complete graph with direct distances, so a detour is never shorter.
 */
function distancesFrom(from: number, links: readonly Links[]): Float32Array {
  const distances = new Float32Array(links.length).fill(Number.POSITIVE_INFINITY);
  const left = Int32Array.from(links, (_, patch) => patch);
  const byEdge = new Uint8Array(links.length);
  distances[from] = 0;
  for (let count = left.length; count > 0; count -= 1) {
    let nearest = 0;
    let minimum = Number.POSITIVE_INFINITY;
    for (let at = 0; at < count; at += 1) {
      const distance = distances[left[at]!]!;
      if (distance >= minimum) continue;
      nearest = at;
      minimum = distance;
    }
    if (minimum === Number.POSITIVE_INFINITY) break;
    const patch = left[nearest]!;
    const { near, to, costs } = links[patch]!;
    left[nearest] = left[count - 1]!;
    const reached = byEdge[patch] ? near : to.length;
    for (let at = 0; at < reached; at += 1) {
      const sum = minimum + costs[at]!;
      if (sum >= distances[to[at]!]!) continue;
      distances[to[at]!] = sum;
      byEdge[to[at]!] = at < near ? 0 : 1;
    }
  }
  return distances;
}

function backgroundWeights(
  { count, edgePixels }: Superpixels,
  distances: readonly Float32Array[],
): Float32Array {
  const weights = edgePixels.map((pixels) => Math.min(1, pixels / EDGE_PIXELS_MIN));
  return Float32Array.from({ length: count }, (_, patch) => {
    let [area, edge] = [0, 0];
    for (let other = 0; other < count; other++) {
      const likeness = Math.exp(-(distances[patch]![other]! ** 2) / (2 * COLOR_SIGMA ** 2));
      area += likeness;
      if (edgePixels[other]! > 0) edge += likeness * weights[other]!;
    }
    return 1 - Math.exp(-((edge / Math.sqrt(area)) ** 2) / 2);
  });
}

function contrastTo(patches: Superpixels, background: Float32Array): Float32Array {
  const { count, centres } = patches;
  const contrast = new Float32Array(count);
  for (let one = 0; one < count; one++) {
    for (let other = 0; other < count; other++) {
      const difference =
        (centres[one * 2]! - centres[other * 2]!) ** 2 +
        (centres[one * 2 + 1]! - centres[other * 2 + 1]!) ** 2;
      contrast[one]! +=
        Math.sqrt(colorDistance2(patches, one, other)) *
        Math.exp(-difference / (2 * NEAR_SIGMA ** 2)) *
        background[other]!;
    }
  }
  const maximum = contrast.reduce((best, value) => Math.max(best, value), 1e-9);
  return contrast.map((value) => value / maximum);
}

/** Least squares by Gauss-Seidel: background towards 0, contrasting superpixels towards 1, similar neighbours alike. */
function smoothSaliency(
  patches: Superpixels,
  background: Float32Array,
  contrast: Float32Array,
): Float32Array {
  const { count, touching } = patches;
  const neighbours: number[][] = Array.from({ length: count }, () => []);
  for (let at = 0; at < touching.length; at += 2) {
    neighbours[touching[at]!]!.push(touching[at + 1]!);
    neighbours[touching[at + 1]!]!.push(touching[at]!);
  }
  const links = neighbours.map((others, one) => {
    const weightOf = (other: number) =>
      Math.exp(-colorDistance2(patches, one, other) / (2 * SMOOTH_SIGMA ** 2)) + SMOOTH_FLOOR;
    const weights = Float64Array.from(others, weightOf);
    const below = weights.reduce((sum, weight) => sum + weight, contrast[one]! + background[one]!);
    return { to: Int32Array.from(others), weights, below: Math.max(below, 1e-9) };
  });
  const saliency = Float32Array.from(contrast);
  for (let round = 0; round < ROUNDS; round++) {
    for (let patch = 0; patch < count; patch++) {
      const { to, weights, below } = links[patch]!;
      let above = contrast[patch]!;
      for (let at = 0; at < to.length; at += 1) above += weights[at]! * saliency[to[at]!]!;
      saliency[patch] = above / below;
    }
  }
  return saliency;
}

function colorDistance2({ colors }: Superpixels, one: number, other: number): number {
  return (
    (colors[one * 3]! - colors[other * 3]!) ** 2 +
    (colors[one * 3 + 1]! - colors[other * 3 + 1]!) ** 2 +
    (colors[one * 3 + 2]! - colors[other * 3 + 2]!) ** 2
  );
}

const LEVELS = 64;

/** Gamma-corrected so that Otsu's threshold (1979) is at 0.5, as far as 1 stays reachable. */
function balanceSaliency(saliency: Float32Array): Float32Array {
  const counts = new Float64Array(LEVELS + 1);
  for (const value of saliency) counts[Math.round(value * LEVELS)]!++;
  const sum = counts.reduce((total, count, level) => total + count * level, 0);
  let [best, threshold, below, belowSum] = [-1, LEVELS / 2, 0, 0];
  for (let level = 0; level < LEVELS; level++) {
    below += counts[level]!;
    belowSum += counts[level]! * level;
    const above = saliency.length - below;
    if (below === 0 || above === 0) continue;
    const difference = below * above * (belowSum / below - (sum - belowSum) / above) ** 2;
    if (difference > best) [best, threshold] = [difference, level + 0.5];
  }
  const power = Math.log(0.5) / Math.log(Math.min(0.9, Math.max(0.1, threshold / LEVELS)));
  return saliency.map((value) => Math.min(1, Math.max(0, value)) ** power);
}
