import RBush from 'rbush';
import { reverseCurve } from './curve.ts';
import type { Curve } from './fit_curve.ts';
import { type CutPath, type Entry, entriesOf, nearest, startAt } from './order_cuts.ts';
import { isClosed } from './write_svg.ts';

/**
 * Lines in the order of drawing: always the one that can be entered nearest, an open one at either end and then run backwards if
 * need be, a closed one at one of several places (Rosenkrantz and others, 1977); and then, wherever a stretch of the way run
 * the other way round makes it shorter, that (2-opt; Croes, 1958).
 */
export function orderLines(lines: readonly Curve[], from: readonly [x: number, y: number]): CutPath {
  const ready = new RBush<Entry>();
  const entries = lines.map((line, index) => (isClosed(line) ? entriesOf(line, index) : endsOf(line, index)));
  ready.load(entries.flat());
  const ordered: Curve[] = [];
  let [x, y] = from;
  let reach = 0;
  while (ordered.length < lines.length) {
    const next = nearest(ready, x, y, reach);
    for (const entry of entries[next.outline]!) ready.remove(entry);
    const line = lines[next.outline]!;
    const run = isClosed(line) ? startAt(line, next.piece) : next.piece === 0 ? line : reverseCurve(line);
    reach = Math.hypot(next.minX - x, next.minY - y);
    [x, y] = [run.at(-2)!, run.at(-1)!];
    ordered.push(run);
  }
  const outlines = untangle(ordered, from);
  return { outlines, travel: travelOf(outlines, from) };
}

/** The way between lines in the order they come, each from its start to its end. */
export function travelOf(lines: readonly Curve[], from: readonly [x: number, y: number]): number {
  let travel = 0;
  let [x, y] = from;
  for (const line of lines) {
    travel += Math.hypot(line[0]! - x, line[1]! - y);
    [x, y] = [line.at(-2)!, line.at(-1)!];
  }
  return travel;
}

const endsOf = (line: Curve, outline: number): Entry[] =>
  [
    [line[0]!, line[1]!],
    [line.at(-2)!, line.at(-1)!],
  ].map(([x, y], end) => ({
    minX: x!,
    minY: y!,
    maxX: x!,
    maxY: y!,
    outline,
    piece: end,
  }));

/** How many lines on from each a stretch may reach, and all of them together, how often all are gone through, and what is not worth turning for. */
const STRETCH_MAX = 400;
const STEPS_MAX = 4e6;
const ROUNDS = 4;
const WORTH = 1e-6;

/** Turns stretches of the way round wherever that shortens it. */
function untangle(ordered: readonly Curve[], [x0, y0]: readonly [x: number, y: number]): Curve[] {
  const count = ordered.length;
  const order = Int32Array.from({ length: count }, (_, index) => index);
  const turned = new Uint8Array(count);
  const ends = ordered.map((line) => [line[0]!, line[1]!, line.at(-2)!, line.at(-1)!]);
  /** The place where the line at a position begins (0) or ends (2). */
  const between = (before: number, beforeEnd: 0 | 2, after: number, afterEnd: 0 | 2): number => {
    if (after >= count) return 0;
    const [ax, ay] = before < 0 ? [x0, y0] : place(before, beforeEnd);
    const [bx, by] = place(after, afterEnd);
    return Math.hypot(ax - bx, ay - by);
  };
  const place = (at: number, end: 0 | 2): [number, number] => {
    const line = order[at]!;
    const own = turned[line] === 1 ? 2 - end : end;
    return [ends[line]![own]!, ends[line]![own + 1]!];
  };
  const stretch = Math.min(STRETCH_MAX, Math.ceil(STEPS_MAX / Math.max(1, count)));
  for (let round = 0, gained = true; gained && round < ROUNDS; round++) {
    gained = false;
    for (let first = 0; first < count; first++)
      for (let last = first; last < Math.min(count, first + stretch); last++) {
        const now = between(first - 1, 2, first, 0) + between(last, 2, last + 1, 0);
        const then = between(first - 1, 2, last, 2) + between(first, 0, last + 1, 0);
        if (then >= now - WORTH) continue;
        order.subarray(first, last + 1).reverse();
        for (let at = first; at <= last; at++) turned[order[at]!]! ^= 1;
        gained = true;
      }
  }
  return Array.from(order, (line) => (turned[line] === 1 ? reverseCurve(ordered[line]!) : ordered[line]!));
}
