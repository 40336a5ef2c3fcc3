import { LANCZOS_LOBES, lanczosWeight } from '../pixels/lanczos.ts';
import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';

export interface Enlarging extends Size {
  /** The part of the picture that is wanted, in pixels and parts of them; absent: all of it. */
  readonly part?: Part;
}

export interface Part extends Size {
  readonly left: number;
  readonly top: number;
}

const TAPS = 2 * LANCZOS_LOBES;
const ALPHA = 3;

/**
 * Enlarges with the Lanczos kernel of three lobes, pixel centres where they belong, edges repeated. Sides may grow by
 * different factors; one that shrinks would show what the kernel leaves out. With four channels the last is opacity, and
 * colours count by it. libvips enlarges with a bicubic kernel and places the result half a new pixel off.
 * Beside picture and result it holds six rows of the result.
 */
export function enlarge(picture: Raster, { width, height, part }: Enlarging): Raster {
  const { channels } = picture;
  const wanted = part ?? { left: 0, top: 0, width: picture.width, height: picture.height };
  const columns = tapsOf(picture.width, { start: wanted.left, length: wanted.width, count: width });
  const rows = tapsOf(picture.height, { start: wanted.top, length: wanted.height, count: height });
  const rowLength = width * channels;
  const large = new Uint8Array(rowLength * height);
  const ring = Array.from({ length: TAPS }, () => ({ row: -1, values: new Float32Array(rowLength) }));
  const takeRow = (row: number): Float32Array => {
    const place = ring[row % TAPS]!;
    if (place.row !== row) {
      widenRow(picture, row, columns, place.values);
      place.row = row;
    }
    return place.values;
  };
  for (let y = 0; y < height; y += 1) {
    const sources = Array.from({ length: TAPS }, (_, tap) => takeRow(rows.places[y * TAPS + tap]!));
    const weights = rows.weights.subarray(y * TAPS, (y + 1) * TAPS);
    const target = large.subarray(y * rowLength, (y + 1) * rowLength);
    mixRows(sources, weights, target);
    if (channels === 4) divideByAlpha(sources, weights, target);
  }
  return { width, height, channels, data: large };
}

/** For each of `count` new places the six nearest old ones and their weights. */
interface Taps {
  readonly places: Int32Array;
  readonly weights: Float32Array;
}

function tapsOf(
  side: number,
  { start, length, count }: { start: number; length: number; count: number },
): Taps {
  const places = new Int32Array(count * TAPS);
  const weights = new Float32Array(count * TAPS);
  for (let at = 0; at < count; at += 1) {
    const centre = start + ((at + 0.5) * length) / count - 0.5;
    const first = Math.floor(centre) - LANCZOS_LOBES + 1;
    let sum = 0;
    for (let tap = 0; tap < TAPS; tap += 1) sum += lanczosWeight(centre - first - tap);
    for (let tap = 0; tap < TAPS; tap += 1) {
      places[at * TAPS + tap] = Math.min(side - 1, Math.max(0, first + tap));
      weights[at * TAPS + tap] = lanczosWeight(centre - first - tap) / sum;
    }
  }
  return { places, weights };
}

function widenRow(
  { width, channels, data: samples }: Raster,
  row: number,
  taps: Taps,
  into: Float32Array,
): void {
  const { places, weights } = taps;
  const start = row * width * channels;
  const colors = channels === 4 ? ALPHA : channels;
  for (let x = 0, tap = 0; tap < places.length; x += channels) {
    for (let channel = 0; channel < channels; channel += 1) into[x + channel] = 0;
    for (const end = tap + TAPS; tap < end; tap += 1) {
      const from = start + places[tap]! * channels;
      let weight = weights[tap]!;
      if (channels === 4) {
        into[x + ALPHA]! += weight * samples[from + ALPHA]!;
        weight *= samples[from + ALPHA]! / 255;
      }
      for (let color = 0; color < colors; color += 1) into[x + color]! += weight * samples[from + color]!;
    }
  }
}

function mixRows(sources: readonly Float32Array[], weights: Float32Array, into: Uint8Array): void {
  const [a, b, c, d, e, f] = sources as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const [wa, wb, wc, wd, we, wf] = weights as unknown as [number, number, number, number, number, number];
  for (let at = 0; at < into.length; at += 1)
    into[at] = byteOf(wa * a[at]! + wb * b[at]! + wc * c[at]! + wd * d[at]! + we * e[at]! + wf * f[at]!);
}

/** The colours of a row again: what was mixed was colour times opacity. */
function divideByAlpha(sources: readonly Float32Array[], weights: Float32Array, into: Uint8Array): void {
  const mixTaps = (place: number): number => {
    let sum = 0;
    for (let tap = 0; tap < TAPS; tap += 1) sum += weights[tap]! * sources[tap]![place]!;
    return sum;
  };
  for (let at = 0; at < into.length; at += 4) {
    const alpha = mixTaps(at + ALPHA);
    if (alpha < HALF_LEVEL || Math.abs(alpha - 255) < HALF_LEVEL) continue;
    for (let color = 0; color < ALPHA; color += 1)
      into[at + color] = byteOf((255 * mixTaps(at + color)) / alpha);
  }
}

const HALF_LEVEL = 0.5;

const byteOf = (value: number): number => (value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0);
