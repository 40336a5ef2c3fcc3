import type { Session } from '../onnx/open_session.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { completeMask } from './complete_mask.ts';
import { lanczos } from './lanczos.ts';
import { askThrice } from './opinions.ts';
import type { Segment } from './segment.ts';
import type { Segmenter } from './segmenters.ts';

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
