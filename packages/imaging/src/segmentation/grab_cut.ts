import { type Plane, planeOf } from '../pixels/plane.ts';
import { fitMixture, type Mixture } from './gaussian_mixture.ts';
import { cutGrid } from './max_flow.ts';

export interface GrabCutInput {
  readonly width: number;
  readonly height: number;
  /** Interleaved OKLab. */
  readonly lab: Float32Array;
  /** How likely each pixel is to be foreground before its colour is looked at. */
  readonly prior: Plane;
}

const COMPONENTS = 5;
const ROUNDS = 2;
/** GrabCut's price of a cut between two pixels of the same colour. */
const SMOOTHNESS = 50;
/** How far the prior and the colours may each push a pixel to one side, so that neither is ever certain alone. */
const PRIOR_MAX = 6;
const COLOR_MAX = 12;
const PRIOR_WEIGHT = 3;

/**
 * Which pixels belong together as foreground, as a probability: colours of both sides as Gaussian mixtures, the cheapest
 * boundary by minimum cut, and again with the colours of the sides found.
 * Source: Rother, Kolmogorov and Blake, "GrabCut", 2004, with a prior in place of the rectangle.
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
    const lean = leanOf(lab, { foreground, background }, towards);
    const mask = cutGrid({ width, height, lean, cut });
    weights = Float32Array.from(mask);
    for (let pixel = 0; pixel < mask.length; pixel++)
      probability.data[pixel] = softenSide(mask[pixel]!, lean[pixel]!);
  }
  return probability;
}

/** The cut decides; where the colours speak against it, the decision is less sure. */
const softenSide = (side: number, lean: number): number => {
  const agreement = side === 1 ? lean : -lean;
  const sure = 0.775 + 0.225 * Math.tanh(agreement / 4);
  return side === 1 ? sure : 1 - sure;
};

const logit = (value: number): number => Math.log((value + 0.02) / (1.02 - value));
const clampTo = (value: number, most: number): number => Math.min(most, Math.max(-most, value));

function leanOf(
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

/** Cutting is cheap across an edge: γ·exp(−β·d²) over the distance of the pixels, β from the mean contrast. */
function boundaryCosts({
  width,
  height,
  lab,
}: GrabCutInput): [Float32Array, Float32Array, Float32Array, Float32Array] {
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
