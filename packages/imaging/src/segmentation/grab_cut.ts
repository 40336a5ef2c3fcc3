import { type Plane, planeOf } from '../pixels/plane.ts';

/**
 * Minimum cut of a pixel grid. Source: Boykov and Kolmogorov, "An experimental comparison of min-cut/max-flow algorithms", 2004: two search
 * trees, one from each terminal, are repaired after every augmentation instead of rebuilt.
 */
export interface GridCosts {
  readonly width: number;
  readonly height: number;
  /** Unary term per pixel: positive favours foreground, negative background. */
  readonly unary: Float32Array;
  /** Pairwise term between a pixel and its neighbour to the right, below right, below and below left. */
  readonly pairwise: readonly [Float32Array, Float32Array, Float32Array, Float32Array];
}

/**
 * Computes the minimum cut.
 * @returns 1 for every foreground pixel, else 0
 */
export function cutGrid(costs: GridCosts): Uint8Array {
  const flow = new Flow(costs);
  flow.run();
  return flow.foreground();
}

const FREE = 0;
const SOURCE = 1;
const SINK = 2;
const TERMINAL = 8;
const ORPHAN = 9;
const NONE = 10;
const FAR = 0x7fffffff;
/** Right, below right, below, below left; the opposite direction is four positions later. */
const STEPS = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;
const opposite = (direction: number): number => (direction + 4) & 7;

class Flow {
  readonly #pixels: number;
  /** Residual capacity of each pixel in eight directions. */
  readonly #room: Float32Array[];
  readonly #unary: Float32Array;
  readonly #offset: number[];
  readonly #tree: Uint8Array;
  readonly #parent: Uint8Array;
  readonly #stamp: Int32Array;
  readonly #distance: Int32Array;
  readonly #queued: Uint8Array;
  readonly #active: Int32Array;
  #head = 0;
  #count = 0;
  #time = 0;
  readonly #orphans: number[] = [];

  constructor({ width, height, unary, pairwise: cut }: GridCosts) {
    this.#pixels = width * height;
    this.#unary = Float32Array.from(unary);
    this.#offset = STEPS.map(([x, y]) => x + y * width);
    this.#room = residualCapacities({ width, height, pairwise: cut }, this.#offset);
    this.#tree = new Uint8Array(this.#pixels);
    this.#parent = new Uint8Array(this.#pixels).fill(NONE);
    this.#stamp = new Int32Array(this.#pixels);
    this.#distance = new Int32Array(this.#pixels);
    this.#queued = new Uint8Array(this.#pixels);
    this.#active = new Int32Array(this.#pixels);
  }

  run(): void {
    for (let pixel = 0; pixel < this.#pixels; pixel++) {
      if (this.#unary[pixel] === 0) continue;
      this.#tree[pixel] = this.#unary[pixel]! > 0 ? SOURCE : SINK;
      this.#parent[pixel] = TERMINAL;
      this.#distance[pixel] = 1;
      this.#activate(pixel);
    }
    for (let pixel = this.#next(); pixel >= 0; pixel = this.#next()) {
      // A pixel stays active until no further pixel can be reached from it.
      for (let direction = this.#grow(pixel); direction >= 0; direction = this.#grow(pixel)) {
        this.#time++;
        this.#augment(pixel, direction);
        for (let orphan = this.#orphans.pop(); orphan !== undefined; orphan = this.#orphans.pop())
          this.#adopt(orphan);
        if (this.#tree[pixel] === FREE) break;
      }
    }
  }

  foreground(): Uint8Array {
    return this.#tree.map((tree) => (tree === SOURCE ? 1 : 0));
  }

  #activate(pixel: number): void {
    if (this.#queued[pixel]) return;
    this.#queued[pixel] = 1;
    this.#active[(this.#head + this.#count) % this.#pixels] = pixel;
    this.#count++;
  }

  #next(): number {
    while (this.#count > 0) {
      const pixel = this.#active[this.#head]!;
      this.#head = (this.#head + 1) % this.#pixels;
      this.#count--;
      this.#queued[pixel] = 0;
      if (this.#tree[pixel] !== FREE) return pixel;
    }
    return -1;
  }

  /** Residual capacity along a tree edge to a neighbour: away from the source, towards the sink. */
  #roomTowards(pixel: number, direction: number, tree: number): number {
    if (tree === SOURCE) return this.#room[direction]![pixel]!;
    return this.#room[opposite(direction)]![pixel + this.#offset[direction]!]!;
  }

  /**
   * Adds free neighbours to the tree.
   * @returns the direction in which it meets the other tree, or −1
   */
  #grow(pixel: number): number {
    const tree = this.#tree[pixel]!;
    for (let direction = 0; direction < 8; direction++) {
      const other = pixel + this.#offset[direction]!;
      if (!this.#isInside(other) || this.#roomTowards(pixel, direction, tree) <= 0) continue;
      if (this.#tree[other] === FREE) {
        this.#tree[other] = tree;
        this.#parent[other] = opposite(direction);
        this.#stamp[other] = this.#stamp[pixel]!;
        this.#distance[other] = this.#distance[pixel]! + 1;
        this.#activate(other);
      } else if (this.#tree[other] !== tree) {
        return direction;
      }
    }
    return -1;
  }

  /** Capacities out of the image are 0, but the index may not exist. */
  #isInside(pixel: number): boolean {
    return pixel >= 0 && pixel < this.#pixels;
  }

  #augment(pixel: number, direction: number): void {
    const [from, to, along] =
      this.#tree[pixel] === SOURCE
        ? [pixel, pixel + this.#offset[direction]!, direction]
        : [pixel + this.#offset[direction]!, pixel, opposite(direction)];
    const amount = Math.min(this.#room[along]![from]!, this.#narrowest(from), this.#narrowest(to));
    this.#move(from, along, to, amount);
    this.#pushToRoot(from, amount);
    this.#pushToRoot(to, amount);
  }

  #move(from: number, direction: number, to: number, amount: number): void {
    this.#room[direction]![from]! -= amount;
    this.#room[opposite(direction)]![to]! += amount;
  }

  #narrowest(start: number): number {
    const tree = this.#tree[start]!;
    let [pixel, minimum] = [start, Number.POSITIVE_INFINITY];
    while (this.#parent[pixel] !== TERMINAL) {
      const direction = this.#parent[pixel]!;
      const other = pixel + this.#offset[direction]!;
      minimum = Math.min(minimum, this.#roomTowards(other, opposite(direction), tree));
      pixel = other;
    }
    return Math.min(minimum, Math.abs(this.#unary[pixel]!));
  }

  #pushToRoot(start: number, amount: number): void {
    const tree = this.#tree[start]!;
    let pixel = start;
    while (this.#parent[pixel] !== TERMINAL) {
      const direction = this.#parent[pixel]!;
      const other = pixel + this.#offset[direction]!;
      if (tree === SOURCE) this.#move(other, opposite(direction), pixel, amount);
      else this.#move(pixel, direction, other, amount);
      if (this.#roomTowards(other, opposite(direction), tree) <= 0) this.#orphan(pixel);
      pixel = other;
    }
    this.#unary[pixel]! += tree === SOURCE ? -amount : amount;
    if (this.#unary[pixel] === 0) this.#orphan(pixel);
  }

  #orphan(pixel: number): void {
    this.#parent[pixel] = ORPHAN;
    this.#orphans.push(pixel);
  }

  /** Finds a new parent that is connected to the root; otherwise frees the pixel and orphans its children. */
  #adopt(orphan: number): void {
    const tree = this.#tree[orphan]!;
    let [best, nearest] = [NONE, FAR];
    for (let direction = 0; direction < 8; direction++) {
      const other = orphan + this.#offset[direction]!;
      if (!this.#isInside(other) || this.#tree[other] !== tree) continue;
      if (this.#roomTowards(other, opposite(direction), tree) <= 0) continue;
      const distance = this.#distanceToRoot(other);
      if (distance < nearest) [best, nearest] = [direction, distance];
    }
    this.#parent[orphan] = best;
    if (best !== NONE) {
      this.#stamp[orphan] = this.#time;
      this.#distance[orphan] = nearest + 1;
    } else this.#release(orphan, tree);
  }

  #release(orphan: number, tree: number): void {
    for (let direction = 0; direction < 8; direction++) {
      const other = orphan + this.#offset[direction]!;
      if (!this.#isInside(other) || this.#tree[other] !== tree) continue;
      if (this.#roomTowards(other, opposite(direction), tree) > 0) this.#activate(other);
      if (this.#parent[other] === opposite(direction)) this.#orphan(other);
    }
    this.#tree[orphan] = FREE;
  }

  /** Number of edges to the root; marks the path so that later queries are short. */
  #distanceToRoot(start: number): number {
    let [pixel, steps] = [start, 0];
    while (this.#stamp[pixel] !== this.#time) {
      const direction = this.#parent[pixel]!;
      if (direction >= ORPHAN) return FAR;
      if (direction === TERMINAL) {
        this.#stamp[pixel] = this.#time;
        this.#distance[pixel] = 1;
        break;
      }
      steps++;
      pixel += this.#offset[direction]!;
    }
    steps += this.#distance[pixel]!;
    let left = steps;
    for (let at = start; this.#stamp[at] !== this.#time; at += this.#offset[this.#parent[at]!]!) {
      this.#stamp[at] = this.#time;
      this.#distance[at] = left--;
    }
    return steps;
  }
}

/** Capacities in both directions of every edge; none leads out of the image. */
function residualCapacities(
  { width, height, pairwise: cut }: Omit<GridCosts, 'unary'>,
  offsets: readonly number[],
): Float32Array[] {
  const room = STEPS.map(() => new Float32Array(width * height));
  for (let direction = 0; direction < 4; direction++) {
    const [across, down] = STEPS[direction]!;
    for (let y = 0; y < height - down; y++) {
      for (let x = Math.max(0, -across); x < width - Math.max(0, across); x++) {
        const pixel = y * width + x;
        room[direction]![pixel] = cut[direction]![pixel]!;
        room[direction + 4]![pixel + offsets[direction]!] = cut[direction]![pixel]!;
      }
    }
  }
  return room;
}

/** A Gaussian mixture with full covariances, as GrabCut uses for both sides. Samples are interleaved with `sides` values each. */
interface Mixture {
  /** Negative log-likelihood of the sample at this index. */
  cost(samples: Float32Array, index: number): number;
}

const GAUSSIAN_MIXTURE_ROUNDS = 4;
/** Regularises a component of a single flat colour; in OKLab two steps of 8-bit grey. */
const VARIANCE_MIN = 6e-5;

interface Component {
  readonly weight: number;
  readonly mean: readonly [number, number, number];
  /** Upper triangle of the inverse covariance: xx, xy, xz, yy, yz, zz. */
  readonly inverse: readonly number[];
  readonly determinant: number;
}

/**
 * Fits a mixture to the samples with a weight above 0.
 * @returns undefined if there are none
 */
export function fitMixture(samples: Float32Array, weights: Float32Array, count: number): Mixture | undefined {
  let components = splitAlongAxes(samples, weights, count);
  if (components.length === 0) return undefined;
  for (let round = 0; round < GAUSSIAN_MIXTURE_ROUNDS; round++)
    components = refit(samples, weights, components);
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

/** Initialisation by Orchard and Bouman, 1991: splits the widest cluster at its mean, across its principal axis. */
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

/** One iteration with hard assignment, which GrabCut prefers to soft assignment for speed. */
function refit(samples: Float32Array, weights: Float32Array, components: Component[]): Component[] {
  const clusters: number[][] = components.map(() => []);
  const constants = components.map(
    ({ weight, determinant }) => Math.log(weight) - 0.5 * Math.log(determinant),
  );
  let total = 0;
  for (let index = 0; index < weights.length; index++) {
    if (weights[index]! <= 0) continue;
    total += weights[index]!;
    let [best, maximum] = [0, Number.NEGATIVE_INFINITY];
    for (let at = 0; at < components.length; at++) {
      const term = constants[at]! - 0.5 * mahalanobis(components[at]!, samples, index);
      if (term > maximum) [best, maximum] = [at, term];
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
  for (const side of [0, 3, 5]) covariance[side]! += VARIANCE_MIN;
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

/** Power iteration; eight iterations suffice to choose where to split. */
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

export interface GrabCutInput {
  readonly width: number;
  readonly height: number;
  /** Interleaved OKLab. */
  readonly lab: Float32Array;
  /** Prior foreground probability of each pixel, independent of its colour. */
  readonly prior: Plane;
}

const COMPONENTS = 5;
const ROUNDS = 2;
/** GrabCut's smoothness weight γ: the cost of a cut between two pixels of the same colour. */
const SMOOTHNESS = 50;
/** Limits of the prior and colour terms, so that neither alone is decisive. */
const PRIOR_MAX = 6;
const COLOR_MAX = 12;
const PRIOR_WEIGHT = 3;

/**
 * Foreground probability of each pixel: Gaussian mixtures of both sides and a minimum cut, iterated with the resulting sides. Source:
 * Rother, Kolmogorov and Blake, "GrabCut", 2004, with a prior in place of the rectangle.
 */
export function grabCut(input: GrabCutInput): Plane {
  const { width, height, lab, prior } = input;
  const cut = boundaryCosts(input);
  const towards = prior.data.map((value) => clampTo(PRIOR_WEIGHT * logit(value), PRIOR_MAX));
  let weights = Float32Array.from(prior.data);
  const probability = planeOf(input);
  for (let round = 0; round < ROUNDS; round++) {
    const foreground = fitMixture(
      lab,
      weights.map((weight) => (weight > 0.5 ? weight : 0)),
      COMPONENTS,
    );
    const background = fitMixture(
      lab,
      weights.map((weight) => (weight <= 0.5 ? 1 - weight : 0)),
      COMPONENTS,
    );
    if (!foreground || !background) return probability;
    const unary = unaryCosts(lab, { foreground, background }, towards);
    const mask = cutGrid({ width, height, unary, pairwise: cut });
    weights = Float32Array.from(mask);
    for (let pixel = 0; pixel < mask.length; pixel++)
      probability.data[pixel] = softenSide(mask[pixel]!, unary[pixel]!);
  }
  return probability;
}

/** The cut decides the side; colours that contradict it lower the confidence. */
const softenSide = (side: number, unary: number): number => {
  const agreement = side === 1 ? unary : -unary;
  const sure = 0.775 + 0.225 * Math.tanh(agreement / 4);
  return side === 1 ? sure : 1 - sure;
};

const logit = (value: number): number => Math.log((value + 0.02) / (1.02 - value));
const clampTo = (value: number, maximum: number): number => Math.min(maximum, Math.max(-maximum, value));

function unaryCosts(
  lab: Float32Array,
  { foreground, background }: { foreground: Mixture; background: Mixture },
  towards: Float32Array,
): Float32Array {
  return towards.map(
    (prior, pixel) => prior + clampTo(background.cost(lab, pixel) - foreground.cost(lab, pixel), COLOR_MAX),
  );
}

const NEIGHBOURS = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
] as const;

/** Pairwise costs, low across an edge: γ·exp(−β·d²) divided by the pixel distance, β from the mean contrast. */
export function boundaryCosts({
  width,
  height,
  lab,
}: Pick<GrabCutInput, 'width' | 'height' | 'lab'>): [Float32Array, Float32Array, Float32Array, Float32Array] {
  const contrasts = NEIGHBOURS.map(([across, down]) => {
    const contrast = new Float32Array(width * height).fill(-1);
    for (let y = 0; y < height - down; y++) {
      for (let x = Math.max(0, -across); x < width - Math.max(0, across); x++) {
        const pixel = y * width + x;
        contrast[pixel] = distance2(lab, pixel, pixel + down * width + across);
      }
    }
    return contrast;
  });
  let [sum, count] = [0, 0];
  for (const contrast of contrasts)
    for (const value of contrast)
      if (value >= 0) {
        sum += value;
        count++;
      }
  const beta = 1 / Math.max(1e-7, (2 * sum) / Math.max(1, count));
  return contrasts.map((contrast, at) =>
    contrast.map((value) =>
      value < 0 ? 0 : (SMOOTHNESS * Math.exp(-beta * value)) / Math.hypot(...NEIGHBOURS[at]!),
    ),
  ) as [Float32Array, Float32Array, Float32Array, Float32Array];
}

const distance2 = (lab: Float32Array, one: number, other: number): number =>
  (lab[one * 3]! - lab[other * 3]!) ** 2 +
  (lab[one * 3 + 1]! - lab[other * 3 + 1]!) ** 2 +
  (lab[one * 3 + 2]! - lab[other * 3 + 2]!) ** 2;
