import { apply, invert, quadMatrix } from '../../editor/geometry.ts';
import type { Quad } from './quad.ts';

export type SurfaceKind = 'flat' | 'cylinder' | 'cloth';

/** Surface coordinates of each photo pixel: across and down, 0 to 1 on the surface. */
export interface SurfaceMap {
  /** Writes the coordinates at the pixel centres of a row, starting at `left`, to `across` and `down`. */
  row(y: number, left: number, across: Float64Array, down: Float64Array): void;
}

/** Half the angle that a label on a cylinder covers: a third of the circumference in total. */
const HALF_ANGLE = Math.PI / 3;

/** Sag of the middle of the upper and lower edge of a cylinder below their ends, as a fraction of its height: seen slightly from above. */
export const SAG = 0.05;

/** @param quad convex, so no three of its corners are collinear */
export function surfaceMap(quad: Quad, kind: SurfaceKind): SurfaceMap {
  const back = invert(quadMatrix({ width: 1, height: 1 }, quad)!);
  return {
    row(y, left, across, down) {
      for (let at = 0; at < across.length; at += 1)
        [across[at], down[at]] = apply(back, left + at + 0.5, y + 0.5);
      if (kind === 'cylinder') mapToCylinder(across, down);
    },
  };
}

/** Converts flat coordinates between the corners to coordinates on the label. */
function mapToCylinder(across: Float64Array, down: Float64Array): void {
  const rim = Math.cos(HALF_ANGLE);
  const half = Math.sin(HALF_ANGLE);
  for (let at = 0; at < across.length; at += 1) {
    const side = (2 * across[at]! - 1) * half;
    if (Math.abs(side) > half) continue;
    const angle = Math.asin(side);
    across[at] = 0.5 + angle / (2 * HALF_ANGLE);
    down[at]! -= (SAG * (Math.cos(angle) - rim)) / (1 - rim);
  }
}
