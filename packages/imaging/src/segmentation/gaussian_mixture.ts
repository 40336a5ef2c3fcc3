/**
 * How likely a colour is under a handful of Gaussians with full covariances, as GrabCut models both sides.
 * Samples are interleaved, `sides` numbers each.
 */
export interface Mixture {
  /** Minus the logarithm of the density at the sample with this index, of the samples given here. */
  cost(samples: Float32Array, index: number): number;
}

const ROUNDS = 4;
/** Keeps a component of one flat colour from becoming infinitely sure; in OKLab two steps of 8-bit grey. */
const LEAST_VARIANCE = 6e-5;

interface Component {
  readonly weight: number;
  readonly mean: readonly [number, number, number];
  /** Upper triangle of the inverse covariance: xx, xy, xz, yy, yz, zz. */
  readonly inverse: readonly number[];
  readonly determinant: number;
}

/** Fits to the samples chosen by weight above 0. @returns undefined where there are none */
export function fitMixture(samples: Float32Array, weights: Float32Array, count: number): Mixture | undefined {
  let components = splitAlongAxes(samples, weights, count);
  if (components.length === 0) return undefined;
  for (let round = 0; round < ROUNDS; round++) components = refit(samples, weights, components);
  const constants = components.map(
    ({ weight, determinant }) => Math.log(weight) - 0.5 * Math.log(determinant),
  );
  return {
    cost(all, index) {
      let best = Number.NEGATIVE_INFINITY;
      let sum = 0;
      for (let at = 0; at < components.length; at++) {
        const term = constants[at]! - 0.5 * mahalanobis(components[at]!, all, index);
        if (term > best) [sum, best] = [sum * Math.exp(best - term) + 1, term];
        else sum += Math.exp(term - best);
      }
      return -(best + Math.log(sum));
    },
  };
}

/** Orchard and Bouman's start, 1991: the widest cluster is cut through its mean across its principal axis. */
function splitAlongAxes(samples: Float32Array, weights: Float32Array, count: number): Component[] {
  const members = [...weights.keys()].filter((index) => weights[index]! > 0);
  if (members.length === 0) return [];
  const clusters = [members];
  while (clusters.length < count) {
    const moments = clusters.map((cluster) => momentsOf(samples, weights, cluster));
    const axes = moments.map(({ covariance }) => principalAxis(covariance));
    const widest = axes.reduce(
      (best, axis, at) =>
        axis.spread * moments[at]!.total > axes[best]!.spread * moments[best]!.total ? at : best,
      0,
    );
    const { axis } = axes[widest]!;
    const { mean } = moments[widest]!;
    const isAbove = (index: number) =>
      axis.reduce((sum, part, side) => sum + part * (samples[index * 3 + side]! - mean[side]!), 0) > 0;
    const [above, below] = [
      clusters[widest]!.filter(isAbove),
      clusters[widest]!.filter((index) => !isAbove(index)),
    ];
    if (above.length === 0 || below.length === 0) break;
    clusters.splice(widest, 1, above, below);
  }
  const total = members.reduce((sum, index) => sum + weights[index]!, 0);
  return clusters.map((cluster) => componentOf(momentsOf(samples, weights, cluster), total));
}

/** One round of hard assignment, which GrabCut prefers to soft ones for speed. */
function refit(samples: Float32Array, weights: Float32Array, components: Component[]): Component[] {
  const clusters: number[][] = components.map(() => []);
  const constants = components.map(
    ({ weight, determinant }) => Math.log(weight) - 0.5 * Math.log(determinant),
  );
  let total = 0;
  for (let index = 0; index < weights.length; index++) {
    if (weights[index]! <= 0) continue;
    total += weights[index]!;
    let [best, most] = [0, Number.NEGATIVE_INFINITY];
    for (let at = 0; at < components.length; at++) {
      const term = constants[at]! - 0.5 * mahalanobis(components[at]!, samples, index);
      if (term > most) [best, most] = [at, term];
    }
    clusters[best]!.push(index);
  }
  return clusters
    .filter((cluster) => cluster.length > 0)
    .map((cluster) => componentOf(momentsOf(samples, weights, cluster), total));
}

interface Moments {
  readonly total: number;
  readonly mean: [number, number, number];
  readonly covariance: number[];
}

function momentsOf(samples: Float32Array, weights: Float32Array, members: readonly number[]): Moments {
  const mean: [number, number, number] = [0, 0, 0];
  let total = 0;
  for (const index of members) {
    total += weights[index]!;
    for (let side = 0; side < 3; side++) mean[side]! += weights[index]! * samples[index * 3 + side]!;
  }
  for (let side = 0; side < 3; side++) mean[side]! /= total;
  const covariance = [0, 0, 0, 0, 0, 0];
  for (const index of members) {
    const x = samples[index * 3]! - mean[0];
    const y = samples[index * 3 + 1]! - mean[1];
    const z = samples[index * 3 + 2]! - mean[2];
    const part = weights[index]! / total;
    covariance[0]! += part * x * x;
    covariance[1]! += part * x * y;
    covariance[2]! += part * x * z;
    covariance[3]! += part * y * y;
    covariance[4]! += part * y * z;
    covariance[5]! += part * z * z;
  }
  for (const side of [0, 3, 5]) covariance[side]! += LEAST_VARIANCE;
  return { total, mean, covariance };
}

function componentOf({ total, mean, covariance }: Moments, all: number): Component {
  const [xx, xy, xz, yy, yz, zz] = covariance as [number, number, number, number, number, number];
  const a = yy * zz - yz * yz;
  const b = xz * yz - xy * zz;
  const c = xy * yz - xz * yy;
  const determinant = xx * a + xy * b + xz * c;
  const inverse = [a, b, c, xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy].map(
    (value) => value / determinant,
  );
  return { weight: total / all, mean, inverse, determinant };
}

function mahalanobis({ mean, inverse }: Component, samples: Float32Array, index: number): number {
  const x = samples[index * 3]! - mean[0];
  const y = samples[index * 3 + 1]! - mean[1];
  const z = samples[index * 3 + 2]! - mean[2];
  return (
    x * (inverse[0]! * x + 2 * (inverse[1]! * y + inverse[2]! * z)) +
    y * (inverse[3]! * y + 2 * inverse[4]! * z) +
    z * z * inverse[5]!
  );
}

/** By power iteration; eight rounds are plenty to choose where to cut. */
function principalAxis(covariance: readonly number[]): { axis: number[]; spread: number } {
  const [xx, xy, xz, yy, yz, zz] = covariance as [number, number, number, number, number, number];
  let axis = [1, 0.7, 0.4];
  let spread = 0;
  for (let round = 0; round < 8; round++) {
    const [x, y, z] = axis as [number, number, number];
    const turned = [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z];
    spread = Math.hypot(...turned);
    axis = turned.map((value) => value / spread);
  }
  return { axis, spread };
}
