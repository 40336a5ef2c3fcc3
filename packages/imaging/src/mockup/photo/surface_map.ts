import { apply, invert, quadMatrix } from '../../editor/geometry.ts';
import type { Quad } from './quad.ts';

export type SurfaceKind = 'flat' | 'cylinder' | 'cloth';

/** Which place of a surface each pixel of a photo shows: across and down, 0 to 1 within it. */
export interface SurfaceMap {
  /** Puts the places seen at the middles of the pixels `left` … of a row into `across` and `down`. */
  row(y: number, left: number, across: Float64Array, down: Float64Array): void;
}

/** Of a cylinder, half of the angle between its sides as seen from its axis: a label goes round a third of a bottle. */
const HALF_ANGLE = Math.PI / 3;

/** How far the middle of the upper and lower edge of a cylinder hangs below their ends, as a part of its height: seen a little from above. */
export const BEND = 0.05;

/** @param quad convex, so no three of its corners lie on a line */
export function surfaceMap(quad: Quad, kind: SurfaceKind): SurfaceMap {
  const back = invert(quadMatrix({ width: 1, height: 1 }, quad)!);
  return {
    row(y, left, across, down) {
      for (let at = 0; at < across.length; at += 1)
        [across[at], down[at]] = apply(back, left + at + 0.5, y + 0.5);
      if (kind === 'cylinder') bendRow(across, down);
    },
  };
}

/** From places of the flat shape between the corners to places of the label. */
function bendRow(across: Float64Array, down: Float64Array): void {
  const rim = Math.cos(HALF_ANGLE);
  const half = Math.sin(HALF_ANGLE);
  for (let at = 0; at < across.length; at += 1) {
    const side = (2 * across[at]! - 1) * half;
    if (Math.abs(side) > half) continue;
    const angle = Math.asin(side);
    across[at] = 0.5 + angle / (2 * HALF_ANGLE);
    down[at]! -= (BEND * (Math.cos(angle) - rim)) / (1 - rim);
  }
}
