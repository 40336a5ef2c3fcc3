import type { Size } from '../pixels/plane.ts';
import { type DeepRaster, hasAlpha } from '../pixels/raster.ts';
import type { Part } from '../resample/resample.ts';
import { apply, type Matrix } from './geometry.ts';
import { byteOfLight, encodeLight, lightTable } from './light_tables.ts';

/** Side of the squares the result is made in: their sources fit a processor's cache. */
const TILE_PX = 96;
/** Half the width of the kernel at full scale, in pixels of the source. */
const REACH = 2;

interface Warp {
  /** Maps the result to the raster. */
  readonly matrix: Matrix;
  readonly size: Size;
  /** The part of the raster that is shown: beyond it nothing is, and its edges are antialiased. */
  readonly part: Part;
  readonly depth: 8 | 16;
}

/** Cubic convolution with a = −1/2. Robert Keys, 1981. */
function keys(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((2.5 - 0.5 * x) * x - 4) * x + 2 : 0;
}

const KERNEL_STEPS = 1024;
const KERNEL = Float32Array.from({ length: 2 * KERNEL_STEPS + 2 }, (_, step) => keys(step / KERNEL_STEPS));

/**
 * Resamples by any projective map, in linear light with opacity multiplied in. Opacity at the edges of the part is the share of a pixel
 * the part covers, by its distance to them; colours go on beyond the edges, so that none of the outside is mixed in.
 */
export function warp(raster: DeepRaster, { matrix, size, part, depth }: Warp): DeepRaster {
  const { width, height } = size;
  const data = depth === 8 ? new Uint8Array(width * height * 4) : new Uint16Array(width * height * 4);
  const result: DeepRaster = { width, height, channels: 4, data };
  for (let top = 0; top < height; top += TILE_PX)
    for (let left = 0; left < width; left += TILE_PX) {
      const tile = {
        left,
        top,
        width: Math.min(TILE_PX, width - left),
        height: Math.min(TILE_PX, height - top),
      };
      warpTile({ raster, result, matrix, part }, tile);
    }
  return result;
}

interface Work {
  readonly raster: DeepRaster;
  readonly result: DeepRaster;
  readonly matrix: Matrix;
  readonly part: Part;
}

/** A piece of the source in linear light, opacity multiplied in. */
interface Source extends Part {
  readonly light: Float32Array;
}

function warpTile(work: Work, tile: Part): void {
  const { matrix, part } = work;
  const stretch = stretchOf(matrix, tile);
  const bounds = sourceBounds(work, tile, stretch);
  if (!bounds) return;
  const source = { ...bounds, light: decodePart(work.raster, bounds) };
  const edges = {
    left: part.left,
    top: part.top,
    right: part.left + part.width,
    bottom: part.top + part.height,
  };
  const sums = new Float32Array(4);
  const isPlain = matrix[6] === 0 && matrix[7] === 0 && stretch.across < PLAIN && stretch.down < PLAIN;
  for (let y = tile.top; y < tile.top + tile.height; y += 1)
    for (let x = tile.left; x < tile.left + tile.width; x += 1) {
      if (isPlain) {
        x = sampleInside(source, work, { x, y, end: tile.left + tile.width }, edges);
        if (x === tile.left + tile.width) break;
      }
      const [u, v] = apply(matrix, x + 0.5, y + 0.5);
      if (!(u > edges.left - 2 * stretch.across && u < edges.right + 2 * stretch.across)) continue;
      if (!(v > edges.top - 2 * stretch.down && v < edges.bottom + 2 * stretch.down)) continue;
      const cover = coverAt(matrix, x, y, { u, v, edges });
      if (cover <= 0) continue;
      sample(source, { u, v }, stretch, sums);
      store(work.result, y * work.result.width + x, sums, cover);
    }
}

/** A map that hardly reduces: the kernel is that of full scale. */
const PLAIN = 1.02;
/** Fractions of a pixel the weights are kept for: a 16-bit sample of a steep edge is off by less than a level of 255. */
const PHASES = 1024;
/** Four weights of each phase, which add up to 1. */
const PHASE_WEIGHTS = Float32Array.from({ length: 4 * (PHASES + 1) }, (_, at) => {
  const [phase, tap] = [(at >> 2) / PHASES, at & 3];
  return keys(phase + 1 - tap);
});

/**
 * The pixels of a row from `x` on whose 16 neighbours all lie inside: most of a picture, by as few instructions as there are.
 * @returns the first column that is left to the general way
 */
function sampleInside(
  { light, left, top, width }: Source,
  { matrix, result }: Work,
  { x, y, end }: { x: number; y: number; end: number },
  edges: Edges,
): number {
  const [a, b, c, d, e, f] = matrix;
  const { data } = result;
  const isByte = data instanceof Uint8Array;
  let to = 4 * (y * result.width + x);
  for (let column = x; column < end; column += 1, to += 4) {
    const u = a * (column + 0.5) + b * (y + 0.5) + c;
    const v = d * (column + 0.5) + e * (y + 0.5) + f;
    if (!(u > edges.left + 4 && u < edges.right - 4 && v > edges.top + 4 && v < edges.bottom - 4))
      return column;
    const placeX = u - left - 0.5;
    const placeY = v - top - 0.5;
    const firstX = placeX | 0;
    const firstY = placeY | 0;
    const wx = 4 * (((placeX - firstX) * PHASES + 0.5) | 0);
    const wy = 4 * (((placeY - firstY) * PHASES + 0.5) | 0);
    const x0 = PHASE_WEIGHTS[wx]!;
    const x1 = PHASE_WEIGHTS[wx + 1]!;
    const x2 = PHASE_WEIGHTS[wx + 2]!;
    const x3 = PHASE_WEIGHTS[wx + 3]!;
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    let at = 4 * ((firstY - 1) * width + firstX - 1);
    for (let row = 0; row < 4; row += 1, at += 4 * width) {
      const weight = PHASE_WEIGHTS[wy + row]!;
      red += weight * (x0 * light[at]! + x1 * light[at + 4]! + x2 * light[at + 8]! + x3 * light[at + 12]!);
      green +=
        weight * (x0 * light[at + 1]! + x1 * light[at + 5]! + x2 * light[at + 9]! + x3 * light[at + 13]!);
      blue +=
        weight * (x0 * light[at + 2]! + x1 * light[at + 6]! + x2 * light[at + 10]! + x3 * light[at + 14]!);
      alpha +=
        weight * (x0 * light[at + 3]! + x1 * light[at + 7]! + x2 * light[at + 11]! + x3 * light[at + 15]!);
    }
    if (alpha <= 0) continue;
    const factor = alpha > 0.9999 ? 1 : 1 / alpha;
    if (isByte) {
      data[to] = byteOfLight(factor * red);
      data[to + 1] = byteOfLight(factor * green);
      data[to + 2] = byteOfLight(factor * blue);
      data[to + 3] = alpha < 1 ? 255 * alpha + 0.5 : 255;
    } else {
      data[to] = 65_535 * encodeLight(factor * red) + 0.5;
      data[to + 1] = 65_535 * encodeLight(factor * green) + 0.5;
      data[to + 2] = 65_535 * encodeLight(factor * blue) + 0.5;
      data[to + 3] = alpha < 1 ? 65_535 * alpha + 0.5 : 65_535;
    }
  }
  return end;
}

interface Stretch {
  /** Pixels of the source a pixel of the result spans, at least 1. */
  readonly across: number;
  readonly down: number;
}

function stretchOf(matrix: Matrix, tile: Part): Stretch {
  const [x, y] = [tile.left + tile.width / 2, tile.top + tile.height / 2];
  const [u, v] = apply(matrix, x, y);
  const [ux, vx] = apply(matrix, x + 1, y);
  const [uy, vy] = apply(matrix, x, y + 1);
  return {
    across: Math.min(STRETCH_MAX, Math.max(1, Math.hypot(ux - u, uy - u))),
    down: Math.min(STRETCH_MAX, Math.max(1, Math.hypot(vx - v, vy - v))),
  };
}

/** Stronger reductions are made before (`flushGeometry`), or are at the horizon of a perspective. */
const STRETCH_MAX = 8;

/** The part of the source a tile is made of, clipped to what is shown; undefined where it shows nothing. */
function sourceBounds({ matrix, part }: Work, tile: Part, stretch: Stretch): Part | undefined {
  const points = CORNERS.map(([x, y]) =>
    apply(matrix, tile.left + x * tile.width, tile.top + y * tile.height),
  );
  const us = points.map(([u]) => u);
  const vs = points.map(([, v]) => v);
  const [marginX, marginY] = [REACH * stretch.across + 2, REACH * stretch.down + 2];
  const [first, last] = [Math.floor(part.left), Math.ceil(part.left + part.width)];
  const [highest, lowest] = [Math.floor(part.top), Math.ceil(part.top + part.height)];
  const left = Math.max(first, Math.floor(Math.min(...us) - marginX));
  const right = Math.min(last, Math.ceil(Math.max(...us) + marginX));
  const top = Math.max(highest, Math.floor(Math.min(...vs) - marginY));
  const bottom = Math.min(lowest, Math.ceil(Math.max(...vs) + marginY));
  // Its corner may still be within the reach of an edge.
  if (right < first || left > last || bottom < highest || top > lowest) return undefined;
  const [x, y] = [Math.min(left, last - 1), Math.min(top, lowest - 1)];
  return { left: x, top: y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) };
}

const CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;

function decodePart(raster: DeepRaster, { left, top, width, height }: Part): Float32Array {
  const { data, channels } = raster;
  const table = lightTable(raster);
  const largest = data instanceof Uint8Array ? 255 : 65_535;
  const isLayered = hasAlpha(raster);
  const light = new Float32Array(width * height * 4);
  for (let y = 0, to = 0; y < height; y += 1) {
    let at = ((top + y) * raster.width + left) * channels;
    for (let x = 0; x < width; x += 1, to += 4, at += channels) {
      const alpha = isLayered ? data[at + 3]! / largest : 1;
      light[to] = alpha * table[data[at]!]!;
      light[to + 1] = alpha * table[data[at + 1]!]!;
      light[to + 2] = alpha * table[data[at + 2]!]!;
      light[to + 3] = alpha;
    }
  }
  return light;
}

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The share of a pixel of the result that lies within the edges: for each the distance to it, in pixels of the result. */
function coverAt(
  matrix: Matrix,
  x: number,
  y: number,
  { u, v, edges }: { u: number; v: number; edges: Edges },
): number {
  const isInside = u - edges.left > 4 && edges.right - u > 4 && v - edges.top > 4 && edges.bottom - v > 4;
  if (isInside) return 1;
  const [ux, vx] = apply(matrix, x + 1.5, y + 0.5);
  const [uy, vy] = apply(matrix, x + 0.5, y + 1.5);
  const [across, down] = [Math.hypot(ux - u, uy - u) || 1, Math.hypot(vx - v, vy - v) || 1];
  const share = (distance: number): number => Math.min(1, Math.max(0, distance + 0.5));
  const width = Math.min(share((u - edges.left) / across), 1) + share((edges.right - u) / across) - 1;
  const height = share((v - edges.top) / down) + share((edges.bottom - v) / down) - 1;
  return Math.max(0, width) * Math.max(0, height);
}

/** Sums the pixels of the source about a point, those at its edges for what lies beyond. */
function sample(
  { light, left, top, width, height }: Source,
  { u, v }: { u: number; v: number },
  { across, down }: Stretch,
  sums: Float32Array,
): void {
  const centreX = u - left - 0.5;
  const centreY = v - top - 0.5;
  const firstX = Math.ceil(centreX - REACH * across);
  const lastX = Math.floor(centreX + REACH * across);
  const firstY = Math.ceil(centreY - REACH * down);
  const lastY = Math.floor(centreY + REACH * down);
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  let total = 0;
  for (let row = firstY; row <= lastY; row += 1) {
    const weightY = KERNEL[(Math.abs(row - centreY) * (KERNEL_STEPS / down) + 0.5) | 0]!;
    const start = (row < 0 ? 0 : row < height ? row : height - 1) * width;
    for (let column = firstX; column <= lastX; column += 1) {
      const weight = weightY * KERNEL[(Math.abs(column - centreX) * (KERNEL_STEPS / across) + 0.5) | 0]!;
      const at = 4 * (start + (column < 0 ? 0 : column < width ? column : width - 1));
      red += weight * light[at]!;
      green += weight * light[at + 1]!;
      blue += weight * light[at + 2]!;
      alpha += weight * light[at + 3]!;
      total += weight;
    }
  }
  sums[0] = red / total;
  sums[1] = green / total;
  sums[2] = blue / total;
  sums[3] = alpha / total;
}

function store({ data }: DeepRaster, pixel: number, sums: Float32Array, cover: number): void {
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const alpha = Math.min(1, Math.max(0, sums[3]!));
  const opacity = Math.round(alpha * cover * whole);
  if (opacity === 0) return;
  const at = 4 * pixel;
  for (let channel = 0; channel < 3; channel += 1)
    data[at + channel] = Math.round(whole * encodeLight(sums[channel]! / alpha));
  data[at + 3] = opacity;
}
