import { keyedOrder, keyedRandom } from './keyed_random.ts';

/** The mark repeats every 64 × 64 cells, which is 512 pixels of the frame. */
export const TILE_CELLS = 64;

/**
 * How coded bits lie on the details of a tile. Each value of the mark is the sum, with keyed signs, of a patch of
 * neighbouring details divided by the root of their number, so that cutting a picture removes whole values.
 */
export interface Carrier {
  /** Kinds of detail it uses at every cell. */
  readonly kinds: number;
  /** Details in a value. */
  readonly perValue: number;
  readonly values: number;
  /** Place of the value that a detail is part of, by cell × kinds + kind. */
  readonly placeOf: Uint16Array;
  readonly signs: Int8Array;
  /** Offset of the quantiser of each value, in steps. */
  readonly offsets: Float32Array;
}

const CARRIERS = new Map<number, Carrier>();

/** The carrier of the message: details along x and y. `perValue` is 1, 2, 4 or 8. */
export const messageCarrier = (perValue: number): Carrier => carrierFor(perValue, 2, perValue);
/** The carrier of the header: diagonal details, four a value. */
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

/** Which cells of a picture lie where in the tiling: the first cell's place in it, and the size in cells. */
export interface CellGrid {
  readonly columns: number;
  readonly rows: number;
  readonly firstColumn: number;
  readonly firstRow: number;
}

/** For each detail of a grid, the place of its value among all copies. */
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

/** Sign of the detail at a place of the grid. */
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
