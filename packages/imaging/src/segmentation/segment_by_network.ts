import type { Session } from '../onnx/open_session.ts';
import { LANCZOS_LOBES, lanczosWeight } from '../pixels/lanczos.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { grabCut } from './grab_cut.ts';
import { enlargePlane, fitInside, reducePicture } from './resample.ts';
import { doubtOfNetwork, labPlanes, overlapOfMasks, type Segment, softPart } from './segment.ts';
import type { Segmenter } from './segmenters.ts';

/** What a network says of a picture, of its mirror image, and of the picture with more room around it, each laid back on the picture. */
interface Opinions {
  readonly plain: Plane;
  readonly mirrored: Plane;
  readonly widened: Plane;
}

/** Asks a network about one picture. */
type Ask = (picture: Raster) => Promise<Plane>;

/** How much room is put on each side, as a part of that side: what reaches the edge is then a whole thing in the middle. */
const ROOM_PART = 0.2;
/** No network that is asked more than once sees more. */
const OPINIONS_SIDE_PX = 512;

/** Three answers to one question: where they part, the network guesses. */
export async function askThrice(picture: Raster, ask: Ask): Promise<Opinions> {
  const shown = reducePicture(picture, fitInside(picture, OPINIONS_SIDE_PX));
  const plain = await ask(picture);
  const mirrored = mirrorPlane(await ask(mirrorPicture(shown)));
  const room = {
    across: Math.round(ROOM_PART * shown.width),
    down: Math.round(ROOM_PART * shown.height),
  };
  const wide = widen(shown, room);
  const seen = enlargePlane(await ask(wide), wide);
  const widened = planeOf(shown);
  for (let y = 0; y < shown.height; y++) {
    const from = (y + room.down) * wide.width + room.across;
    widened.data.set(seen.data.subarray(from, from + shown.width), y * shown.width);
  }
  return { plain, mirrored, widened };
}

function mirrorPicture({ width, height, channels, data }: Raster): Raster {
  const mirrored = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < channels; channel++)
        mirrored[channels * (y * width + x) + channel] =
          data[channels * (y * width + width - 1 - x) + channel]!;
  return { width, height, channels, data: mirrored };
}

function mirrorPlane({ width, height, data }: Plane): Plane {
  const mirrored = planeOf({ width, height });
  for (let at = 0; at < data.length; at++) mirrored.data[at] = data[at + width - 1 - 2 * (at % width)]!;
  return mirrored;
}

/** The pixels of the edge go on outwards. */
function widen(picture: Raster, room: { across: number; down: number }): Raster {
  const { channels } = picture;
  const [width, height] = [picture.width + 2 * room.across, picture.height + 2 * room.down];
  const data = new Uint8Array(width * height * channels);
  const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value));
  for (let y = 0; y < height; y++) {
    const row = clamp(y - room.down, picture.height - 1) * picture.width;
    for (let x = 0; x < width; x++) {
      const from = channels * (row + clamp(x - room.across, picture.width - 1));
      data.set(picture.data.subarray(from, from + channels), channels * (y * width + x));
    }
  }
  return { width, height, channels, data };
}

/** Steps of colour (OKLab) smaller than this are hardly seen as an edge. */
const STEP_MIN = 0.04;
const REACH_PX = 2;

/**
 * How large the steps of colour across the outline of a mask are, on the mean, and in which part of it there is hardly one. An
 * outline that follows an object has larger ones than one through the middle of something. The edge of the picture is left out.
 * @param lab interleaved OKLab, of the mask's size
 */
function outlineContrast(
  { width, height, data }: Plane,
  lab: Float32Array,
): { mean: number; weakPart: number } {
  let [sum, weak, count] = [0, 0, 0];
  for (let y = REACH_PX; y < height - REACH_PX; y++) {
    for (let x = REACH_PX; x < width - REACH_PX; x++) {
      for (const away of [REACH_PX, REACH_PX * width]) {
        const [before, after] = [y * width + x - away, y * width + x + away];
        if (data[before]! > 0.5 === data[after]! > 0.5) continue;
        const step = distance(lab, 3 * before, 3 * after);
        sum += step;
        count++;
        if (step < STEP_MIN) weak++;
      }
    }
  }
  return count === 0 ? { mean: 0, weakPart: 1 } : { mean: sum / count, weakPart: weak / count };
}

const distance = (lab: Float32Array, one: number, other: number): number =>
  Math.hypot(lab[one]! - lab[other]!, lab[one + 1]! - lab[other + 1]!, lab[one + 2]! - lab[other + 2]!);

/** Colours are compared at this size. */
const SIDE_PX = 256;
/** The wide view counts where it has nearly all of what the plain one has, and leaves room for a background. */
const COVERED_MIN = 0.9;
const WIDE_SHARE_MAX = 0.75;
/** What is added has been seen at least so well by one of the views … */
const SEEN_MIN = 0.3;
/** … and hangs together with what the network is sure of. */
const CORE_MIN = 0.7;
/** Enough to belong to the object, too little to be certain of: the edge is worked out anew there. */
const ADDED = 0.7;
/** Outlines that run along weaker steps of colour than before are not taken. */
const CONTRAST_KEPT = 0.9;
/** A view alone never forbids: so far from certain is what the cut starts from. */
const PRIOR_MARGIN = 0.05;

/**
 * A network's mask with the parts it left weak: hair, wings, leaves. They are what another view of the picture shows, what the
 * colours of both sides (GrabCut) give to the object, and what is connected to it. With it how likely the mask is wrong.
 */
export function completeMask(picture: Raster, opinions: Opinions): { mask: Plane; doubt: number } {
  const small = reducePicture(picture, fitInside(picture, SIDE_PX));
  const lab = labPlanes(small);
  const plain = enlargePlane(opinions.plain, small);
  const mirrored = enlargePlane(opinions.mirrored, small);
  const widened = enlargePlane(opinions.widened, small);
  const views = isPlausible(plain, widened) ? [plain, mirrored, widened] : [plain, mirrored];
  const [mean, most] = [meanOf(views), mostOf(views)];
  const prior = meanOf([mean, most]);
  const cut = grabCut({
    ...small,
    lab,
    prior: { ...prior, data: prior.data.map((value) => PRIOR_MARGIN + (1 - 2 * PRIOR_MARGIN) * value) },
  });
  const grown = growOver(plain, { cut, most });
  const isKept = outlineContrast(grown, lab).mean >= CONTRAST_KEPT * outlineContrast(plain, lab).mean;
  const found = isKept ? grown : plain;
  const doubt = doubtOfNetwork({
    mirrored: 1 - overlapOfMasks(plain, mirrored),
    widened: 1 - overlapOfMasks(plain, widened),
    soft: softPart(mean),
    weakEdge: outlineContrast(found, lab).weakPart,
  });
  return { mask: isKept ? addTo(opinions.plain, plain, grown) : opinions.plain, doubt };
}

function isPlausible(plain: Plane, widened: Plane): boolean {
  let [kept, covered, wide] = [0, 0, 0];
  for (let pixel = 0; pixel < plain.data.length; pixel++) {
    const isWide = widened.data[pixel]! > 0.5;
    if (isWide) wide++;
    if (plain.data[pixel]! <= 0.5) continue;
    kept++;
    if (isWide) covered++;
  }
  return covered >= COVERED_MIN * kept && wide <= WIDE_SHARE_MAX * plain.data.length;
}

/** From what is certain over connected pixels that a view and the colours both give to the object. */
function growOver(plain: Plane, { cut, most }: { cut: Plane; most: Plane }): Plane {
  const { width, data } = plain;
  const grown = Float32Array.from(data);
  const isOpen = Uint8Array.from(data, (_, at) => (cut.data[at]! > 0.5 && most.data[at]! > SEEN_MIN ? 1 : 0));
  const reached = [...data.keys()].filter((at) => data[at]! > CORE_MIN);
  for (const at of reached) isOpen[at] = 0;
  for (let at = reached.pop(); at !== undefined; at = reached.pop()) {
    grown[at] = Math.max(grown[at]!, ADDED);
    const x = at % width;
    for (const next of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
      if (isOpen[next] !== 1) continue;
      isOpen[next] = 0;
      reached.push(next);
    }
  }
  return { ...plain, data: grown };
}

/** Only what was added goes over to the mask of the network, whose own numbers stay. */
function addTo(mask: Plane, before: Plane, grown: Plane): Plane {
  const added = enlargePlane(
    { ...grown, data: grown.data.map((value, at) => value - before.data[at]!) },
    mask,
  );
  return { ...mask, data: mask.data.map((value, at) => Math.min(1, value + added.data[at]!)) };
}

const meanOf = (planes: readonly Plane[]): Plane => ({
  ...planes[0]!,
  data: planes[0]!.data.map((_, at) => planes.reduce((sum, { data }) => sum + data[at]!, 0) / planes.length),
});

const mostOf = (planes: readonly Plane[]): Plane => ({
  ...planes[0]!,
  data: planes[0]!.data.map((_, at) => planes.reduce((best, { data }) => Math.max(best, data[at]!), 0)),
});

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

/** Resamples a plane to any size with Lanczos' window of three lobes, widened where it shrinks: what networks were fed with. */
function lanczos(plane: Plane, { width, height }: { width: number; height: number }): Plane {
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
