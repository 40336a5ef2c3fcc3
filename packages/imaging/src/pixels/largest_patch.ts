import { patches } from './patches.ts';

/** Pixel positions of the largest connected component of a mask; empty if no pixel is set. */
export function largestPatch(mask: Uint8Array, width: number): Int32Array {
  let best = new Int32Array(0);
  for (const patch of patches(mask, width)) if (patch.length > best.length) best = patch.slice();
  return best;
}
