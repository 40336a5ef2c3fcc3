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

const PSNR_MAX = 99;
/** Pixels looked at for the mean colour difference. */
const SAMPLES = 20_000;
/** Stops that a gradient may have (or about half as many, and half of those, down to two), and squared error that each beyond two must take off. */
const STOPS_MAX = 9;
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
  const given = fills.map(stopsOf);
  const stops = correctStops(lookAt(given, parts, places, target), given);
  // More stops not at once: what is missing everywhere says nothing about them.
  const seen = lookAt(stops, parts, places, target);
  const spread = stops.map((own, layer) => (own.length > 3 ? spreadStops(own, bestCount(seen, layer)) : own));
  return recolorFills(fills, correctStops(seen, spread));
}

/** Corrects fills once more, with the stops they have: where dots lie over them, less is left to show. */
export function touchUpFills(
  fills: readonly Fill[],
  parts: VisibleParts,
  target: Float32Array,
  width: number,
): Fill[] {
  const stops = fills.map(stopsOf);
  return recolorFills(
    fills,
    correctStops(lookAt(stops, parts, placesOf(fills, parts, width), target), stops),
  );
}

const correctStops = (seen: Seen, stops: readonly Stops[]): Stops[] =>
  stops.map((own, layer) => {
    const change = changeOf(seen, layer, own.length / 3);
    return own.map((value, at) => Math.min(255, Math.max(0, value + change[at]!)));
  });

/** The colours of a fill along its gradient, three channels each; a plain one has one. */
type Stops = Float64Array;

const stopsOf = (fill: Fill): Stops => Float64Array.from('color' in fill ? fill.color : fill.stops.flat());

const recolorFills = (fills: readonly Fill[], stops: readonly Stops[]): Fill[] =>
  fills.map((fill, layer) => {
    const own = stops[layer]!;
    const colors = Array.from({ length: own.length / 3 }, (_, stop) => [
      ...own.subarray(3 * stop, 3 * stop + 3),
    ]);
    return 'color' in fill ? { color: colors[0]! } : { ...fill, stops: colors };
  });

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

const lookAt = (
  stops: readonly Stops[],
  parts: VisibleParts,
  places: Float32Array,
  target: Float32Array,
): Seen => ({ parts, places, target, drawn: renderLayers(stops, parts, places, target.length) });

/** The count of stops that takes off the most error, its cost counted. */
function bestCount(seen: Seen, layer: number): number {
  let best = 2;
  let most = -Infinity;
  // Stops at every second place are sums of those at every place: one look at the pixels tells of all counts.
  for (let missed = sumMiss(seen, layer, STOPS_MAX); ; missed = everySecond(missed)) {
    const count = missed.diagonal.length;
    const gain = gainOf(missed) - STOP_COST * (count - 2);
    if (gain >= most) [best, most] = [count, gain];
    if (count === 2) return best;
  }
}

/** What stands in for pixels between two stops that a layer does not show. */
const RIDGE = 1e-3;

/** How the stops of a layer have to change to make up for what is missing from the pixels it shows, by least squares. */
const changeOf = (seen: Seen, layer: number, count: number): Float64Array =>
  count === 1 ? meanMiss(seen, layer) : solve(sumMiss(seen, layer, count));

/** The squared error that the best change of stops takes off. */
const gainOf = (missed: Missed): number =>
  solve(missed).reduce((sum, value, at) => sum + value * missed.lacks[at]!, 0);

/** The normal equations of stops along a layer: a matrix of three diagonals, and what is missing at each stop. */
interface Missed {
  readonly diagonal: Float64Array;
  readonly beside: Float64Array;
  /** Three channels a stop. */
  readonly lacks: Float64Array;
}

function sumMiss({ parts, places, target, drawn }: Seen, layer: number, count: number): Missed {
  const diagonal = new Float64Array(count);
  const beside = new Float64Array(count);
  const lacks = new Float64Array(3 * count);
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
      lacks[3 * from + channel]! += (1 - on) * lack;
      lacks[3 * from + 3 + channel]! += on * lack;
    }
  }
  return { diagonal, beside, lacks };
}

/** The same for every second stop: what lies at one left out belongs half to each beside it. */
function everySecond({ diagonal, beside, lacks }: Missed): Missed {
  const count = (diagonal.length + 1) / 2;
  const half = {
    diagonal: new Float64Array(count),
    beside: new Float64Array(count),
    lacks: new Float64Array(3 * count),
  };
  for (let fine = 0; fine < diagonal.length; fine++) {
    const [stop, isBetween] = [fine >> 1, fine % 2 === 1];
    for (const own of isBetween ? [stop, stop + 1] : [stop]) {
      half.diagonal[own]! += diagonal[fine]! / (isBetween ? 4 : 1);
      for (let channel = 0; channel < 3; channel++)
        half.lacks[3 * own + channel]! += lacks[3 * fine + channel]! / (isBetween ? 2 : 1);
    }
    if (isBetween) half.beside[stop]! += diagonal[fine]! / 4;
    // A stop that stays and one beside it that does not are neighbours: half as much twice, and half to the next that stays.
    if (fine + 1 < diagonal.length) {
      half.diagonal[isBetween ? stop + 1 : stop]! += beside[fine]!;
      half.beside[stop]! += beside[fine]! / 2;
    }
  }
  return half;
}

/** Elimination in a matrix of three diagonals. */
function solve({ diagonal: given, beside, lacks }: Missed): Float64Array {
  const count = given.length;
  const diagonal = given.map((value) => value + RIDGE);
  const change = lacks.slice();
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
  return change;
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

/** The drawing with these fills, as it will be written, on white: three channels a pixel. */
export const renderFills = (
  fills: readonly Fill[],
  parts: VisibleParts,
  length: number,
  width: number,
): Float32Array =>
  renderLayers(
    fills.map((fill) => stopsOf(fill).map(Math.round)),
    parts,
    placesOf(fills, parts, width),
    length,
  );

/** What a drawing, as `renderFills` shows it, differs from the picture. */
export function rasterError(drawn: Float32Array, target: Float32Array): RasterError {
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
