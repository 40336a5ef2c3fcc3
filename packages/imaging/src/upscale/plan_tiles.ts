export interface Tile {
  /** The part of the image for which this tile provides the output. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** The model input: the same part with its overlap, clipped to the image. */
  readonly seen: {
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
  readonly contextPx: number;
  /** Every side and offset is a multiple of this. */
  readonly multipleOf: number;
}

/**
 * Divides an image into rows of tiles with the least total input the rules allow: a single tile if the whole image fits. Width and height
 * of the image are multiples of `multipleOf`.
 */
export function planTiles(width: number, height: number, rules: TileRules): Tile[][] {
  const plan = findCheapest(width, height, rules);
  return parts(height, plan.rows, rules.multipleOf).map(([top, bottom]) =>
    parts(width, plan.columns, rules.multipleOf).map(([left, right]) => {
      const [seenLeft, seenRight] = widenSpan(left, right, width, rules.contextPx);
      const [seenTop, seenBottom] = widenSpan(top, bottom, height, rules.contextPx);
      return {
        left,
        top,
        width: right - left,
        height: bottom - top,
        seen: { left: seenLeft, top: seenTop, width: seenRight - seenLeft, height: seenBottom - seenTop },
      };
    }),
  );
}

/** The number of columns and rows with the smallest total input. */
function findCheapest(width: number, height: number, rules: TileRules): { columns: number; rows: number } {
  const { pixelsMax, contextPx, multipleOf } = rules;
  const widestTile = (side: number, count: number) => {
    const part = Math.ceil(side / count / multipleOf) * multipleOf;
    return count === 1 ? side : Math.min(side, part + (count === 2 ? 1 : 2) * contextPx);
  };
  let best = { columns: 1, rows: 1, cost: Number.POSITIVE_INFINITY };
  const columnsMax = Math.ceil(width / multipleOf);
  for (let columns = 1; columns <= columnsMax; columns += 1) {
    const across = widestTile(width, columns);
    // A tile narrower than its overlap is mostly waste.
    if (columns > 1 && across < 3 * contextPx && best.cost < Number.POSITIVE_INFINITY) break;
    const rowsMax = Math.ceil(height / multipleOf);
    let rows = 1;
    while (rows < rowsMax && across * widestTile(height, rows) > pixelsMax) rows += 1;
    const down = widestTile(height, rows);
    if (across * down > pixelsMax) continue;
    const cost = (width + 2 * contextPx * (columns - 1)) * (height + 2 * contextPx * (rows - 1));
    if (cost < best.cost) best = { columns, rows, cost };
  }
  return best;
}

/** Divides a side into equal parts, as far as multiples allow. */
function parts(side: number, count: number, multipleOf: number): [start: number, end: number][] {
  const part = Math.ceil(side / count / multipleOf) * multipleOf;
  const starts = Array.from({ length: Math.ceil(side / part) }, (_, index) => index * part);
  return starts.map((start) => [start, Math.min(side, start + part)]);
}

function widenSpan(start: number, end: number, side: number, contextPx: number): [number, number] {
  return [Math.max(0, start - contextPx), Math.min(side, end + contextPx)];
}
