import { boxMean } from '../pixels/box_mean.ts';
import { dilateMask } from '../pixels/dilate_mask.ts';
import { type Plane, planeOf } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { type FlatBackground, opacityFromDistance } from './flat_background.ts';
import { downsamplePlane, downsampleRaster, upsamplePlane } from './resample.ts';
import type { Segmented } from './segment.ts';

const BACKGROUND = 0;
const FOREGROUND = 1;
const UNKNOWN = 2;

/** Trimap: BACKGROUND, FOREGROUND, or UNKNOWN where alpha has to be estimated. */
interface Trimap {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

interface TrimapRules {
  /** Probabilities up to this are background; from one minus this, foreground. */
  readonly certainty: number;
  /** Width of the unknown band, in pixels. */
  readonly reach: number;
}

/** Marks uncertain pixels and a band along every boundary as unknown. */
function trimapOf(mask: Plane, { certainty, reach }: TrimapRules): Trimap {
  const notForeground = dilateMask(
    { ...mask, data: mask.data.map((value) => (value < 1 - certainty ? 1 : 0)) },
    reach,
  );
  const notBackground = dilateMask(
    { ...mask, data: mask.data.map((value) => (value > certainty ? 1 : 0)) },
    reach,
  );
  const data = new Uint8Array(mask.data.length);
  for (let pixel = 0; pixel < data.length; pixel++) {
    if (notForeground.data[pixel] === 0) data[pixel] = FOREGROUND;
    else data[pixel] = notBackground.data[pixel] === 0 ? BACKGROUND : UNKNOWN;
  }
  return { width: mask.width, height: mask.height, data };
}

interface Matting {
  readonly picture: Raster;
  readonly trimap: Trimap;
  /** The segmenter's mask; a weak constraint in the unknown region. */
  readonly mask: Plane;
}

/** Regularisation of the colour line model: colour noise within a window (ε in Levin's paper). */
const EPSILON = 1e-6;
/** Weight of the mask relative to the eight neighbours of a pixel. */
const MASK_WEIGHT = 0.01;
const COARSEST_SIDE_PX = 160;
const COARSE_ROUNDS = 120;
const FINE_ROUNDS = 30;
const ENERGY_REDUCTION = 1e-4;

/**
 * Closed-form matting of the unknown region: in each 3 × 3 window alpha is a linear function of colour. Source: Levin, Lischinski and
 * Weiss, "A closed-form solution to natural image matting", 2008; solved by conjugate gradients, coarse to fine, without an explicit matrix
 * (He, Sun and Tang, 2010).
 */
function closedForm(matting: Matting): Plane {
  const { picture, trimap, mask } = matting;
  const isCoarsest = Math.max(picture.width, picture.height) <= COARSEST_SIDE_PX;
  const guess = isCoarsest ? mask : upsamplePlane(closedForm(downsampleMatting(matting)), picture);
  const alpha = planeOf(picture);
  for (let pixel = 0; pixel < alpha.data.length; pixel++)
    alpha.data[pixel] = trimap.data[pixel] === UNKNOWN ? guess.data[pixel]! : trimap.data[pixel]!;
  solve(matting, alpha, isCoarsest ? COARSE_ROUNDS : FINE_ROUNDS);
  for (let pixel = 0; pixel < alpha.data.length; pixel++)
    alpha.data[pixel] = Math.min(1, Math.max(0, alpha.data[pixel]!));
  return alpha;
}

/** Rounds the size up and averages by area, so that no edge of the trimap is lost. */
function downsampleMatting({ picture, trimap, mask }: Matting): Matting {
  const size = { width: (picture.width + 1) >> 1, height: (picture.height + 1) >> 1 };
  const share = (target: number) =>
    downsamplePlane(
      { ...trimap, data: Float32Array.from(trimap.data, (value) => (value === target ? 1 : 0)) },
      size,
    ).data;
  const [foreground, background] = [share(FOREGROUND), share(BACKGROUND)];
  const data = Uint8Array.from(foreground, (value, pixel) => {
    if (value > 0.99) return FOREGROUND;
    return background[pixel]! > 0.99 ? BACKGROUND : UNKNOWN;
  });
  return {
    picture: downsampleRaster(picture, size),
    trimap: { ...size, data },
    mask: downsamplePlane(mask, size),
  };
}

/** Ten values per window: its first pixel, the mean colour, and the inverse covariance. */
const FIELDS = 10;

interface System {
  readonly width: number;
  readonly windows: Float64Array;
  readonly colors: Float32Array;
  readonly unknown: Int32Array;
  /** Contribution of the mask to the diagonal, per pixel of `unknown`. */
  readonly pull: Float32Array;
  readonly diagonal: Float32Array;
}

function solve({ picture, trimap, mask }: Matting, alpha: Plane, rounds: number): void {
  const system = systemOf(picture, trimap, mask);
  const { unknown, pull, diagonal } = system;
  if (unknown.length === 0) return;
  const residual = new Float32Array(unknown.length);
  const product = new Float32Array(alpha.data.length);
  multiply(system, alpha.data, product);
  for (let at = 0; at < unknown.length; at++) {
    const pixel = unknown[at]!;
    residual[at] = pull[at]! * (mask.data[pixel]! - alpha.data[pixel]!) - product[pixel]!;
  }
  const direction = new Float32Array(alpha.data.length);
  let energy = 0;
  for (let at = 0; at < unknown.length; at++) {
    direction[unknown[at]!] = residual[at]! / diagonal[at]!;
    energy += (residual[at]! * residual[at]!) / diagonal[at]!;
  }
  const enough = energy * ENERGY_REDUCTION ** 2;
  for (let round = 0; round < rounds && energy > enough; round++) {
    multiply(system, direction, product);
    let slope = 0;
    for (let at = 0; at < unknown.length; at++) {
      const pixel = unknown[at]!;
      product[pixel]! += pull[at]! * direction[pixel]!;
      slope += product[pixel]! * direction[pixel]!;
    }
    const step = energy / slope;
    let next = 0;
    for (let at = 0; at < unknown.length; at++) {
      const pixel = unknown[at]!;
      alpha.data[pixel]! += step * direction[pixel]!;
      residual[at]! -= step * product[pixel]!;
      next += (residual[at]! * residual[at]!) / diagonal[at]!;
    }
    const turn = next / energy;
    energy = next;
    for (let at = 0; at < unknown.length; at++) {
      const pixel = unknown[at]!;
      direction[pixel] = residual[at]! / diagonal[at]! + turn * direction[pixel]!;
    }
  }
}

function systemOf({ width, height, channels, data }: Raster, trimap: Trimap, mask: Plane): System {
  const colors = new Float32Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    for (let side = 0; side < 3; side++) colors[pixel * 3 + side] = data[pixel * channels + side]! / 255;
  const unknown = Int32Array.from([...trimap.data.keys()].filter((pixel) => trimap.data[pixel] === UNKNOWN));
  const starts = windowsTouching(trimap);
  const windows = new Float64Array(starts.length * FIELDS);
  const share = new Float32Array(width * height);
  for (let at = 0; at < starts.length; at++)
    describeWindow({ colors, width, share }, windows, at * FIELDS, starts[at]!);
  const pull = Float32Array.from(unknown, (pixel) => MASK_WEIGHT * Math.abs(2 * mask.data[pixel]! - 1));
  const diagonal = Float32Array.from(unknown, (pixel, at) => Math.max(1e-6, share[pixel]! + pull[at]!));
  return { width, windows, colors, unknown, pull, diagonal };
}

/** Top left pixels of the windows that contain an unknown pixel. */
function windowsTouching({ width, height, data }: Trimap): number[] {
  const starts: number[] = [];
  for (let y = 0; y + 2 < height; y++) {
    for (let x = 0; x + 2 < width; x++) {
      const at = y * width + x;
      for (let cell = 0; cell < 9; cell++) {
        if (data[at + (cell % 3) + Math.floor(cell / 3) * width] !== UNKNOWN) continue;
        starts.push(at);
        break;
      }
    }
  }
  return starts;
}

function describeWindow(
  { colors, width, share }: { colors: Float32Array; width: number; share: Float32Array },
  windows: Float64Array,
  at: number,
  start: number,
): void {
  const mean = [0, 0, 0];
  const products = [0, 0, 0, 0, 0, 0];
  for (let cell = 0; cell < 9; cell++) {
    const color = 3 * (start + (cell % 3) + Math.floor(cell / 3) * width);
    const [r, g, b] = [colors[color]!, colors[color + 1]!, colors[color + 2]!];
    mean[0]! += r / 9;
    mean[1]! += g / 9;
    mean[2]! += b / 9;
    products[0]! += (r * r) / 9;
    products[1]! += (r * g) / 9;
    products[2]! += (r * b) / 9;
    products[3]! += (g * g) / 9;
    products[4]! += (g * b) / 9;
    products[5]! += (b * b) / 9;
  }
  const [x, y, z] = mean as [number, number, number];
  const xx = products[0]! - x * x + EPSILON / 9;
  const xy = products[1]! - x * y;
  const xz = products[2]! - x * z;
  const yy = products[3]! - y * y + EPSILON / 9;
  const yz = products[4]! - y * z;
  const zz = products[5]! - z * z + EPSILON / 9;
  const [a, b, c] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
  const over = 1 / (xx * a + xy * b + xz * c);
  const inverse = [a, b, c, xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy].map(
    (value) => value * over,
  );
  windows.set([start, x, y, z, ...inverse], at);
  for (let cell = 0; cell < 9; cell++) {
    const pixel = start + (cell % 3) + Math.floor(cell / 3) * width;
    const [u, v, w] = [colors[pixel * 3]! - x, colors[pixel * 3 + 1]! - y, colors[pixel * 3 + 2]! - z];
    const [i0, i1, i2, i3, i4, i5] = inverse as [number, number, number, number, number, number];
    const spread = u * (i0 * u + 2 * (i1 * v + i2 * w)) + v * (i3 * v + 2 * i4 * w) + i5 * w * w;
    share[pixel]! += 1 - (1 + spread) / 9;
  }
}

/** Multiplies the matting Laplacian by a vector: in each window, the residual of the best colour line. */
function multiply({ width, windows, colors }: System, vector: Float32Array, product: Float32Array): void {
  product.fill(0);
  for (let at = 0; at < windows.length; at += FIELDS) {
    const start = windows[at]!;
    const [x, y, z] = [windows[at + 1]!, windows[at + 2]!, windows[at + 3]!];
    let [sum, su, sv, sw] = [0, 0, 0, 0];
    for (let row = 0, first = start; row < 3; row++, first += width) {
      for (let pixel = first; pixel < first + 3; pixel++) {
        const value = vector[pixel]!;
        sum += value;
        su += value * (colors[pixel * 3]! - x);
        sv += value * (colors[pixel * 3 + 1]! - y);
        sw += value * (colors[pixel * 3 + 2]! - z);
      }
    }
    const mean = sum / 9;
    const a = (windows[at + 4]! * su + windows[at + 5]! * sv + windows[at + 6]! * sw) / 9;
    const b = (windows[at + 5]! * su + windows[at + 7]! * sv + windows[at + 8]! * sw) / 9;
    const c = (windows[at + 6]! * su + windows[at + 8]! * sv + windows[at + 9]! * sw) / 9;
    for (let row = 0, first = start; row < 3; row++, first += width) {
      for (let pixel = first; pixel < first + 3; pixel++) {
        const line =
          mean +
          a * (colors[pixel * 3]! - x) +
          b * (colors[pixel * 3 + 1]! - y) +
          c * (colors[pixel * 3 + 2]! - z);
        product[pixel]! += vector[pixel]! - line;
      }
    }
  }
}

/** Width of the unknown band around pixels the segmenter left open, as a fraction of the longest side: about the length of hair. */
const HAIR_PART = 0.014;
const FLAT_REACH_PART = 0.006;
const FLAT_REACH_PX_MIN = 3;

/** Alpha from which a pixel of a decisive model is kept. */
const KEPT_FROM = 0.8;

/** Computes alpha at the size of the image from a segmenter's mask of any size. */
export function refineMask(picture: Raster, segmented: Segmented): Plane {
  const { mask: coarse, certainty, edgePart, edges } = segmented;
  const longest = Math.max(picture.width, picture.height);
  const mask = upsamplePlane(coarse, picture);
  const edge = Math.max(2, Math.round(edgePart * longest));
  const slope = Math.ceil(longest / Math.max(coarse.width, coarse.height));
  const open = softRegions(mask, certainty, { slope, reach: Math.round(HAIR_PART * longest) });
  if (edges === 'hair_only' && !open.data.includes(1)) return mask;
  const trimap = trimapOf(mask, edges === 'anew' ? { certainty, reach: edge } : { certainty: 0.5, reach: 0 });
  const data = trimap.data.map((value, pixel) => (open.data[pixel] === 1 ? UNKNOWN : value));
  const alpha = closedForm({ picture, trimap: { ...trimap, data }, mask: boxMean(mask, edge >> 1) });
  if (edges === 'anew') return alpha;
  // The mask of a decisive model prevails: by colour, a dark nose on a dark background would be background.
  const keep = (value: number, pixel: number): number => {
    if (open.data[pixel] !== 1) return value;
    return value > KEPT_FROM ? Math.max(value, alpha.data[pixel]!) : alpha.data[pixel]!;
  };
  return { ...mask, data: mask.data.map(keep) };
}

/** 1 around regions that are uncertain over more than the width of an edge, such as hair. */
function softRegions(
  mask: Plane,
  certainty: number,
  { slope, reach }: { slope: number; reach: number },
): Plane {
  const decided = mask.data.map((value) => (value < certainty || value > 1 - certainty ? 1 : 0));
  const thick = dilateMask({ ...mask, data: decided }, slope).data.map((value) => 1 - value);
  return dilateMask({ ...mask, data: thick }, slope + reach);
}

/** Alpha on a flat background: the background is known, so only the pixels next to it are unknown. */
export function refineFlat(picture: Raster, flat: FlatBackground): Plane {
  const reach = Math.max(
    FLAT_REACH_PX_MIN,
    Math.round(FLAT_REACH_PART * Math.max(picture.width, picture.height)),
  );
  const mask = opacityFromDistance(flat, reach);
  return closedForm({ picture, trimap: flatTrimap(flat, reach), mask });
}

function flatTrimap({ region }: FlatBackground, reach: number): Trimap {
  const { width, height, data } = trimapOf(
    { ...region, data: region.data.map((value) => 1 - value) },
    { certainty: 0.5, reach },
  );
  const repaired = data.map((value, pixel) => {
    if (region.data[pixel] === 1) return BACKGROUND;
    return value === FOREGROUND ? FOREGROUND : UNKNOWN;
  });
  return { width, height, data: repaired };
}
