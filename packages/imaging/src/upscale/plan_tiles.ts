export interface Tile {
  /** The part of the picture this tile answers for. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** What the network sees: the same part with its surroundings, cut at the edges of the picture. */
  readonly seen: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
}

export interface TileRules {
  /** Pixels the network may see at once: what bounds memory. */
  readonly pixelsMax: number;
  /** Surroundings that decide about a pixel, in pixels on each side. */
  readonly contextPx: number;
  /** Every side and place is a multiple of this. */
  readonly multipleOf: number;
}

/**
 * Cuts a picture into rows of tiles so that the network sees as few pixels as the rules allow: one tile where the whole
 * picture fits. Width and height of the picture are multiples of `multipleOf`.
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

/** The number of columns and rows for which the network sees least. */
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
    // Thinner than its own surroundings a tile is mostly waste.
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

/** Equal parts of a side, as far as multiples allow. */
function parts(side: number, count: number, multipleOf: number): [start: number, end: number][] {
  const part = Math.ceil(side / count / multipleOf) * multipleOf;
  const starts = Array.from({ length: Math.ceil(side / part) }, (_, index) => index * part);
  return starts.map((start) => [start, Math.min(side, start + part)]);
}

function widenSpan(start: number, end: number, side: number, contextPx: number): [number, number] {
  return [Math.max(0, start - contextPx), Math.min(side, end + contextPx)];
}
