import type { Partition } from './partition.ts';

/**
 * Lines between areas. A line runs along pixel corners (numbered row by row, width + 1 per row) from one junction of
 * three or more areas to the next, or around to its own start.
 */
export interface Line {
  /** Areas to the left and right; -1: none. */
  readonly left: number;
  readonly right: number;
  readonly corners: Int32Array;
  /** Whether it is a loop that meets no other line. */
  readonly isLoop: boolean;
}

/** A line as one area runs along it: its number, and whether backwards (the area on the right hand). */
export interface Side {
  readonly line: number;
  readonly backwards: boolean;
}

/** One closed outline of an area, the area always on the left. */
export type Ring = readonly Side[];

/** Steps to the next corner: right, down, left, up, in clockwise order. */
const RIGHT = 0;
const DOWN = 1;
const LEFT = 2;
const UP = 3;

/** Every line between areas, each once. */
export function findLines(areas: Partition): Line[] {
  const grid = openGrid(areas);
  const lines: Line[] = [];
  const nodes: number[] = [];
  for (let corner = 0; corner < grid.corners; corner++) if (grid.isKnot(corner)) nodes.push(corner);
  for (const node of nodes)
    for (let step = RIGHT; step <= UP; step++)
      if (grid.isFree(node, step)) lines.push(follow(grid, node, step));
  // The remaining lines are loops without nodes.
  for (let corner = 0; corner < grid.corners; corner++)
    if (grid.isFree(corner, RIGHT)) lines.push(follow(grid, corner, RIGHT));
  return lines;
}

/** Number of steps in a bit set of the four steps. */
const STEPS_IN = Uint8Array.from({ length: 16 }, (_, set) => [1, 2, 4, 8].filter((bit) => set & bit).length);

function openGrid({ width, height, labels }: Partition) {
  const across = width + 1;
  const corners = across * (height + 1);
  const strides = [1, across, -1, -across];
  const labelAt = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? -1 : labels[y * width + x]!;
  /** The areas on both hands of the step that leaves a corner. */
  const hands = (corner: number, step: number): [left: number, right: number] => {
    const x = corner % across;
    const y = (corner - x) / across;
    if (step === RIGHT) return [labelAt(x, y - 1), labelAt(x, y)];
    if (step === DOWN) return [labelAt(x, y), labelAt(x - 1, y)];
    if (step === LEFT) return [labelAt(x - 1, y), labelAt(x - 1, y - 1)];
    return [labelAt(x - 1, y - 1), labelAt(x, y - 1)];
  };
  /** Steps from each corner between different areas, and the steps not yet taken. */
  const steps = new Uint8Array(corners);
  for (let y = 0, corner = 0; y <= height; y++) {
    for (let x = 0; x <= width; x++, corner++) {
      const here = labelAt(x, y);
      if (x < width && labelAt(x, y - 1) !== here) {
        steps[corner]! |= 1 << RIGHT;
        steps[corner + 1]! |= 1 << LEFT;
      }
      if (y < height && labelAt(x - 1, y) !== here) {
        steps[corner]! |= 1 << DOWN;
        steps[corner + across]! |= 1 << UP;
      }
    }
  }
  const free = steps.slice();
  for (const corner of [0, width, corners - across, corners - 1])
    if (steps[corner]! > 0) steps[corner]! |= PICTURE_CORNER;
  return {
    corners,
    hands,
    isKnot: (corner: number) => STEPS_IN[steps[corner]! & 15]! > 2 || steps[corner]! >= PICTURE_CORNER,
    isFree: (corner: number, step: number) => (free[corner]! & (1 << step)) !== 0,
    /** Next step at a corner with two steps; `back` is the reverse of the step that led there. */
    onward: (corner: number, back: number) => 31 - Math.clz32(steps[corner]! & 15 & ~(1 << back)),
    /** Takes the step from both of its ends; returns the corner it leads to. */
    take(corner: number, step: number): number {
      const next = corner + strides[step]!;
      free[corner]! &= ~(1 << step);
      free[next]! &= ~(1 << ((step + 2) % 4));
      return next;
    },
  };
}

/** Marks a corner of the image, which is a node regardless of how many lines meet there. */
const PICTURE_CORNER = 16;

type Grid = ReturnType<typeof openGrid>;

function follow(grid: Grid, start: number, firstStep: number): Line {
  const [left, right] = grid.hands(start, firstStep);
  const corners = [start];
  let step = firstStep;
  for (let corner = grid.take(start, step); ; corner = grid.take(corner, step)) {
    corners.push(corner);
    if (corner === start || grid.isKnot(corner))
      return { left, right, corners: Int32Array.from(corners), isLoop: !grid.isKnot(start) };
    step = grid.onward(corner, (step + 2) % 4);
  }
}

/** Outlines of every area: lines joined end to start. */
export function ringsOf(lines: readonly Line[], count: number): Ring[][] {
  const sides: Side[][] = Array.from({ length: count }, () => []);
  for (const [line, { left, right }] of lines.entries()) {
    if (left >= 0) sides[left]!.push({ line, backwards: false });
    if (right >= 0) sides[right]!.push({ line, backwards: true });
  }
  return sides.map((own) => chainSides(own, lines));
}

/** Joins sides end to start to closed outlines. */
export function chainSides(sides: readonly Side[], lines: readonly Line[]): Ring[] {
  const ends = ({ line, backwards }: Side): [from: number, to: number] => {
    const { corners } = lines[line]!;
    return backwards ? [corners.at(-1)!, corners[0]!] : [corners[0]!, corners.at(-1)!];
  };
  const leaving = new Map<number, Side[]>();
  for (const side of sides) {
    const [from] = ends(side);
    const others = leaving.get(from);
    if (others) others.push(side);
    else leaving.set(from, [side]);
  }
  const rings: Ring[] = [];
  for (const waiting of leaving.values()) {
    while (waiting.length > 0) {
      const ring = [waiting.pop()!];
      const [start] = ends(ring[0]!);
      for (let [, at] = ends(ring[0]!); at !== start; ) {
        const next = leaving.get(at)!.pop()!;
        ring.push(next);
        [, at] = ends(next);
      }
      rings.push(ring);
    }
  }
  return rings;
}
