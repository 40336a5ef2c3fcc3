import type { Rgba } from '../color/css_color.ts';
import type { Size } from '../pixels/plane.ts';
import { type DeepRaster, hasAlpha } from '../pixels/raster.ts';
import type { Part } from '../resample/resample.ts';
import { apply, type Matrix } from './geometry.ts';
import { encodeLight, lightTable } from './light_tables.ts';
import { keys, lightBuffer, ROW_PX_MAX, sampleRow } from './warp_kernel.ts';

/** Side of the output tiles: their sources fit the processor cache. */
const TILE_PX = ROW_PX_MAX;
/** Half the width of the kernel at full scale, in pixels of the source. */
const REACH = 2;

interface Warp {
  /** Maps the result to the raster. */
  readonly matrix: Matrix;
  readonly size: Size;
  /** The visible part of the raster: outside it is transparent, with antialiased edges. */
  readonly part: Part;
  readonly depth: 8 | 16;
  /** Opaque background for an opaque raster; the result then has no alpha. */
  readonly ground?: Rgba | undefined;
}

const KERNEL_STEPS = 1024;
const KERNEL = Float32Array.from({ length: 2 * KERNEL_STEPS + 2 }, (_, step) => keys(step / KERNEL_STEPS));

/**
 * Resamples through a projective map, in linear light with premultiplied alpha. Alpha at the edges of the part is the coverage of a pixel, from its
 * distance to them; colours repeat beyond the edges, so that nothing from outside is mixed in.
 */
export function warp(raster: DeepRaster, { matrix, size, part, depth, ground }: Warp): DeepRaster {
  const { width, height } = size;
  const channels = ground ? 3 : 4;
  const length = width * height * channels;
  const data = depth === 8 ? new Uint8Array(length) : new Uint16Array(length);
  const result: DeepRaster = { width, height, channels, data };
  if (ground) fill(result, ground);
  for (let top = 0; top < height; top += TILE_PX)
    for (let left = 0; left < width; left += TILE_PX) {
      const tile = {
        left,
        top,
        width: Math.min(TILE_PX, width - left),
        height: Math.min(TILE_PX, height - top),
      };
      warpTile({ raster, result, matrix, part, ground }, tile);
    }
  return result;
}

interface Work {
  readonly raster: DeepRaster;
  readonly result: DeepRaster;
  readonly matrix: Matrix;
  readonly part: Part;
  readonly ground: Rgba | undefined;
}

function fill({ data, width }: DeepRaster, ground: Rgba): void {
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const [red, green, blue] = ground.map((value) => Math.round(value * whole));
  const row = 3 * width;
  for (let at = 0; at < row; at += 3) {
    data[at] = red!;
    data[at + 1] = green!;
    data[at + 2] = blue!;
  }
  for (let at = row; at < data.length; at += row) data.copyWithin(at, 0, row);
}

/** A tile of the source in linear light, premultiplied. */
interface Source extends Part {
  readonly light: Float32Array;
}

function warpTile(work: Work, tile: Part): void {
  const { matrix, part } = work;
  const depths = CORNERS.map(([x, y]) =>
    depthAt(matrix, tile.left + x * tile.width, tile.top + y * tile.height),
  );
  if (depths.every((depth) => depth <= 0)) return;
  const stretch = stretchOf(matrix, tile);
  const isCrossed = depths.some((depth) => depth <= 0);
  const bounds = isCrossed ? part : sourceBounds(work, tile, stretch);
  if (!bounds) return;
  if (bounds.width * bounds.height > SOURCE_PIXELS_MAX && tile.width * tile.height > 1) {
    splitTile(work, tile);
    return;
  }
  const source = { ...bounds, light: decodePart(work.raster, bounds) };
  const edges = {
    left: part.left,
    top: part.top,
    right: part.left + part.width,
    bottom: part.top + part.height,
  };
  const sums = new Float32Array(4);
  const isPlain = matrix[6] === 0 && matrix[7] === 0 && stretch.across < PLAIN && stretch.down < PLAIN;
  const end = tile.left + tile.width;
  for (let y = tile.top; y < tile.top + tile.height; y += 1) {
    const inside = isPlain ? insideOf(matrix, y, { from: tile.left, to: end }, edges) : NOTHING;
    if (inside.to > inside.from) sampleInside(source, work, y, inside);
    for (let x = tile.left; x < end; x += 1) {
      if (x === inside.from) x = inside.to;
      if (x >= end) break;
      if (isCrossed && depthAt(matrix, x + 0.5, y + 0.5) <= 0) continue;
      const [u, v] = apply(matrix, x + 0.5, y + 0.5);
      if (!(u > edges.left - 2 * stretch.across && u < edges.right + 2 * stretch.across)) continue;
      if (!(v > edges.top - 2 * stretch.down && v < edges.bottom + 2 * stretch.down)) continue;
      const cover = coverAt(matrix, x, y, { u, v, edges });
      if (cover <= 0) continue;
      sample(source, { u, v }, stretch, sums);
      store(work, y * work.result.width + x, sums, cover);
    }
  }
}

/** Perspective depth; values at or below 0 are behind the viewer. */
const depthAt = ([, , , , , , g, h, i]: Matrix, x: number, y: number): number => g * x + h * y + i;

/** Maximum pixels of the source decoded for one tile; near a horizon a tile covers more. */
const SOURCE_PIXELS_MAX = 1_000_000;

function splitTile(work: Work, { left, top, width, height }: Part): void {
  const [across, down] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  for (const [x, w] of [
    [left, across],
    [left + across, width - across],
  ] as const)
    for (const [y, h] of [
      [top, down],
      [top + down, height - down],
    ] as const)
      if (w > 0 && h > 0) warpTile(work, { left: x, top: y, width: w, height: h });
}

/** Below this reduction the kernel has full scale. */
const PLAIN = 1.02;

/** Columns from `from` to before `to`. */
interface Columns {
  readonly from: number;
  readonly to: number;
}
const NOTHING: Columns = { from: -1, to: -1 };
/** Distance to the edges in pixels of the source at which all neighbours of a position are inside. */
const INSIDE_PX = 4;

/** Columns of a row whose positions are inside the edges, for a map without perspective. */
function insideOf([a, b, c, d, e, f]: Matrix, y: number, { from, to }: Columns, edges: Edges): Columns {
  const limits = [
    { slope: a, start: b * (y + 0.5) + c, least: edges.left, most: edges.right },
    { slope: d, start: e * (y + 0.5) + f, least: edges.top, most: edges.bottom },
  ];
  let [first, last] = [from, to];
  for (const { slope, start, least, most } of limits) {
    const ends = [least + INSIDE_PX, most - INSIDE_PX].map((place) => (place - start) / slope - 0.5);
    if (Math.abs(slope) < 1e-12) {
      if (start <= least + INSIDE_PX || start >= most - INSIDE_PX) return NOTHING;
      continue;
    }
    first = Math.max(first, Math.ceil(Math.min(...ends)));
    last = Math.min(last, Math.floor(Math.max(...ends)) + 1);
  }
  return first < last ? { from: first, to: last } : NOTHING;
}

/** Fast path for positions whose 16 neighbours are all inside, with the WebAssembly kernel. */
function sampleInside(
  { left, top, width }: Source,
  { matrix, result }: Work,
  y: number,
  { from, to }: Columns,
): void {
  const [u, v] = apply(matrix, from + 0.5, y + 0.5);
  const place = { x: u - left - 0.5, y: v - top - 0.5, dx: matrix[0], dy: matrix[3] };
  sampleRow({ ...place, width, count: to - from }, result, result.channels * (y * result.width + from));
}

interface Stretch {
  /** Pixels of the source per pixel of the result, at least 1. */
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

/** Stronger reductions are made beforehand (`#settleGeometry`), or occur at the horizon of a perspective. */
const STRETCH_MAX = 8;

/** The part of the source for a tile, clipped to the visible part; undefined if the tile shows none of it. */
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
  // The corner of the tile may still be within reach of an edge.
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
  const light = lightBuffer(width * height);
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

/** Coverage of a pixel of the result, from its distance to each edge, in pixels of the result. */
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

/** Weighted sum of the source around a position; pixels outside repeat the edge. */
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

function store({ result, ground }: Work, pixel: number, sums: Float32Array, cover: number): void {
  const { data, channels } = result;
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const alpha = Math.min(1, Math.max(0, sums[3]!));
  const opacity = Math.round(alpha * cover * whole);
  if (opacity === 0) return;
  const at = channels * pixel;
  for (let channel = 0; channel < 3; channel += 1) {
    const value = encodeLight(sums[channel]! / alpha);
    const mixed = ground ? cover * value + (1 - cover) * ground[channel]! : value;
    data[at + channel] = Math.round(whole * mixed);
  }
  if (channels === 4) data[at + 3] = opacity;
}
