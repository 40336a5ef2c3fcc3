export interface Tile {
  /** The part of the image for which this tile provides the output. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** The model input: the same part with its overlap, clipped to the image. */
  readonly input: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
}

export interface TileRules {
  /** Largest number of input pixels per tile; limits memory. */
  readonly pixelsMax: number;
  /** Overlap: pixels of context on each side. */
  readonly overlapPx: number;
  /** Every side and offset is a multiple of this. */
  readonly multipleOf: number;
}

/**
 * Divides an image into rows of tiles with the least total input the rules allow: a single tile if the whole image fits. Width and height
 * of the image are multiples of `multipleOf`.
 */
export function planTiles(width: number, height: number, rules: TileRules): Tile[][] {
  const plan = chooseGrid(width, height, rules);
  return divideSide(height, plan.rows, rules.multipleOf).map(([top, bottom]) =>
    divideSide(width, plan.columns, rules.multipleOf).map(([left, right]) => {
      const [inputLeft, inputRight] = expandRange(left, right, width, rules.overlapPx);
      const [inputTop, inputBottom] = expandRange(top, bottom, height, rules.overlapPx);
      return {
        left,
        top,
        width: right - left,
        height: bottom - top,
        input: {
          left: inputLeft,
          top: inputTop,
          width: inputRight - inputLeft,
          height: inputBottom - inputTop,
        },
      };
    }),
  );
}

/** The number of columns and rows with the smallest total input. */
function chooseGrid(width: number, height: number, rules: TileRules): { columns: number; rows: number } {
  const { pixelsMax, overlapPx, multipleOf } = rules;
  const widestTile = (side: number, count: number) => {
    const part = Math.ceil(side / count / multipleOf) * multipleOf;
    return count === 1 ? side : Math.min(side, part + (count === 2 ? 1 : 2) * overlapPx);
  };
  let best = { columns: 1, rows: 1, cost: Number.POSITIVE_INFINITY };
  const columnsMax = Math.ceil(width / multipleOf);
  for (let columns = 1; columns <= columnsMax; columns += 1) {
    const across = widestTile(width, columns);
    // A tile narrower than its overlap is mostly waste.
    if (columns > 1 && across < 3 * overlapPx && best.cost < Number.POSITIVE_INFINITY) break;
    const rowsMax = Math.ceil(height / multipleOf);
    let rows = 1;
    while (rows < rowsMax && across * widestTile(height, rows) > pixelsMax) rows += 1;
    const down = widestTile(height, rows);
    if (across * down > pixelsMax) continue;
    const cost = (width + 2 * overlapPx * (columns - 1)) * (height + 2 * overlapPx * (rows - 1));
    if (cost < best.cost) best = { columns, rows, cost };
  }
  return best;
}

/** Divides a side into equal parts, as far as multiples allow. */
function divideSide(side: number, count: number, multipleOf: number): [start: number, end: number][] {
  const part = Math.ceil(side / count / multipleOf) * multipleOf;
  const starts = Array.from({ length: Math.ceil(side / part) }, (_, index) => index * part);
  return starts.map((start) => [start, Math.min(side, start + part)]);
}

function expandRange(start: number, end: number, side: number, overlapPx: number): [number, number] {
  return [Math.max(0, start - overlapPx), Math.min(side, end + overlapPx)];
}
