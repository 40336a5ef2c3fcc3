import { oklabDistance, oklabOf } from '../pixels/oklab.ts';
import type { VisibleParts } from './visible_parts.ts';
import { type Fill, placeAlong } from './write_svg.ts';

/** How far a drawing, rendered, is from the picture; both on white. */
export interface RasterError {
  /** Peak signal-to-noise ratio over the three sRGB channels. At most 99. */
  readonly psnrDb: number;
  /** Mean ΔE_OK. */
  readonly meanDeltaE: number;
}

const ROUNDS = 3;
const PSNR_MAX = 99;
/** Pixels looked at for the mean colour difference. */
const SAMPLES = 20_000;
/** Stops that a gradient may have, and squared error that each beyond two must take off. */
const STOPS = [3, 5, 9];
const STOP_COST = 500;

/**
 * Corrects fills by what is seen of them, so that the rendered drawing has the least squared error: each takes over what is
 * missing from the pixels it shows in, on the average or, in a gradient, at each of its stops. A gradient gets more stops
 * where that pays. `target` has three 8-bit channels a pixel.
 */
export function correctFills(
  fills: readonly Fill[],
  parts: VisibleParts,
  target: Float32Array,
  width: number,
): Fill[] {
  const places = placesOf(fills, parts, width);
  let stops = fills.map(stopsOf);
  for (let round = 0; round < ROUNDS; round++) {
    const drawn = renderLayers(stops, parts, places, target.length);
    const seen: Seen = { parts, places, target, drawn };
    // Not at once: what is missing everywhere says nothing about stops.
    if (round === 1)
      stops = stops.map((own, layer) => (own.length > 3 ? spreadStops(own, bestCount(seen, layer)) : own));
    stops = stops.map((own, layer) => {
      const { change } = measureMiss(seen, layer, own.length / 3);
      return own.map((value, at) => Math.min(255, Math.max(0, value + change[at]!)));
    });
  }
  return fills.map((fill, layer) => recolorFill(fill, stops[layer]!));
}

/** The colours of a fill along its gradient, three channels each; a plain one has one. */
type Stops = Float64Array;

const stopsOf = (fill: Fill): Stops => Float64Array.from('color' in fill ? fill.color : fill.stops.flat());

function recolorFill(fill: Fill, stops: Stops): Fill {
  const colors = Array.from({ length: stops.length / 3 }, (_, stop) => [
    ...stops.subarray(3 * stop, 3 * stop + 3),
  ]);
  return 'color' in fill ? { color: colors[0]! } : { ...fill, stops: colors };
}

/** Colours of a gradient of two stops, told at `count` places. */
function spreadStops(stops: Stops, count: number): Stops {
  if (3 * count === stops.length) return stops;
  return Float64Array.from({ length: 3 * count }, (_, at) => {
    const share = Math.floor(at / 3) / (count - 1);
    return stops[at % 3]! + share * (stops[3 + (at % 3)]! - stops[at % 3]!);
  });
}

/** Where along the gradient of its layer, 0 to 1, each visible pixel lies. */
function placesOf(fills: readonly Fill[], { starts, pixels }: VisibleParts, width: number): Float32Array {
  const places = new Float32Array(pixels.length);
  for (const [layer, fill] of fills.entries()) {
    if ('color' in fill) continue;
    for (let index = starts[layer]!; index < starts[layer + 1]!; index++) {
      const x = pixels[index]! % width;
      places[index] = placeAlong(fill, x, (pixels[index]! - x) / width);
    }
  }
  return places;
}

/** The drawing's pixels on white. */
function renderLayers(
  stops: readonly Stops[],
  parts: VisibleParts,
  places: Float32Array,
  length: number,
): Float32Array {
  const drawn = new Float32Array(length).fill(255);
  const { starts, pixels, shares } = parts;
  for (const [layer, own] of stops.entries()) {
    const last = own.length / 3 - 1;
    if (last === 0) {
      const [red, green, blue] = [own[0]! - 255, own[1]! - 255, own[2]! - 255];
      for (let index = starts[layer]!; index < starts[layer + 1]!; index++) {
        const at = 3 * pixels[index]!;
        drawn[at]! += shares[index]! * red;
        drawn[at + 1]! += shares[index]! * green;
        drawn[at + 2]! += shares[index]! * blue;
      }
      continue;
    }
    for (let index = starts[layer]!; index < starts[layer + 1]!; index++) {
      const at = 3 * pixels[index]!;
      const share = shares[index]!;
      const place = places[index]! * last;
      const from = Math.min(Math.floor(place), last - 1);
      const on = place - from;
      for (let channel = 0; channel < 3; channel++) {
        const value = own[3 * from + channel]!;
        const color = value + on * (own[3 * from + 3 + channel]! - value);
        drawn[at + channel]! += share * (color - 255);
      }
    }
  }
  return drawn;
}

interface Seen {
  readonly parts: VisibleParts;
  readonly places: Float32Array;
  readonly target: Float32Array;
  readonly drawn: Float32Array;
}

/** The count of stops that takes off the most error, its cost counted. */
function bestCount(seen: Seen, layer: number): number {
  let best = 2;
  let most = measureMiss(seen, layer, 2).gain;
  for (const count of STOPS) {
    const gain = measureMiss(seen, layer, count).gain - STOP_COST * (count - 2);
    if (gain <= most) continue;
    most = gain;
    best = count;
  }
  return best;
}

/** What stands in for pixels between two stops that a layer does not show. */
const RIDGE = 1e-3;

/**
 * How so many stops along a layer have to change to make up for what is missing from the pixels it shows, by least squares,
 * and the squared error that takes off.
 */
function measureMiss(seen: Seen, layer: number, count: number) {
  if (count === 1) return { change: meanMiss(seen, layer), gain: 0 };
  const { parts, places, target, drawn } = seen;
  const diagonal = new Float64Array(count);
  const beside = new Float64Array(count);
  const change = new Float64Array(3 * count);
  for (let index = parts.starts[layer]!; index < parts.starts[layer + 1]!; index++) {
    const share = parts.shares[index]!;
    const at = 3 * parts.pixels[index]!;
    const place = places[index]! * (count - 1);
    const from = Math.min(Math.floor(place), count - 2);
    const on = place - from;
    diagonal[from]! += share * (1 - on) * (1 - on);
    diagonal[from + 1]! += share * on * on;
    beside[from]! += share * on * (1 - on);
    for (let channel = 0; channel < 3; channel++) {
      const lack = share * (target[at + channel]! - drawn[at + channel]!);
      change[3 * from + channel]! += (1 - on) * lack;
      change[3 * from + 3 + channel]! += on * lack;
    }
  }
  const lacks = change.slice();
  // Elimination in a matrix of three diagonals.
  for (let stop = 0; stop < count; stop++) diagonal[stop]! += RIDGE;
  for (let stop = 1; stop < count; stop++) {
    const factor = beside[stop - 1]! / diagonal[stop - 1]!;
    diagonal[stop]! -= factor * beside[stop - 1]!;
    for (let channel = 0; channel < 3; channel++)
      change[3 * stop + channel]! -= factor * change[3 * stop - 3 + channel]!;
  }
  for (let stop = count - 1; stop >= 0; stop--)
    for (let channel = 0; channel < 3; channel++) {
      const next = stop + 1 < count ? beside[stop]! * change[3 * stop + 3 + channel]! : 0;
      change[3 * stop + channel] = (change[3 * stop + channel]! - next) / diagonal[stop]!;
    }
  return { change, gain: change.reduce((sum, value, at) => sum + value * lacks[at]!, 0) };
}

/** What is missing from the pixels that a layer of one colour shows, on the average. */
function meanMiss({ parts, target, drawn }: Seen, layer: number): Float64Array {
  const { starts, pixels, shares } = parts;
  let [weight, red, green, blue] = [RIDGE, 0, 0, 0];
  for (let index = starts[layer]!; index < starts[layer + 1]!; index++) {
    const share = shares[index]!;
    const at = 3 * pixels[index]!;
    weight += share;
    red += share * (target[at]! - drawn[at]!);
    green += share * (target[at + 1]! - drawn[at + 1]!);
    blue += share * (target[at + 2]! - drawn[at + 2]!);
  }
  return Float64Array.of(red / weight, green / weight, blue / weight);
}

/** What a drawing with these fills differs from the picture. */
export function rasterError(
  fills: readonly Fill[],
  parts: VisibleParts,
  target: Float32Array,
  width: number,
): RasterError {
  const drawn = renderLayers(
    fills.map((fill) => stopsOf(fill).map(Math.round)),
    parts,
    placesOf(fills, parts, width),
    target.length,
  );
  let squares = 0;
  for (let at = 0; at < target.length; at++) squares += (target[at]! - drawn[at]!) ** 2;
  const stride = 3 * Math.max(1, Math.floor(target.length / 3 / SAMPLES));
  let difference = 0;
  let samples = 0;
  for (let at = 0; at < target.length; at += stride, samples++)
    difference += oklabDistance(
      oklabOf(target[at]!, target[at + 1]!, target[at + 2]!),
      oklabOf(drawn[at]!, drawn[at + 1]!, drawn[at + 2]!),
    );
  return {
    psnrDb: Math.min(PSNR_MAX, 10 * Math.log10(255 ** 2 / Math.max(squares / target.length, 1e-12))),
    meanDeltaE: difference / samples,
  };
}
