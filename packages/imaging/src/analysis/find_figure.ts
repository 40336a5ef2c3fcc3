import { placeName } from './places.ts';
import { blurPlane, type Planes } from './planes.ts';

/** One thing, or one close group, before a plain ground. */
export interface Figure {
  readonly place: string;
  /** Part of the picture, 0 to 1. */
  readonly share: number;
  readonly confidence: number;
}

const RIM = 0.04;
/** OKLab: what is further from the ground than this belongs to the thing. */
const UNLIKE = 0.13;
/** OKLab: a rim within this of one colour is plain. */
const PLAIN = 0.07;
/** Part of the picture. In the dark a smaller thing is a lit spot on something that cannot be made out. */
const SHARE = { min: 0.004, minInTheDark: 0.02, max: 0.75 };
/** OKLab lightness. */
const DARK = 0.3;
/** Part of its outline's area that one thing fills: several things apart fill less. */
const FILLED = 0.6;

/** A rim of one colour nearly all around, and one thing within it. @returns the thing and its pixels */
export function findFigure({
  width,
  height,
  lightness,
  a,
  b,
}: Planes): { figure: Figure; pixels: Int32Array } | undefined {
  if (Math.min(width, height) < 24) return undefined;
  const smooth = [lightness.map((value) => value / 100), a, b].map((plane) =>
    blurPlane(plane, width, height, 1),
  ) as [Float32Array, Float32Array, Float32Array];
  const rim = rimPixels(width, height);
  const ground = smooth.map((plane) => medianAt(plane, rim)) as [number, number, number];
  const distance = (at: number) =>
    Math.sqrt(
      (smooth[0][at]! - ground[0]) ** 2 +
        (smooth[1][at]! - ground[1]) ** 2 +
        (smooth[2][at]! - ground[2]) ** 2,
    );
  const plainRim = rim.filter((at) => distance(at) < PLAIN).length / rim.length;
  if (plainRim < 0.9) return undefined;
  const mask = Uint8Array.from(lightness, (_, at) => (distance(at) > UNLIKE ? 1 : 0));
  const unlike = mask.reduce((sum, value) => sum + value, 0);
  const share = unlike / lightness.length;
  if (share < (ground[0] < DARK ? SHARE.minInTheDark : SHARE.min) || share > SHARE.max) return undefined;
  const pixels = fillOutline(mask, width, height);
  if (unlike < FILLED * pixels.length) return undefined;
  return {
    figure: { place: middleOf(pixels, width, height), share, confidence: Math.min(0.9, plainRim - 0.1) },
    pixels,
  };
}

/** What lies between the outermost marks of its row and of its column: a thing with the parts that look like the ground. */
function fillOutline(mask: Uint8Array, width: number, height: number): Int32Array {
  const empty = () => ({ first: Number.POSITIVE_INFINITY, last: -1 });
  const rows = Array.from({ length: height }, empty);
  const columns = Array.from({ length: width }, empty);
  const widen = (extent: { first: number; last: number }, place: number) => {
    extent.first = Math.min(extent.first, place);
    extent.last = Math.max(extent.last, place);
  };
  const isWithin = ({ first, last }: { first: number; last: number }, place: number) =>
    place >= first && place <= last;
  for (const [at, isMarked] of mask.entries()) {
    if (!isMarked) continue;
    widen(rows[Math.floor(at / width)]!, at % width);
    widen(columns[at % width]!, Math.floor(at / width));
  }
  const pixels: number[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (isWithin(rows[y]!, x) && isWithin(columns[x]!, y)) pixels.push(y * width + x);
  return Int32Array.from(pixels);
}

function rimPixels(width: number, height: number): number[] {
  const rim = Math.max(1, Math.round(RIM * Math.min(width, height)));
  const pixels: number[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (x < rim || y < rim || x >= width - rim || y >= height - rim) pixels.push(y * width + x);
  return pixels;
}

function medianAt(plane: Float32Array, places: readonly number[]): number {
  const values = Float32Array.from(places, (at) => plane[at]!).sort();
  return values[values.length >> 1]!;
}

function middleOf(pixels: Int32Array, width: number, height: number): string {
  let [sumX, sumY] = [0, 0];
  for (const at of pixels) {
    sumX += at % width;
    sumY += Math.floor(at / width);
  }
  return placeName({ x: (sumX / pixels.length + 0.5) / width, y: (sumY / pixels.length + 0.5) / height });
}
