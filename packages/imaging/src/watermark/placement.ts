import { quickBoxMean } from '../pixels/box_mean.ts';
import type { Plane } from '../pixels/plane.ts';
import { type Bend, bendBack, type Point, straighten } from './bend.ts';
import type { CellGrid } from './carrier.ts';
import { CELL_PX } from './wavelet.ts';

/**
 * Maps the frame in which a watermark was written to the frame of a query image: the point (x, y) of the first is (xx · x + xy · y + left, yx · x +
 * yy · y + top) in the second. Pixel centres are at halves.
 */
export interface Placement {
  readonly xx: number;
  readonly xy: number;
  readonly yx: number;
  readonly yy: number;
  readonly left: number;
  readonly top: number;
  /** Perspective, applied after the linear map. */
  readonly bend?: Bend;
}

export const AS_WRITTEN: Placement = { xx: 1, xy: 0, yx: 0, yy: 1, left: 0, top: 0 };

/** A frame in the coordinates of its watermark. */
export interface AlignedFrame {
  readonly frame: Plane;
  readonly grid: CellGrid;
  /** 1 for each cell inside the image. */
  readonly usable: Uint8Array;
}

/** At most this many cells are read per side: a crop that was enlarged, or one of a hundred tiles, has enough information within them. */
const SIDE_CELLS_MAX = 192;

/** Aligns a frame to its watermark; undefined if no part of the image would remain. */
export function align(picture: Plane, placement: Placement): AlignedFrame | undefined {
  const corners = cornersIn(picture, placement);
  const range = (values: number[]): [number, number] => {
    const first = Math.floor(Math.min(...values) / CELL_PX);
    const last = Math.ceil(Math.max(...values) / CELL_PX);
    const spare = Math.max(0, last - first - SIDE_CELLS_MAX);
    return [first + Math.floor(spare / 2), last - Math.ceil(spare / 2)];
  };
  const [firstColumn, endColumn] = range(corners.map(([x]) => x));
  const [firstRow, endRow] = range(corners.map(([, y]) => y));
  const [columns, rows] = [endColumn - firstColumn, endRow - firstRow];
  if (columns < 4 || rows < 4) return undefined;
  const grid = { columns, rows, firstColumn, firstRow };
  return {
    frame: warp(softenPlane(picture, placement), placement, grid),
    grid,
    usable: usableCells(picture, placement, grid),
  };
}

/** The corners of an image in the coordinates of the watermark. */
function cornersIn({ width, height }: Plane, placement: Placement): Point[] {
  const { xx, xy, yx, yy, left, top, bend } = placement;
  const area = xx * yy - xy * yx;
  const at = (corner: Point): Point => {
    const [x, y] = bend ? straighten(bend, corner) : corner;
    return [(yy * (x - left) - xy * (y - top)) / area, (xx * (y - top) - yx * (x - left)) / area];
  };
  return [at([0, 0]), at([width, 0]), at([0, height]), at([width, height])];
}

/** Position of a point of the watermark in the image. */
export function inPicture({ xx, xy, yx, yy, left, top, bend }: Placement, x: number, y: number): Point {
  const straight: Point = [xx * x + xy * y + left, yx * x + yy * y + top];
  return bend ? bendBack(bend, straight) : straight;
}

/** Low-pass filter before a strong reduction, against aliasing. */
function softenPlane(picture: Plane, { xx, xy, yx, yy }: Placement): Plane {
  const scale = Math.sqrt(Math.abs(xx * yy - xy * yx));
  return scale > 1.8 ? quickBoxMean(picture, Math.round((scale - 0.8) / 2)) : picture;
}

function usableCells({ width, height }: Plane, placement: Placement, grid: CellGrid): Uint8Array {
  const usable = new Uint8Array(grid.rows * grid.columns);
  const slack = 0.75;
  const isOnPicture = (x: number, y: number) => {
    const [u, v] = inPicture(placement, x, y);
    return u >= -slack && v >= -slack && u <= width + slack && v <= height + slack;
  };
  for (let row = 0, at = 0; row < grid.rows; row++) {
    const y = (row + grid.firstRow) * CELL_PX;
    for (let column = 0; column < grid.columns; column++, at++) {
      const x = (column + grid.firstColumn) * CELL_PX;
      const isInside =
        isOnPicture(x, y) &&
        isOnPicture(x + CELL_PX, y) &&
        isOnPicture(x, y + CELL_PX) &&
        isOnPicture(x + CELL_PX, y + CELL_PX);
      usable[at] = isInside ? 1 : 0;
    }
  }
  return usable;
}

/** Resamples with a cubic (Catmull–Rom) filter; samples outside repeat the nearest edge pixel. */
function warp({ width, height, data }: Plane, placement: Placement, grid: CellGrid): Plane {
  const { xx, xy, yx, yy, left, top, bend } = placement;
  const result = { width: grid.columns * CELL_PX, height: grid.rows * CELL_PX };
  const target = new Float32Array(result.width * result.height);
  const across = new Float64Array(4);
  const down = new Float64Array(4);
  const sumInside = (from: Float32Array, start: number, step: number): number => {
    const [w0, w1, w2, w3] = [across[0]!, across[1]!, across[2]!, across[3]!];
    let sum = 0;
    for (let j = 0, first = start; j < 4; j++, first += step)
      sum +=
        down[j]! *
        (w0 * from[first]! + w1 * from[first + 1]! + w2 * from[first + 2]! + w3 * from[first + 3]!);
    return sum;
  };
  const sumAtBorder = (column0: number, row0: number): number => {
    let sum = 0;
    for (let j = 0; j < 4; j++) {
      const line = Math.max(0, Math.min(height - 1, row0 + j - 1)) * width;
      let part = 0;
      for (let i = 0; i < 4; i++)
        part += across[i]! * data[line + Math.max(0, Math.min(width - 1, column0 + i - 1))]!;
      sum += down[j]! * part;
    }
    return sum;
  };
  for (let row = 0, at = 0; row < result.height; row++) {
    const y = grid.firstRow * CELL_PX + row + 0.5;
    for (let column = 0; column < result.width; column++, at++) {
      const x = grid.firstColumn * CELL_PX + column + 0.5;
      let atX = xx * x + xy * y + left;
      let atY = yx * x + yy * y + top;
      if (bend) {
        const depth = 1 - bend.across * (atX - bend.x) - bend.down * (atY - bend.y);
        atX = bend.x + (atX - bend.x) / depth;
        atY = bend.y + (atY - bend.y) / depth;
      }
      const u = Math.max(0, Math.min(width - 1, atX - 0.5));
      const v = Math.max(0, Math.min(height - 1, atY - 0.5));
      const column0 = Math.floor(u);
      const row0 = Math.floor(v);
      cubic(u - column0, across);
      cubic(v - row0, down);
      const isInside = column0 >= 1 && row0 >= 1 && column0 < width - 2 && row0 < height - 2;
      target[at] = isInside
        ? sumInside(data, (row0 - 1) * width + column0 - 1, width)
        : sumAtBorder(column0, row0);
    }
  }
  return { ...result, data: target };
}

function cubic(t: number, weights: Float64Array): void {
  weights[0] = t * (-0.5 + t * (1 - 0.5 * t));
  weights[1] = 1 + t * t * (1.5 * t - 2.5);
  weights[2] = t * (0.5 + t * (2 - 1.5 * t));
  weights[3] = t * t * (0.5 * t - 0.5);
}
