import type { Size } from '../pixels/plane.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';

/** Downsamples an image with an area filter. Alpha is averaged like a colour. */
export function downsampleRaster(picture: Raster, { width, height }: Size): Raster {
  if (width === picture.width && height === picture.height) return picture;
  const { channels } = picture;
  const data = new Uint8Array(width * height * channels);
  const across = coverage(picture.width, width);
  const line = new Float32Array(picture.width * channels);
  for (let y = 0; y < height; y++) {
    sumRows(picture, line, (y * picture.height) / height, ((y + 1) * picture.height) / height);
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < channels; channel++) {
        data[(y * width + x) * channels + channel] =
          coverageWeights(line, across, x, { channels, channel }) + 0.5;
      }
    }
  }
  return { width, height, channels, data };
}

/** Downsamples a plane with an area filter. */
export function downsamplePlane(plane: Plane, { width, height }: Size): Plane {
  if (width === plane.width && height === plane.height) return plane;
  const reduced = planeOf({ width, height });
  const across = coverage(plane.width, width);
  const line = new Float32Array(plane.width);
  const source = { ...plane, channels: 1 };
  for (let y = 0; y < height; y++) {
    sumRows(source, line, (y * plane.height) / height, ((y + 1) * plane.height) / height);
    for (let x = 0; x < width; x++)
      reduced.data[y * width + x] = coverageWeights(line, across, x, { channels: 1, channel: 0 });
  }
  return reduced;
}

/** Resamples a plane bilinearly; pixel centres are aligned. */
export function upsamplePlane(plane: Plane, size: Size): Plane {
  if (size.width === plane.width && size.height === plane.height) return plane;
  const enlarged = planeOf(size);
  const rows = upsampleRows(plane, size);
  for (let y = 0; y < size.height; y++) rows(y, enlarged.data.subarray(y * size.width, (y + 1) * size.width));
  return enlarged;
}

/** Yields the rows of a bilinearly resampled plane, for results too large for memory. */
export function upsampleRows(plane: Plane, { width, height }: Size): (y: number, into: Float32Array) => void {
  const columns = Float32Array.from({ length: width }, (_, x) =>
    clamp(((x + 0.5) * plane.width) / width - 0.5, plane.width - 1),
  );
  return (y, into) => {
    const place = clamp(((y + 0.5) * plane.height) / height - 0.5, plane.height - 1);
    const top = Math.floor(place) * plane.width;
    const bottom = Math.min(plane.height - 1, Math.floor(place) + 1) * plane.width;
    const down = place - Math.floor(place);
    for (let x = 0; x < width; x++) {
      const left = Math.floor(columns[x]!);
      const right = Math.min(plane.width - 1, left + 1);
      const along = columns[x]! - left;
      const upper = plane.data[top + left]! * (1 - along) + plane.data[top + right]! * along;
      const lower = plane.data[bottom + left]! * (1 - along) + plane.data[bottom + right]! * along;
      into[x] = upper * (1 - down) + lower * down;
    }
  };
}

const clamp = (value: number, maximum: number): number => Math.min(maximum, Math.max(0, value));

interface Coverage {
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** Covered fraction of the first and the last source pixel. */
  readonly firstPart: Float32Array;
  readonly lastPart: Float32Array;
  readonly total: number;
}

function coverage(from: number, to: number): Coverage {
  const first = new Int32Array(to);
  const last = new Int32Array(to);
  const firstPart = new Float32Array(to);
  const lastPart = new Float32Array(to);
  for (let at = 0; at < to; at++) {
    const start = (at * from) / to;
    const end = ((at + 1) * from) / to;
    first[at] = Math.min(from - 1, Math.floor(start));
    last[at] = Math.min(from - 1, Math.max(first[at]!, Math.ceil(end) - 1));
    firstPart[at] = first[at] === last[at] ? end - start : first[at]! + 1 - start;
    lastPart[at] = first[at] === last[at] ? 0 : end - last[at]!;
  }
  return { first, last, firstPart, lastPart, total: from / to };
}

/** Writes the area-weighted mean of the source rows between two heights to `line`. */
function sumRows(
  source: Size & { channels: number; data: ArrayLike<number> },
  line: Float32Array,
  start: number,
  end: number,
): void {
  line.fill(0);
  const last = Math.min(source.height, Math.ceil(end));
  for (let y = Math.floor(start); y < last; y++) {
    const weight = (Math.min(end, y + 1) - Math.max(start, y)) / (end - start);
    const offset = y * line.length;
    for (let at = 0; at < line.length; at++) line[at]! += weight * source.data[offset + at]!;
  }
}

function coverageWeights(
  line: Float32Array,
  across: Coverage,
  x: number,
  { channels, channel }: { channels: number; channel: number },
): number {
  const [first, last] = [across.first[x]!, across.last[x]!];
  let sum = across.firstPart[x]! * line[first * channels + channel]!;
  for (let at = first + 1; at < last; at++) sum += line[at * channels + channel]!;
  if (last > first) sum += across.lastPart[x]! * line[last * channels + channel]!;
  return sum / across.total;
}
