import { LANCZOS_LOBES, lanczosWeight } from '../pixels/lanczos.ts';
import type { Raster } from '../pixels/raster.ts';
import type { SheetPlan } from './plan_sheet.ts';

/** Rows added up in one go through memory. */
const AT_ONCE = 3;

/**
 * The rows of a sheet, asked for from the top, resampled from a picture (Lanczos). Beyond its edges the picture goes on
 * as its mirror image, which is what fills the bleed: no seam, no paper. No more of the sheet exists than one row and
 * the few rows of the picture it is made from.
 */
export function sheetRows(picture: Raster, { sheet, scale }: SheetPlan): (row: number) => Uint8ClampedArray {
  const { channels, width, height, data } = picture;
  const across = tapsOf(sheet.width, width, scale);
  const down = tapsOf(sheet.height, height, scale, AT_ONCE);
  const length = sheet.width * channels;
  const kept = Array.from({ length: down.count + 1 }, () => ({ row: -1, samples: new Float32Array(length) }));
  const blank = new Float32Array(length);
  const takeRow = (tap: number): Float32Array => {
    if (down.weights[tap] === 0) return blank;
    const row = down.sources[tap]!;
    const place = kept[row % kept.length]!;
    if (place.row !== row) {
      widen(data, row * width * channels, { taps: across, channels, into: place.samples });
      place.row = row;
    }
    return place.samples;
  };
  const sum = new Float32Array(length);
  const result = new Uint8ClampedArray(length);
  return (row) => {
    sum.fill(0);
    for (let tap = row * down.count; tap < (row + 1) * down.count; tap += AT_ONCE) {
      const [above, middle, below] = [takeRow(tap), takeRow(tap + 1), takeRow(tap + 2)];
      if (above === blank && middle === blank && below === blank) continue;
      const [w0, w1, w2] = [down.weights[tap]!, down.weights[tap + 1]!, down.weights[tap + 2]!];
      for (let at = 0; at < length; at += 1) sum[at]! += w0 * above[at]! + w1 * middle[at]! + w2 * below[at]!;
    }
    result.set(sum);
    return result;
  };
}

/** For each place of the sheet, `count` places of the picture and their weights. */
interface Taps {
  readonly count: number;
  readonly sources: Int32Array;
  readonly weights: Float32Array;
}

/** `multiple`: taps without weight make their number one of this. */
function tapsOf(places: number, side: number, scale: number, multiple = 1): Taps {
  const reach = Math.max(1, 1 / scale);
  const count = multiple * Math.ceil((Math.ceil(2 * LANCZOS_LOBES * reach) + 1) / multiple);
  const sources = new Int32Array(places * count);
  const weights = new Float32Array(places * count);
  for (let place = 0; place < places; place += 1) {
    const centre = (place + 0.5 - places / 2) / scale + side / 2 - 0.5;
    const first = Math.ceil(centre - LANCZOS_LOBES * reach);
    const own = Array.from({ length: count }, (_, tap) => lanczosWeight((first + tap - centre) / reach));
    const total = own.reduce((sum, weight) => sum + weight, 0);
    for (let tap = 0; tap < count; tap += 1) {
      sources[place * count + tap] = mirrorPlace(first + tap, side);
      weights[place * count + tap] = own[tap]! / total;
    }
  }
  return { count, sources, weights };
}

/** A place beyond the edge, reflected in it; the pixel at the edge comes twice. */
function mirrorPlace(place: number, side: number): number {
  const within = ((place % (2 * side)) + 2 * side) % (2 * side);
  return within < side ? within : 2 * side - 1 - within;
}

interface Widening {
  readonly taps: Taps;
  readonly channels: number;
  readonly into: Float32Array;
}

function widen(data: Uint8Array, from: number, { taps, channels, into }: Widening): void {
  const { count, sources, weights } = taps;
  const places = into.length / channels;
  if (channels === 3) {
    for (let place = 0; place < places; place += 1) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let tap = place * count; tap < (place + 1) * count; tap += 1) {
        const weight = weights[tap]!;
        const at = from + 3 * sources[tap]!;
        red += weight * data[at]!;
        green += weight * data[at + 1]!;
        blue += weight * data[at + 2]!;
      }
      into[3 * place] = red;
      into[3 * place + 1] = green;
      into[3 * place + 2] = blue;
    }
    return;
  }
  into.fill(0);
  for (let place = 0; place < places; place += 1)
    for (let tap = place * count; tap < (place + 1) * count; tap += 1)
      for (let channel = 0; channel < channels; channel += 1)
        into[place * channels + channel]! += weights[tap]! * data[from + sources[tap]! * channels + channel]!;
}
