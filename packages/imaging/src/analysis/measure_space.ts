import { largestComponent } from '../pixels/largest_component.ts';
import { atPlace, cellName } from './places.ts';
import { blurPlane, gradientOf, meanOf, type Planes } from './planes.ts';

export interface Space {
  /** Share of the image with hardly any change. */
  readonly empty: number;
  /** The largest empty area: its position ("across the top") and its share of the image. */
  readonly emptiest?: { readonly where: string; readonly share: number };
  readonly depthCues: readonly DepthCue[];
}

export type DepthCue =
  | 'paler towards the top'
  | 'less contrast towards the top'
  | 'greyer towards the top'
  | 'bluer towards the top';

/** L* per pixel: smaller steps are shading or grain. */
const QUIET = 1.6;
const BANDS = 5;
/** Minimum consistency between bands for a cue. */
const STEADY = 0.9;

/** Measures empty areas and cues of distance. */
export function measureSpace(planes: Planes): Space {
  const { width, height, lightness, a, b } = planes;
  const steps = [lightness, a.map((value) => 150 * value), b.map((value) => 150 * value)].map(
    (plane) => gradientOf(plane, width, height).size,
  );
  const busy = blurPlane(
    steps[0]!.map((value, at) => value + steps[1]![at]! + steps[2]![at]!),
    width,
    height,
    Math.max(1, 0.01 * Math.max(width, height)),
  );
  const quiet = Uint8Array.from(busy, (value) => (value < QUIET ? 1 : 0));
  const patch = largestComponent(quiet, width);
  const share = patch.length / quiet.length;
  return {
    empty: meanOf(quiet),
    ...(share > 0.06 && { emptiest: { where: stretchOf(patch, width, height), share } }),
    depthCues: depthCues(planes, steps[0]!),
  };
}

/** Ninths of the image, and names of their combinations. */
const STRETCHES: readonly (readonly [name: string, cells: readonly number[]])[] = [
  ['all around the middle', [0, 1, 2, 3, 5, 6, 7, 8]],
  ['across the top', [0, 1, 2]],
  ['across the bottom', [6, 7, 8]],
  ['down the left side', [0, 3, 6]],
  ['down the right side', [2, 5, 8]],
];
/** Used if an empty area reaches every ninth. */
export const EVERYWHERE = 'almost everywhere';
/** Minimum filled share of a ninth. */
const FILLED = 0.4;

/**
 * Position of an area as a phrase: "all around the middle", "across the top", "at the upper left". The centroid would name the very object that it
 * surrounds.
 */
function stretchOf(patch: Int32Array, width: number, height: number): string {
  const cells = new Float64Array(9);
  for (const at of patch)
    cells[3 * Math.floor((3 * Math.floor(at / width)) / height) + Math.floor((3 * (at % width)) / width)]!++;
  const filled = Array.from(cells, (count) => count / ((width * height) / 9));
  const isFilled = (cell: number) => filled[cell]! >= FILLED;
  if (filled.every((_, cell) => isFilled(cell))) return EVERYWHERE;
  const stretch = STRETCHES.find(([, wanted]) => wanted.every(isFilled));
  const fullest = filled.indexOf(Math.max(...filled));
  return stretch?.[0] ?? atPlace(cellName(fullest));
}

/**
 * Aerial perspective (Leonardo, "Treatise on Painting"): air makes distant objects paler, greyer, bluer and lower in contrast, and on level ground
 * they are higher in the image. A cue is a steady trend over five bands from top to bottom.
 */
function depthCues({ width, height, lightness, a, b }: Planes, steps: Float32Array): DepthCue[] {
  if (height < 4 * BANDS) return [];
  const bands = Array.from({ length: BANDS }, (_, band) => {
    const [from, to] = [band, band + 1].map((edge) => Math.floor((edge * height) / BANDS) * width) as [
      number,
      number,
    ];
    const chroma = (at: number) => Math.sqrt(a[at]! * a[at]! + b[at]! * b[at]!);
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

/** Difference from first to last, and correlation with a linear trend. */
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
