import { keyedOrder, keyedRandom } from './keyed_random.ts';

/** The watermark repeats every 64 × 64 cells: 512 pixels of the frame. */
export const TILE_CELLS = 64;

/**
 * Mapping of coded bits to the wavelet coefficients of a tile. Each value of the watermark is the sum, with keyed signs, of a patch of neighbouring
 * coefficients, divided by the square root of their number; cropping therefore removes whole values.
 */
export interface Carrier {
  /** Number of subbands used in every cell. */
  readonly kinds: number;
  /** Coefficients per value. */
  readonly perValue: number;
  readonly values: number;
  /** Index of the value that a coefficient belongs to, by cell × kinds + kind. */
  readonly placeOf: Uint16Array;
  readonly signs: Int8Array;
  /** Quantiser offset (dither) of each value, in steps. */
  readonly offsets: Float32Array;
}

const CARRIERS = new Map<number, Carrier>();

/** Carrier of the message: coefficients along x and y. `perValue` is 1, 2, 4 or 8. */
export const messageCarrier = (perValue: number): Carrier => carrierFor(perValue, 2, perValue);
/** Carrier of the header: diagonal coefficients, four per value. */
export const headerCarrier = (): Carrier => carrierFor(100, 1, 4);

function carrierFor(seed: number, kinds: number, perValue: number): Carrier {
  const carrier = CARRIERS.get(seed) ?? layOut(seed, kinds, perValue);
  CARRIERS.set(seed, carrier);
  return carrier;
}

function layOut(seed: number, kinds: number, perValue: number): Carrier {
  const next = keyedRandom(0x51a7 + seed * 7919);
  const cells = TILE_CELLS * TILE_CELLS;
  const cellsPerValue = Math.max(1, perValue / kinds);
  const values = (cells * kinds) / perValue;
  const high = cellsPerValue >= 4 ? 2 : 1;
  const wide = cellsPerValue / high;
  const order = keyedOrder(values, next);
  const placeOf = new Uint16Array(cells * kinds);
  for (let cell = 0; cell < cells; cell++) {
    const [row, column] = [Math.floor(cell / TILE_CELLS), cell % TILE_CELLS];
    const patch = Math.floor(row / high) * (TILE_CELLS / wide) + Math.floor(column / wide);
    for (let kind = 0; kind < kinds; kind++)
      placeOf[cell * kinds + kind] = order[perValue < kinds ? patch * kinds + kind : patch]!;
  }
  const signs = Int8Array.from({ length: cells * kinds }, () => (next() & 0x10000 ? 1 : -1));
  const offsets = Float32Array.from({ length: values }, () => next() / 2 ** 32);
  return { kinds, perValue, values, placeOf, signs, offsets };
}

/** Position of an image in the tiling: tile coordinates of its first cell, and its size in cells. */
export interface CellGrid {
  readonly columns: number;
  readonly rows: number;
  readonly firstColumn: number;
  readonly firstRow: number;
}

/** For each coefficient of a grid, the index of its value among all copies. */
export function placesOf(carrier: Carrier, grid: CellGrid): { places: Int32Array; copies: number } {
  const { kinds, values, placeOf } = carrier;
  const tile = (cell: number, first: number) =>
    Math.floor((cell + first) / TILE_CELLS) - Math.floor(first / TILE_CELLS);
  const across = tile(grid.columns - 1, grid.firstColumn) + 1;
  const copies = across * (tile(grid.rows - 1, grid.firstRow) + 1);
  const places = new Int32Array(grid.rows * grid.columns * kinds);
  for (let row = 0, at = 0; row < grid.rows; row++) {
    const tileRow = (((row + grid.firstRow) % TILE_CELLS) + TILE_CELLS) % TILE_CELLS;
    for (let column = 0; column < grid.columns; column++) {
      const tileColumn = (((column + grid.firstColumn) % TILE_CELLS) + TILE_CELLS) % TILE_CELLS;
      const copy = tile(row, grid.firstRow) * across + tile(column, grid.firstColumn);
      const cell = tileRow * TILE_CELLS + tileColumn;
      for (let kind = 0; kind < kinds; kind++, at++)
        places[at] = copy * values + placeOf[cell * kinds + kind]!;
    }
  }
  return { places, copies };
}

/** Sign of each coefficient of a grid. */
export function signsOf(carrier: Carrier, grid: CellGrid): Int8Array {
  const { kinds, signs } = carrier;
  const result = new Int8Array(grid.rows * grid.columns * kinds);
  for (let row = 0, at = 0; row < grid.rows; row++) {
    const tileRow = (((row + grid.firstRow) % TILE_CELLS) + TILE_CELLS) % TILE_CELLS;
    for (let column = 0; column < grid.columns; column++) {
      const tileColumn = (((column + grid.firstColumn) % TILE_CELLS) + TILE_CELLS) % TILE_CELLS;
      const cell = tileRow * TILE_CELLS + tileColumn;
      for (let kind = 0; kind < kinds; kind++, at++) result[at] = signs[cell * kinds + kind]!;
    }
  }
  return result;
}
