import type { Point } from './affine.ts';
import type { ChangeMap } from './change_map.ts';

export interface ChangedRegion {
  /** The convex hull, clockwise, as shares of width and height of the picture sent. */
  readonly polygon: readonly Point[];
  /** Part of the picture sent. */
  readonly share: number;
}

/** Side of the cells that changes are gathered in. */
const CELL_PX = 6;
const CHANGED_MIN = 0.35;
const SHARE_MIN = 0.0012;
const REGIONS_MAX = 20;

/** Where pixels have changed, gathered into connected regions, the largest first. What lies beyond the original is left out. */
export function changedRegions({ change: { data, width, height }, beyond }: ChangeMap): ChangedRegion[] {
  const [columns, rows] = [Math.ceil(width / CELL_PX), Math.ceil(height / CELL_PX)];
  const means = new Float32Array(columns * rows);
  const counts = new Float32Array(columns * rows);
  for (let at = 0; at < data.length; at++) {
    if (beyond[at]) continue;
    const cell = Math.floor(Math.floor(at / width) / CELL_PX) * columns + Math.floor((at % width) / CELL_PX);
    means[cell]! += data[at]!;
    counts[cell]!++;
  }
  const isChanged = means.map((sum, at) =>
    counts[at]! > (CELL_PX * CELL_PX) / 3 && sum / counts[at]! > CHANGED_MIN ? 1 : 0,
  );
  return connectCells(isChanged, columns)
    .map((cells) => regionOf(cells, { columns, width, height }))
    .filter(({ share }) => share >= SHARE_MIN)
    .sort((one, other) => other.share - one.share)
    .slice(0, REGIONS_MAX);
}

/** Cells that touch, by a corner too. */
function connectCells(marks: Float32Array, columns: number): number[][] {
  const groups: number[][] = [];
  const left = marks.slice();
  for (let start = 0; start < left.length; start++) {
    if (!left[start]) continue;
    left[start] = 0;
    const group = [start];
    for (const cell of group) {
      for (const near of neighbours(cell, columns, left.length)) {
        if (!left[near]) continue;
        left[near] = 0;
        group.push(near);
      }
    }
    groups.push(group);
  }
  return groups;
}

function neighbours(cell: number, columns: number, count: number): number[] {
  const column = cell % columns;
  const across = [-1, 0, 1].filter((by) => column + by >= 0 && column + by < columns);
  return [-columns, 0, columns]
    .flatMap((down) => across.map((by) => cell + down + by))
    .filter((near) => near !== cell && near >= 0 && near < count);
}

function regionOf(
  cells: readonly number[],
  { columns, width, height }: { columns: number; width: number; height: number },
): ChangedRegion {
  const corners = cells.flatMap((cell): Point[] => {
    const [x, y] = [(cell % columns) * CELL_PX, Math.floor(cell / columns) * CELL_PX];
    const [right, bottom] = [Math.min(width, x + CELL_PX), Math.min(height, y + CELL_PX)];
    return [
      [x, y],
      [right, y],
      [right, bottom],
      [x, bottom],
    ];
  });
  const share = (x: number) => Math.round(x * 10_000) / 10_000;
  return {
    polygon: hull(corners).map(([x, y]): Point => [share(x / width), share(y / height)]),
    share: share((cells.length * CELL_PX * CELL_PX) / (width * height)),
  };
}

/** Andrew's monotone chain. */
function hull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted(([x, y], [otherX, otherY]) => x - otherX || y - otherY);
  const half = (ordered: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length > 1 && !turnsRight(chain.at(-2)!, chain.at(-1)!, point)) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

const turnsRight = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): boolean =>
  (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0;
