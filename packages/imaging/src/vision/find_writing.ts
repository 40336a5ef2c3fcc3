import { shownSize } from '../codecs/shown_size.ts';
import type { Session } from '../onnx/session.ts';
import { connectedComponents } from '../pixels/connected_components.ts';
import type { Plane, Size } from '../pixels/plane.ts';
import { WRITING_MIN, WRITING_THICKNESS_MAX, WRITTEN_LINES_MAX } from './limits.ts';
import type { WrittenLine } from './seen.ts';
import { stretchedInput } from './stretched_input.ts';

/** Longest side in the first pass, in pixels, and enlargement in the second. */
const SIDE_PX = 960;
const SECOND_SCALE = 1.3;
/** Sides are rounded to multiples of this. */
const GRID_PX = 32;
/** Training mean and deviation. */
const NORM = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] } as const;
/** Minimum probability of a text pixel. */
const PIXEL_MIN = 0.3;
/** The model detects shrunken lines: a box is grown on each side by this ratio times area over perimeter. */
const UNCLIP = 1.6;

/**
 * Detects lines of text with PP-OCRv3's detector (PaddleOCR) without reading them, largest first, at most `WRITTEN_LINES_MAX`. Short words, single
 * characters and curved text are excluded: too many other structures resemble them.
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function findWriting(bytes: Uint8Array, session: Pick<Session, 'run'>): Promise<WrittenLine[]> {
  const shown = await shownSize(bytes);
  const scale = Math.min(1, SIDE_PX / Math.max(shown.width, shown.height));
  const first = await look(bytes, session, roundSize(shown, scale));
  const found = stretches(first, PIXEL_MIN).filter((stretch) => isLine(stretch, first));
  if (found.length === 0) return [];
  const second = mirror(await look(bytes, session, roundSize(shown, SECOND_SCALE * scale), mirror));
  return found
    .map((stretch) => ({ stretch, again: meanWithin(stretch, first, second) }))
    .filter(({ again }) => again >= WRITING_MIN.second)
    .map(({ stretch, again }) => ({
      ...boxOf(stretch, first),
      score: Math.min(1, (stretch.mean + again) / 2),
    }))
    .toSorted((one, other) => other.width * other.height - one.width * one.height)
    .slice(0, WRITTEN_LINES_MAX);
}

function roundSize({ width, height }: Size, scale: number): Size {
  const round = (side: number) => Math.max(GRID_PX, Math.round((side * scale) / GRID_PX) * GRID_PX);
  return { width: round(width), height: round(height) };
}

/** Probability of text for each pixel. @param turn applied to the three input planes */
async function look(
  bytes: Uint8Array,
  session: Pick<Session, 'run'>,
  { width, height }: Size,
  turn: (planes: Plane) => Plane = (planes) => planes,
): Promise<Plane> {
  const { data } = turn({
    data: await stretchedInput(bytes, { width, height }, NORM),
    width,
    height: 3 * height,
  });
  const [answer] = (await session.run(data, [1, 3, height, width])).values();
  return { data: answer!.data, width, height };
}

/** Mirrors each row. */
function mirror({ data, width, height }: Plane): Plane {
  const out = data.slice();
  for (let row = 0; row < height; row++) out.subarray(row * width, (row + 1) * width).reverse();
  return { data: out, width, height };
}

const isLine = ({ pixels, length, thickness, mean }: Stretch, { width, height }: Size): boolean =>
  mean >= WRITING_MIN.first &&
  length >= WRITING_MIN.elongation * thickness &&
  pixels.length >= WRITING_MIN.filled * length * thickness &&
  thickness <= WRITING_THICKNESS_MAX * Math.max(width, height);

/** Mean of the second pass over the pixels of a region from the first. */
function meanWithin({ pixels }: Stretch, first: Size, second: Plane): number {
  let sum = 0;
  for (const at of pixels) {
    const x = Math.floor((((at % first.width) + 0.5) / first.width) * second.width);
    const y = Math.floor(((Math.floor(at / first.width) + 0.5) / first.height) * second.height);
    sum += second.data[y * second.width + x]!;
  }
  return sum / pixels.length;
}

/** In fractions of the image. */
function boxOf({ box, pixels }: Stretch, { width, height }: Size): Omit<WrittenLine, 'score'> {
  const margin = (UNCLIP * pixels.length) / (2 * (box.right - box.left + box.bottom - box.top));
  const [left, top] = [Math.max(0, box.left - margin), Math.max(0, box.top - margin)];
  return {
    x: left / width,
    y: top / height,
    width: (Math.min(width, box.right + margin) - left) / width,
    height: (Math.min(height, box.bottom + margin) - top) / height,
  };
}

/** A connected component of a plane, approximated by a rotated bar. All in pixels. */
interface Stretch {
  /** Indices into the plane. */
  readonly pixels: Int32Array;
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
  /** Of the rectangle with the same second moments. */
  readonly length: number;
  readonly thickness: number;
  /** Mean of the plane over the component. */
  readonly mean: number;
}

/** Connected components of a plane above a level, unordered. */
function stretches({ data, width, height }: Plane, above: number): Stretch[] {
  const found: Stretch[] = [];
  const mask = Uint8Array.from(data, (value) => (value > above ? 1 : 0));
  for (const pixels of connectedComponents(mask, width))
    found.push(stretchOf(pixels.slice(), { data, width, height }));
  return found;
}

function stretchOf(pixels: Int32Array, { data, width, height }: Plane): Stretch {
  let [left, top, right, bottom] = [width, height, 0, 0];
  let [sum, sumX, sumY, sumXX, sumYY, sumXY] = [0, 0, 0, 0, 0, 0];
  for (const at of pixels) {
    const x = at % width;
    const y = (at - x) / width;
    [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    sum += data[at]!;
    sumX += x;
    sumY += y;
    sumXX += x * x;
    sumYY += y * y;
    sumXY += x * y;
  }
  const count = pixels.length;
  const [meanX, meanY] = [sumX / count, sumY / count];
  // A pixel is a square, not a point: without its variance of 1/12, a row of pixels would have no thickness.
  const across = sumXX / count - meanX ** 2 + 1 / 12;
  const down = sumYY / count - meanY ** 2 + 1 / 12;
  const askew = sumXY / count - meanX * meanY;
  const half = (across + down) / 2;
  const spread = Math.hypot((across - down) / 2, askew);
  return {
    pixels,
    box: { left, top, right, bottom },
    length: Math.sqrt(12 * (half + spread)),
    thickness: Math.sqrt(12 * Math.max(0, half - spread)),
    mean: sum / count,
  };
}
