/** A position in half pixels. */
type Place = readonly [x: number, y: number];

/** Maximum distance between dots of a stroke, in half pixels. */
const APART_MAX = 6;
/** The cosine of the sharpest turn of a stroke, 70°. */
const TURN_COSINE = Math.cos((70 * Math.PI) / 180);
/** Minimum dots within `TEXTURE_REACH` half pixels for a dot outside strokes to be kept: as texture, not as a spot. */
const TEXTURE_MIN = 1;
const TEXTURE_REACH = 9;

/**
 * Joins dots to strokes, nearest first, if `mayJoin` allows the connection. Returns the dots of each stroke in order,
 * and those outside strokes, by index.
 */
export function linkDots(
  places: readonly Place[],
  mayJoin: (one: number, other: number) => boolean,
): { strokes: number[][]; single: number[] } {
  const beside: number[][] = places.map(() => []);
  const roots = places.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (roots[root] !== root) root = roots[root]!;
    return root;
  };
  for (const [one, other] of nearPairs(places)) {
    const [from, to] = [rootOf(one), rootOf(other)];
    if (from === to || beside[one]!.length > 1 || beside[other]!.length > 1) continue;
    if (
      turnsTooFar(places, beside[one]![0], one, other) ||
      turnsTooFar(places, beside[other]![0], other, one)
    )
      continue;
    if (!mayJoin(one, other)) continue;
    roots[from] = to;
    beside[one]!.push(other);
    beside[other]!.push(one);
  }
  const strokes: number[][] = [];
  const single: number[] = [];
  const done = new Set<number>();
  for (const [at, own] of beside.entries()) {
    if (own.length === 0) single.push(at);
    if (own.length !== 1 || done.has(at)) continue;
    const stroke: number[] = [];
    for (let [here, before]: [number | undefined, number] = [at, -1]; here !== undefined; ) {
      done.add(here);
      stroke.push(here);
      const next: number | undefined = beside[here]!.find((one) => one !== before);
      [before, here] = [here, next];
    }
    strokes.push(stroke);
  }
  return { strokes, single };
}

/** Tests whether a stroke from `before` would turn too sharply at `at` to continue to `next`. */
function turnsTooFar(
  places: readonly Place[],
  before: number | undefined,
  at: number,
  next: number,
): boolean {
  if (before === undefined) return false;
  const [[bx, by], [x, y], [nx, ny]] = [places[before]!, places[at]!, places[next]!];
  const [ax, ay, cx, cy] = [x - bx, y - by, nx - x, ny - y];
  return ax * cx + ay * cy < TURN_COSINE * Math.hypot(ax, ay) * Math.hypot(cx, cy);
}

/** Candidate pairs to join, nearest first. */
function nearPairs(places: readonly Place[]): [number, number][] {
  const cells = inCells(places, APART_MAX);
  const pairs: [one: number, other: number, square: number][] = [];
  for (const [one, [x, y]] of places.entries())
    for (const other of cells(x, y)) {
      if (other <= one) continue;
      const square = (x - places[other]![0]) ** 2 + (y - places[other]![1]) ** 2;
      if (square <= APART_MAX ** 2) pairs.push([one, other, square]);
    }
  pairs.sort((one, other) => one[2] - other[2] || one[0] - other[0] || one[1] - other[1]);
  return pairs.map(([one, other]) => [one, other]);
}

/**
 * Returns a function that lists the positions in the cells around a position: all within one cell size, and some
 * others.
 */
function inCells(places: readonly Place[], side: number): (x: number, y: number) => number[] {
  const cells = new Map<string, number[]>();
  const nameOf = (column: number, row: number): string => `${column} ${row}`;
  for (const [at, [x, y]] of places.entries()) {
    const name = nameOf(Math.floor(x / side), Math.floor(y / side));
    const known = cells.get(name);
    if (known) known.push(at);
    else cells.set(name, [at]);
  }
  return (x, y) => {
    const [column, row] = [Math.floor(x / side), Math.floor(y / side)];
    const found: number[] = [];
    for (let down = -1; down <= 1; down++)
      for (let across = -1; across <= 1; across++)
        found.push(...(cells.get(nameOf(column + across, row + down)) ?? []));
    return found;
  };
}

/**
 * Returns a function that tests whether a single dot is surrounded by others, as in texture. A spot in a smooth area,
 * such as a face, is not.
 */
export function textureTest(places: readonly Place[]): (place: Place) => boolean {
  const cells = inCells(places, TEXTURE_REACH);
  return ([x, y]) => {
    let near = -1;
    for (const other of cells(x, y))
      if ((x - places[other]![0]) ** 2 + (y - places[other]![1]) ** 2 <= TEXTURE_REACH ** 2) near++;
    return near >= TEXTURE_MIN;
  };
}
