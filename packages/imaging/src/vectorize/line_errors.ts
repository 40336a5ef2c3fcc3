import { flattenCurve } from './curve.ts';
import type { Curve, Points } from './fit_curve.ts';

/** How far drawn lines pass from the edges they follow. */
export interface LineErrors {
  /** Counts the points of a curve by how far they lie from the places (`placePoints`, `placeMiddle`) it was drawn through. */
  add(curve: Curve, places: Points): void;
  /** Pixels that 95 of 100 points stay within; undefined where none was counted. */
  readonly p95: () => number | undefined;
}

/** Hundredths of a pixel that are told apart, the last standing for all beyond. */
const STEPS = 800;
/** How many places ahead the nearest piece is looked for: points of both follow each other, so it is never far. */
const AHEAD = 24;

/** Begins to count. */
export function lineErrors(): LineErrors {
  const counts = new Uint32Array(STEPS);
  let total = 0;
  return {
    add(curve, places) {
      const drawn = flattenCurve(curve);
      let piece = 0;
      for (let at = 2; at < drawn.length; at += 2) {
        const [x, y] = [drawn[at - 2]!, drawn[at - 1]!];
        const [dx, dy] = [drawn[at]! - x, drawn[at + 1]! - y];
        // A point about every pixel, so that a long straight piece counts as much as a bent one.
        const steps = Math.max(1, Math.round(Math.hypot(dx, dy)));
        for (let step = 0; step < steps; step++) {
          const near = nearestPiece(x + (step / steps) * dx, y + (step / steps) * dy, places, piece);
          piece = near.piece;
          counts[Math.min(STEPS - 1, Math.round(100 * near.distance))]!++;
          total++;
        }
      }
    },
    p95() {
      if (total === 0) return undefined;
      let below = 0;
      for (let step = 0; step < STEPS; step++) {
        below += counts[step]!;
        if (below >= 0.95 * total) return step / 100;
      }
      return undefined;
    },
  };
}

function nearestPiece(x: number, y: number, places: Points, from: number) {
  const last = places.length / 2 - 2;
  let [square, piece] = [Infinity, from];
  for (let index = Math.max(0, from - 2); index <= Math.min(last, from + AHEAD); index++) {
    const [ax, ay] = [places[2 * index]!, places[2 * index + 1]!];
    const [dx, dy] = [places[2 * index + 2]! - ax, places[2 * index + 3]! - ay];
    const length = dx * dx + dy * dy;
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
    const own = (x - ax - along * dx) ** 2 + (y - ay - along * dy) ** 2;
    if (own >= square) continue;
    square = own;
    piece = index;
  }
  return { distance: Math.sqrt(square), piece };
}
