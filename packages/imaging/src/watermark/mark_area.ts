import { headerCarrier, TILE_CELLS } from './carrier.ts';
import { codeHeader, KNOWN_VALUES } from './coded_mark.ts';
import type { Header } from './message_class.ts';
import { type AlignedFrame, inPicture, type Placement } from './placement.ts';
import { CELL_PX, detailsOf } from './wavelet.ts';

/** In pixels, from the upper left. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Sides of what one value of the header lies in, in cells. */
const BLOCK_CELLS = 2;
/** How well values agree where a mark is, before it is known; and how often that is told better. */
const LEVEL = 0.4;
const ROUNDS = 4;
/** Shown in other pixels than it was read in, details are more or less softened. */
const STEP_RATIOS = Array.from({ length: 25 }, (_, index) => 1.01 ** (index - 16));

/** A mark that was read, laid on a frame it may be in. */
export interface LaidMark {
  readonly header: Header;
  /** Of a value of the header, in grey levels × 8. */
  readonly step: number;
  readonly placement: Placement;
  readonly aligned: AlignedFrame;
}

/**
 * The part of a frame that says the header of a mark, in pixels of the frame: of all rectangles of blocks that in which they agree the
 * most, each block less half of what blocks in it agree. Another mark that lies beside it with the same pilot says other bits.
 */
export function markArea({ header, step, aligned, placement }: LaidMark): Area {
  const blocks = agreementOf(aligned, codeHeader(header), step);
  let best = { x: 0, y: 0, width: blocks.columns, height: blocks.rows };
  for (let round = 0, level = LEVEL; round < ROUNDS; round++) {
    best = bestArea(blocks, level / 2);
    level = Math.max(LEVEL / 2, meanOf(blocks, best));
  }
  const side = BLOCK_CELLS * CELL_PX;
  const at = (column: number, row: number) =>
    inPicture(placement, (blocks.firstColumn + column) * side, (blocks.firstRow + row) * side);
  const [x0, y0] = at(best.x, best.y);
  const [x1, y1] = at(best.x + best.width, best.y + best.height);
  return { x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0), height: Math.abs(y1 - y0) };
}

interface Blocks {
  readonly firstColumn: number;
  readonly firstRow: number;
  readonly columns: number;
  readonly rows: number;
  /** 1 where a value says what the header would, -1 where the opposite, on average 0 where no mark is. */
  readonly values: Float32Array;
}

function agreementOf({ frame, grid, usable }: AlignedFrame, bits: Uint8Array, step: number): Blocks {
  const { diagonal } = detailsOf(frame);
  const { placeOf, signs, offsets, perValue } = headerCarrier();
  const firstColumn = Math.ceil(grid.firstColumn / BLOCK_CELLS);
  const firstRow = Math.ceil(grid.firstRow / BLOCK_CELLS);
  const columns = Math.floor((grid.firstColumn + grid.columns) / BLOCK_CELLS) - firstColumn;
  const rows = Math.floor((grid.firstRow + grid.rows) / BLOCK_CELLS) - firstRow;
  const details = new Float32Array(columns * rows);
  const points = new Float32Array(columns * rows).fill(Number.NaN);
  for (let block = 0; block < details.length; block++) {
    const left = (firstColumn + (block % columns)) * BLOCK_CELLS;
    const top = (firstRow + Math.floor(block / columns)) * BLOCK_CELLS;
    let [sum, isKnown, place] = [0, true, 0];
    for (let row = top; row < top + BLOCK_CELLS; row++) {
      for (let column = left; column < left + BLOCK_CELLS; column++) {
        const cell = (row - grid.firstRow) * grid.columns + column - grid.firstColumn;
        const tile = (row & (TILE_CELLS - 1)) * TILE_CELLS + (column & (TILE_CELLS - 1));
        sum += signs[tile]! * diagonal[cell]!;
        isKnown &&= usable[cell] === 1;
        place = placeOf[tile]!;
      }
    }
    // What every mark says tells none from another.
    if (!isKnown || place < KNOWN_VALUES) continue;
    details[block] = sum / Math.sqrt(perValue);
    points[block] = offsets[place]! + bits[place]! / 2;
  }
  const valuesAt = (ratio: number) =>
    details.map((detail, block) => {
      const turns = detail / (step * ratio) - points[block]!;
      return Number.isNaN(turns) ? 0 : Math.cos(2 * Math.PI * turns);
    });
  const sums = STEP_RATIOS.map((ratio) => valuesAt(ratio).reduce((sum, value) => sum + value, 0));
  const values = valuesAt(STEP_RATIOS[sums.indexOf(Math.max(...sums))]!);
  return { firstColumn, firstRow, columns, rows, values };
}

function meanOf({ columns, values }: Blocks, { x, y, width, height }: Area): number {
  let sum = 0;
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++) sum += values[row * columns + column]!;
  return sum / (width * height);
}

/** The rectangle with the highest sum of values less `level`: for each pair of rows the best run of columns (Kadane). */
function bestArea({ columns, rows, values }: Blocks, level: number): Area {
  let best = { x: 0, y: 0, width: columns, height: rows };
  let highest = Number.NEGATIVE_INFINITY;
  for (let first = 0; first < rows; first++) {
    const sums = new Float32Array(columns);
    for (let row = first; row < rows; row++) {
      let [run, start] = [0, 0];
      for (let column = 0; column < columns; column++) {
        sums[column]! += values[row * columns + column]! - level;
        if (run <= 0) [run, start] = [0, column];
        run += sums[column]!;
        if (run <= highest) continue;
        highest = run;
        best = { x: start, y: first, width: column - start + 1, height: row - first + 1 };
      }
    }
  }
  return best;
}
