import { placeName } from './places.ts';
import { blurred, gradientOf, meanOf, type Planes } from './planes.ts';

export interface Space {
  /** Part of the picture with hardly any change in it. */
  readonly empty: number;
  /** Where the largest empty stretch has its middle, and its part of the picture. */
  readonly emptiest?: { readonly place: string; readonly share: number };
  readonly depthCues: readonly DepthCue[];
}

export type DepthCue =
  | 'paler towards the top'
  | 'less contrast towards the top'
  | 'greyer towards the top'
  | 'bluer towards the top';

/** L* a pixel: steps below this are shading or grain. */
const QUIET = 1.6;
const BANDS = 5;
/** How steadily a band differs from the next to be a cue. */
const STEADY = 0.9;

/** Empty stretches, and what grows weaker upwards as it does with distance. */
export function measureSpace(planes: Planes): Space {
  const { width, height, lightness, a, b } = planes;
  const steps = [lightness, a.map((value) => 150 * value), b.map((value) => 150 * value)].map(
    (plane) => gradientOf(plane, width, height).size,
  );
  const busy = blurred(
    steps[0]!.map((value, at) => value + steps[1]![at]! + steps[2]![at]!),
    width,
    height,
    Math.max(1, 0.01 * Math.max(width, height)),
  );
  const quiet = Uint8Array.from(busy, (value) => (value < QUIET ? 1 : 0));
  const emptiest = largestPatch(quiet, width, height);
  return {
    empty: meanOf(quiet),
    ...(emptiest && emptiest.share > 0.06 && { emptiest }),
    depthCues: depthCues(planes, steps[0]!),
  };
}

/** The largest connected quiet area. */
function largestPatch(quiet: Uint8Array, width: number, height: number) {
  const seen = new Uint8Array(quiet.length);
  let best: { place: string; share: number } | undefined;
  for (let start = 0; start < quiet.length; start++) {
    if (!quiet[start] || seen[start]) continue;
    const queue = [start];
    seen[start] = 1;
    let [sumX, sumY] = [0, 0];
    for (let index = 0; index < queue.length; index++) {
      const at = queue[index]!;
      const column = at % width;
      sumX += column + 0.5;
      sumY += Math.floor(at / width) + 0.5;
      for (const next of [
        column > 0 ? at - 1 : -1,
        column < width - 1 ? at + 1 : -1,
        at - width,
        at + width,
      ]) {
        if (next < 0 || next >= quiet.length || !quiet[next] || seen[next]) continue;
        seen[next] = 1;
        queue.push(next);
      }
    }
    const share = queue.length / quiet.length;
    if (!best || share > best.share) {
      const middle = { x: sumX / queue.length / width, y: sumY / queue.length / height };
      best = { place: placeName(middle), share };
    }
  }
  return best;
}

/**
 * Air between the eye and far things makes them paler, greyer, bluer and weaker in contrast, and far things on level
 * ground stand higher: aerial perspective as painters teach it (Leonardo, "Treatise on Painting"). Each cue is a steady
 * course over five bands from the top to the bottom.
 */
function depthCues({ width, height, lightness, a, b }: Planes, steps: Float32Array): DepthCue[] {
  if (height < 4 * BANDS) return [];
  const bands = Array.from({ length: BANDS }, (_, band) => {
    const [from, to] = [band, band + 1].map((edge) => Math.floor((edge * height) / BANDS) * width) as [
      number,
      number,
    ];
    const chroma = (at: number) => Math.hypot(a[at]!, b[at]!);
    const [pale, steep, colour, blue] = [0, 0, 0, 0];
    const sums = { pale, steep, colour, blue };
    for (let at = from; at < to; at++) {
      sums.pale += lightness[at]!;
      sums.steep += steps[at]!;
      sums.colour += chroma(at);
      sums.blue -= b[at]!;
    }
    const count = Math.max(1, to - from);
    return {
      pale: sums.pale / count,
      steep: sums.steep / count,
      colour: sums.colour / count,
      blue: sums.blue / count,
    };
  });
  const course = (read: (band: (typeof bands)[0]) => number) => courseOf(bands.map(read));
  const cues: [DepthCue, boolean][] = [
    [
      'paler towards the top',
      isSteady(
        course((band) => band.pale),
        -12,
      ),
    ],
    [
      'less contrast towards the top',
      isSteady(
        course((band) => band.steep),
        0.7,
      ),
    ],
    [
      'greyer towards the top',
      isSteady(
        course((band) => band.colour),
        0.02,
      ),
    ],
    [
      'bluer towards the top',
      isSteady(
        course((band) => band.blue),
        -0.025,
      ),
    ],
  ];
  return cues.flatMap(([cue, holds]) => (holds ? [cue] : []));
}

/** From the first to the last, and the correlation with a straight course. */
function courseOf(values: readonly number[]) {
  const middle = (values.length - 1) / 2;
  const mean = meanOf(values);
  let [slope, square, places] = [0, 0, 0];
  for (const [index, value] of values.entries()) {
    slope += (index - middle) * (value - mean);
    square += (value - mean) ** 2;
    places += (index - middle) ** 2;
  }
  return {
    rise: values.at(-1)! - values[0]!,
    steadiness: square > 0 ? slope / Math.sqrt(square * places) : 0,
  };
}

const isSteady = ({ rise, steadiness }: ReturnType<typeof courseOf>, least: number): boolean =>
  least > 0 ? rise >= least && steadiness >= STEADY : rise <= least && steadiness <= -STEADY;
