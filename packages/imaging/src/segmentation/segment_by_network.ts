import type { Session } from '../onnx/session.ts';
import { LANCZOS_LOBES, lanczosWeight } from '../pixels/lanczos.ts';
import { type Plane, planeOf, type Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { isPoint, type Point, type SubjectSelector, selectSubject } from './choose_subject.ts';
import { completeMask } from './complete_mask.ts';
import { cropRaster, type Region } from './letterbox.ts';
import { type RunModel, runThreeViews } from './model_views.ts';
import { assessRuns, rerunWhenWeak } from './rerun_weak.ts';
import { upsamplePlane } from './resample.ts';
import { type Segment, type Segmented, subjectUnclear } from './segment.ts';
import type { Segmenter } from './segmenters.ts';

/** A network's result for a whole image. */
type NetworkResult = Pick<Segmented, 'mask' | 'doubt' | 'edges'>;

/** Segments with an ONNX model; its first output is the mask. */
export function segmentByNetwork(session: Pick<Session, 'outputs' | 'run'>, segmenter: Segmenter): Segment {
  const { sidePx, certainty, edgePart } = segmenter;
  const ask: RunModel = async (picture) => {
    const results = await session.run(modelInput(picture, segmenter), [1, 3, sidePx, sidePx]);
    const { data } = results.get(session.outputs[0]!)!;
    return maskFromOutput(data, segmenter);
  };
  const find = (picture: Raster) => RUNS[segmenter.runs](picture, ask);
  return async (picture, where) => {
    const found = where ? await findSelected(picture, where, find) : await find(picture);
    return { ...found, certainty, edgePart };
  };
}

const RUNS: Record<Segmenter['runs'], (picture: Raster, ask: RunModel) => Promise<NetworkResult>> = {
  one: async (picture, ask) => ({ mask: await ask(picture), edges: 'anew' }),
  async again_when_weak(picture, ask) {
    const looks = await rerunWhenWeak(picture, ask);
    return { mask: looks.mask, ...assessRuns(looks) };
  },
  async three(picture, ask) {
    return { ...completeMask(picture, await runThreeViews(picture, ask)), edges: 'anew' };
  },
};

/** Padding around a box, as a fraction of its sides: networks perform worse on subjects that fill the frame. */
const BOX_PADDING = 0.15;
/** Crops around a point, as fractions of the image, that are tried if the full image shows nothing there. */
const POINT_CROPS = [0.6, 0.35] as const;

/**
 * Finds the subject at a location: for a box, in a crop around it; for a point, in the full image, then in crops around the point.
 * @throws EngineError subject_unclear if nothing is found there
 */
async function findSelected(
  picture: Raster,
  where: SubjectSelector,
  find: (picture: Raster) => Promise<NetworkResult>,
): Promise<NetworkResult> {
  const regions: (Region | undefined)[] = isPoint(where)
    ? [undefined, ...POINT_CROPS.map((part) => regionAround(where, part, picture))]
    : [regionWithRoom(where, picture)];
  for (const region of regions) {
    const found = await find(region ? cropRaster(picture, region) : picture);
    const mask = region ? padMask(found.mask, region, picture) : upsamplePlane(found.mask, picture);
    const kept = selectSubject(mask, where);
    if (kept) return { ...found, mask: kept };
  }
  throw subjectUnclear(
    'The segmentation network detects no subject at `where`. Send a point on the subject, or a box around the whole subject.',
  );
}

function regionAround({ x, y }: Point, part: number, { width, height }: Size): Region {
  const size = { width: Math.ceil(part * width), height: Math.ceil(part * height) };
  const start = (centre: number, length: number, maximum: number) =>
    Math.round(Math.min(maximum - length, Math.max(0, centre - length / 2)));
  return { left: start(x, size.width, width), top: start(y, size.height, height), ...size };
}

function regionWithRoom(box: Region, { width, height }: Size): Region {
  const room = { across: BOX_PADDING * box.width, down: BOX_PADDING * box.height };
  const left = Math.max(0, Math.floor(box.left - room.across));
  const top = Math.max(0, Math.floor(box.top - room.down));
  return {
    left,
    top,
    width: Math.min(width, Math.ceil(box.left + box.width + room.across)) - left,
    height: Math.min(height, Math.ceil(box.top + box.height + room.down)) - top,
  };
}

/** Pads the mask of a crop with zeros to the full image. */
function padMask(mask: Plane, region: Region, size: Size): Plane {
  const own = upsamplePlane(mask, region);
  const placed = planeOf(size);
  for (let y = 0; y < region.height; y++)
    placed.data.set(
      own.data.subarray(y * region.width, (y + 1) * region.width),
      (region.top + y) * size.width + region.left,
    );
  return placed;
}

/** Model input: three planes, scaled by the largest value, minus the mean, divided by the standard deviation. */
export function modelInput(picture: Raster, { sidePx, mean, deviation }: Segmenter): Float32Array {
  const size = { width: sidePx, height: sidePx };
  const planes = [0, 1, 2].map((side) => roundLevels(resampleLanczos(channelOf(picture, side), size).data));
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

/** Converts model output to a mask from 0 to 1. */
export function maskFromOutput(numbers: Float32Array, { sidePx, output }: Segmenter): Plane {
  const size = { width: sidePx, height: sidePx };
  const own = numbers.slice(0, sidePx * sidePx);
  if (output === 'probabilities')
    return { ...size, data: own.map((value) => Math.min(1, Math.max(0, value))) };
  const data = output === 'logits' ? own.map((value) => 1 / (1 + Math.exp(-value))) : own;
  const minimum = data.reduce((best, value) => Math.min(best, value), Number.POSITIVE_INFINITY);
  const maximum = data.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
  const span = Math.max(1e-6, maximum - minimum);
  return { ...size, data: data.map((value) => (value - minimum) / span) };
}

/** Rounds to 8-bit levels. */
const roundLevels = (levels: Float32Array): Float32Array =>
  levels.map((level) => Math.min(255, Math.max(0, Math.round(level))));

function channelOf({ width, height, channels, data }: Raster, side: number): Plane {
  const plane = planeOf({ width, height });
  for (let pixel = 0; pixel < plane.data.length; pixel++) plane.data[pixel] = data[pixel * channels + side]!;
  return plane;
}

/** Resamples a plane with a Lanczos-3 filter, widened for downsampling, as in the reference preprocessing of the models. */
function resampleLanczos(plane: Plane, { width, height }: { width: number; height: number }): Plane {
  const across = planeOf({ width, height: plane.height });
  const columns = tapsOf(plane.width, width);
  for (let y = 0; y < plane.height; y++)
    resampleAlong(plane.data, across.data, { taps: columns, from: y * plane.width, to: y * width, step: 1 });
  const resampled = planeOf({ width, height });
  const rows = tapsOf(plane.height, height);
  for (let x = 0; x < width; x++)
    resampleAlong(across.data, resampled.data, { taps: rows, from: x, to: x, step: width });
  return resampled;
}

interface Tap {
  readonly first: number;
  readonly weights: Float32Array;
}

function tapsOf(from: number, to: number): Tap[] {
  const scale = from / to;
  const stretch = Math.max(1, scale);
  return Array.from({ length: to }, (_, at) => {
    const centre = (at + 0.5) * scale;
    const first = Math.max(0, Math.floor(centre - LANCZOS_LOBES * stretch + 0.5));
    const last = Math.min(from, Math.floor(centre + LANCZOS_LOBES * stretch + 0.5));
    const weights = Float32Array.from({ length: last - first }, (_, tap) =>
      lanczosWeight((first + tap + 0.5 - centre) / stretch),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}

function resampleAlong(
  source: Float32Array,
  into: Float32Array,
  { taps, from, to, step }: { taps: readonly Tap[]; from: number; to: number; step: number },
): void {
  for (const [at, { first, weights }] of taps.entries()) {
    let sum = 0;
    for (let tap = 0; tap < weights.length; tap++)
      sum += weights[tap]! * source[from + (first + tap) * step]!;
    into[to + at * step] = sum;
  }
}
