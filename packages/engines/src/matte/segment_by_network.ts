import type { Session } from '../onnx/open_session.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { completeMask } from './complete_mask.ts';
import { lanczos } from './lanczos.ts';
import { askThrice } from './opinions.ts';
import type { Segment } from './segment.ts';

/** What a network wants to be given, and what it gives. */
export interface Segmenter {
  /** The square picture it takes, in pixels; pictures are stretched to it. */
  readonly sidePx: number;
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
  /** Whether the numbers it gives still have to go through a sigmoid. */
  readonly givesLogits: boolean;
  /** At most this much of its scale is background for certain; how decided a network is differs. */
  readonly certainty: number;
  /** How far its outlines may be off, as a part of the longest side: about two of its pixels. */
  readonly edgePart: number;
  /** Asked three times, and completed by colours: pays for small networks; the large ones take seconds each time. */
  readonly isCompleted: boolean;
}

const IMAGENET = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] } as const;

/** The published networks that cut out, as the program they were published with (rembg) feeds them. */
export const SEGMENTERS = {
  u2netp: {
    sidePx: 320,
    ...IMAGENET,
    givesLogits: false,
    certainty: 0.2,
    edgePart: 0.004,
    isCompleted: true,
  },
  isnet_general: {
    sidePx: 1024,
    mean: [0.5, 0.5, 0.5],
    deviation: [1, 1, 1],
    givesLogits: false,
    certainty: 0.05,
    edgePart: 0.003,
    isCompleted: false,
  },
  birefnet_general_lite: {
    sidePx: 1024,
    ...IMAGENET,
    givesLogits: true,
    certainty: 0.05,
    edgePart: 0.003,
    isCompleted: false,
  },
} as const satisfies Record<string, Segmenter>;

export type SegmenterName = keyof typeof SEGMENTERS;

/** Finds objects with an open network; the first of its outputs counts. */
export function segmentByNetwork(session: Pick<Session, 'outputs' | 'run'>, segmenter: Segmenter): Segment {
  const { sidePx, certainty, edgePart, isCompleted } = segmenter;
  const ask = async (picture: Raster): Promise<Plane> => {
    const answers = await session.run(inputOf(picture, segmenter), [1, 3, sidePx, sidePx]);
    const { data } = answers.get(session.outputs[0]!)!;
    return maskOf(data, segmenter);
  };
  return async (picture) => {
    if (!isCompleted) return { mask: await ask(picture), certainty, edgePart };
    return { ...completeMask(picture, await askThrice(picture, ask)), certainty, edgePart };
  };
}

/** Three planes, scaled by the brightest value of the picture, less the mean, over the deviation. */
export function inputOf(picture: Raster, { sidePx, mean, deviation }: Segmenter): Float32Array {
  const size = { width: sidePx, height: sidePx };
  const planes = [0, 1, 2].map((side) => roundLevels(lanczos(channelOf(picture, side), size).data));
  const brightest = Math.max(
    1e-6,
    ...planes.map((plane) => plane.reduce((best, value) => Math.max(best, value), 0)),
  );
  const input = new Float32Array(3 * sidePx * sidePx);
  for (const [side, plane] of planes.entries())
    for (let pixel = 0; pixel < plane.length; pixel++)
      input[side * plane.length + pixel] = (plane[pixel]! / brightest - mean[side]!) / deviation[side]!;
  return input;
}

/** The numbers of the network between their least and their largest, from 0 to 1. */
export function maskOf(numbers: Float32Array, { sidePx, givesLogits }: Segmenter): Plane {
  const data = numbers
    .slice(0, sidePx * sidePx)
    .map((value) => (givesLogits ? 1 / (1 + Math.exp(-value)) : value));
  const least = data.reduce((best, value) => Math.min(best, value), Number.POSITIVE_INFINITY);
  const most = data.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
  const span = Math.max(1e-6, most - least);
  return { width: sidePx, height: sidePx, data: data.map((value) => (value - least) / span) };
}

/** To the levels a picture can have. */
const roundLevels = (levels: Float32Array): Float32Array =>
  levels.map((level) => Math.min(255, Math.max(0, Math.round(level))));

function channelOf({ width, height, channels, data }: Raster, side: number): Plane {
  const plane = planeOf({ width, height });
  for (let pixel = 0; pixel < plane.data.length; pixel++) plane.data[pixel] = data[pixel * channels + side]!;
  return plane;
}
