import { oklabDistance, oklabOf } from '../pixels/oklab.ts';
import type { VisibleParts } from './visible_parts.ts';
import { colorAt, type Fill, positionAlong } from './write_svg.ts';

/** Difference between the rendered drawing and the image, both on white. */
export interface RasterError {
  /** Peak signal-to-noise ratio over the three sRGB channels. At most 99. */
  readonly psnrDb: number;
  /** Mean ΔE_OK. */
  readonly meanDeltaE: number;
}

const PSNR_MAX = 99;
/** Pixels sampled for the mean colour difference. */
const SAMPLES = 20_000;
/** Maximum number of gradient stops (halved repeatedly, down to two), and the squared error that each stop beyond two must save. */
const STOPS_MAX = 9;
const STOP_COST = 500;
/** Minimum distance between stops in pixels: closer stops follow single pixels and appear as stripes when enlarged. */
const STOP_APART_MIN = 2;

/** Both in traced pixels, for this many traced pixels per image pixel. */
interface StopRules {
  readonly cost: number;
  readonly apartMin: number;
}

const stopRulesOf = (times: number): StopRules => ({
  cost: STOP_COST * Math.max(1, times ** 2 / 2),
  apartMin: Math.max(STOP_APART_MIN, times),
});

/**
 * Corrects fills from their visible pixels, so that the rendered drawing has the least squared error: each fill absorbs the mean residual
 * of its visible pixels, a gradient at each of its stops. A gradient gets more stops if they pay off. `target` has three 8-bit channels per
 * pixel.
 */
export function correctFills(
  fills: readonly Fill[],
  parts: VisibleParts,
  target: Float32Array,
  { width, times }: { width: number; times: number },
): Fill[] {
  const rules = stopRulesOf(times);
  const places = placesOf(fills, parts, width);
  const given = fills.map(stopsOf);
  const stops = correctStops(inspectLayer(given, parts, places, target), given);
  // Extra stops come later: a uniform residual gives no information about them.
  const seen = inspectLayer(stops, parts, places, target);
  const spread = stops.map((own, layer) =>
    own.length > 3 && !places.shaded.has(layer)
      ? spreadStops(own, bestCount(seen, layer, fills[layer]!, rules))
      : own,
  );
  return recolorFills(fills, correctStops(seen, spread));
}

/** Corrects fills once more with their current stops, after dots have covered parts of them. */
export function correctLayerFills(
  fills: readonly Fill[],
  parts: VisibleParts,
  target: Float32Array,
  width: number,
): Fill[] {
  const stops = fills.map(stopsOf);
  return recolorFills(
    fills,
    correctStops(inspectLayer(stops, parts, placesOf(fills, parts, width), target), stops),
  );
}

const correctStops = (seen: VisibleLayers, stops: readonly Stops[]): Stops[] =>
  stops.map((own, layer) => {
    // Glows were fitted to their base.
    if (seen.places.shaded.has(layer)) return own;
    const change = changeOf(seen, layer, own.length / 3);
    return own.map((value, at) => Math.min(255, Math.max(0, value + change[at]!)));
  });

/** Colours of a fill along its gradient, three channels each; a plain fill has one. */
type Stops = Float64Array;

const stopsOf = (fill: Fill): Stops => Float64Array.from('color' in fill ? fill.color : fill.stops.flat());

const recolorFills = (fills: readonly Fill[], stops: readonly Stops[]): Fill[] =>
  fills.map((fill, layer) => {
    if (fill.glows) return fill;
    const own = stops[layer]!;
    const colors = Array.from({ length: own.length / 3 }, (_, stop) => [
      ...own.subarray(3 * stop, 3 * stop + 3),
    ]);
    return 'color' in fill ? { color: colors[0]! } : { ...fill, stops: colors };
  });

/** Samples a gradient of two stops at `count` positions. */
function spreadStops(stops: Stops, count: number): Stops {
  if (3 * count === stops.length) return stops;
  return Float64Array.from({ length: 3 * count }, (_, at) => {
    const share = Math.floor(at / 3) / (count - 1);
    return stops[at % 3]! + share * (stops[3 + (at % 3)]! - stops[at % 3]!);
  });
}

/** What fills depend on in their visible pixels. */
interface Places {
  /** Position along the gradient of its layer, 0 to 1. */
  readonly along: Float32Array;
  /** Colours of layers with glows, three channels a visible pixel. */
  readonly shaded: ReadonlyMap<number, Float32Array>;
}

function placesOf(fills: readonly Fill[], { starts, pixels }: VisibleParts, width: number): Places {
  const along = new Float32Array(pixels.length);
  const shaded = new Map<number, Float32Array>();
  for (const [layer, fill] of fills.entries()) {
    if (fill.glows)
      shaded.set(layer, shadeOf(fill, pixels.subarray(starts[layer]!, starts[layer + 1]!), width));
    else if (!('color' in fill))
      for (let index = starts[layer]!; index < starts[layer + 1]!; index++) {
        const x = pixels[index]! % width;
        along[index] = positionAlong(fill, x, (pixels[index]! - x) / width);
      }
  }
  return { along, shaded };
}

/** Colours of a fill in pixels, three channels each. */
function shadeOf(fill: Fill, pixels: Int32Array, width: number): Float32Array {
  const colors = new Float32Array(3 * pixels.length);
  for (const [index, pixel] of pixels.entries()) {
    const x = pixel % width;
    colors.set(colorAt(fill, x, (pixel - x) / width), 3 * index);
  }
  return colors;
}

/** The drawing's pixels on white. */
function renderLayers(
  stops: readonly Stops[],
  parts: VisibleParts,
  { along, shaded }: Places,
  length: number,
): Float32Array {
  const drawn = new Float32Array(length).fill(255);
  const { starts, pixels, shares } = parts;
  for (const [layer, own] of stops.entries()) {
    const colors = shaded.get(layer);
    if (colors) {
      for (let index = starts[layer]!, from = 0; index < starts[layer + 1]!; index++, from += 3)
        for (let channel = 0; channel < 3; channel++)
          drawn[3 * pixels[index]! + channel]! += shares[index]! * (colors[from + channel]! - 255);
      continue;
    }
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
      const place = along[index]! * last;
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

interface VisibleLayers {
  readonly parts: VisibleParts;
  readonly places: Places;
  readonly target: Float32Array;
  readonly drawn: Float32Array;
}

const inspectLayer = (
  stops: readonly Stops[],
  parts: VisibleParts,
  places: Places,
  target: Float32Array,
): VisibleLayers => ({ parts, places, target, drawn: renderLayers(stops, parts, places, target.length) });

/** The most stops that a gradient has room for. */
const stopsWithin = (fill: Fill, apartMin: number): number =>
  'color' in fill ? 1 : 1 + Math.hypot(fill.to[0] - fill.from[0], fill.to[1] - fill.from[1]) / apartMin;

/** The number of stops that saves the most error net of their cost. */
function bestCount(seen: VisibleLayers, layer: number, fill: Fill, { cost, apartMin }: StopRules): number {
  const countMax = stopsWithin(fill, apartMin);
  let best = 2;
  let most = -Infinity;
  // The sums for every second stop derive from those for every stop: one pass over the pixels covers all counts.
  for (let missed = gradientResidual(seen, layer, STOPS_MAX); ; missed = mergeAlternateStops(missed)) {
    const count = missed.diagonal.length;
    const gain = gainOf(missed) - cost * (count - 2);
    if (gain >= most && count <= Math.max(2, countMax)) [best, most] = [count, gain];
    if (count === 2) return best;
  }
}

/** Regularisation for stops without visible pixels. */
const RIDGE = 1e-3;

/** Correction of a layer's stops by least squares on its residual. */
const changeOf = (seen: VisibleLayers, layer: number, count: number): Float64Array =>
  count === 1 ? meanResidual(seen, layer) : solve(gradientResidual(seen, layer, count));

/** Squared error saved by the best correction. */
const gainOf = (missed: GradientResidual): number =>
  solve(missed).reduce((sum, value, at) => sum + value * missed.lacks[at]!, 0);

/** Normal equations of the stops of a layer: a tridiagonal matrix, and the residual at each stop. */
interface GradientResidual {
  readonly diagonal: Float64Array;
  readonly beside: Float64Array;
  /** Three channels per stop. */
  readonly lacks: Float64Array;
}

function gradientResidual(
  { parts, places, target, drawn }: VisibleLayers,
  layer: number,
  count: number,
): GradientResidual {
  const diagonal = new Float64Array(count);
  const beside = new Float64Array(count);
  const lacks = new Float64Array(3 * count);
  for (let index = parts.starts[layer]!; index < parts.starts[layer + 1]!; index++) {
    const share = parts.shares[index]!;
    const at = 3 * parts.pixels[index]!;
    const place = places.along[index]! * (count - 1);
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

/** The same for every second stop: the share of a dropped stop is split between its neighbours. */
function mergeAlternateStops({ diagonal, beside, lacks }: GradientResidual): GradientResidual {
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
    // A removed stop next to a kept one: half of it is added to the previous stop, half to the next kept stop.
    if (fine + 1 < diagonal.length) {
      half.diagonal[isBetween ? stop + 1 : stop]! += beside[fine]!;
      half.beside[stop]! += beside[fine]! / 2;
    }
  }
  return half;
}

/** Solves a tridiagonal system by elimination. */
function solve({ diagonal: given, beside, lacks }: GradientResidual): Float64Array {
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

/** Mean residual of the pixels shown by a layer of one colour. */
function meanResidual({ parts, target, drawn }: VisibleLayers, layer: number): Float64Array {
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

/** The drawing with these fills, rendered on white: three channels per pixel. */
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

/** Difference between a drawing, as rendered by `renderFills`, and the image. */
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
