import { patches } from './patches.ts';

/** Pixels of the largest connected area of a mask; empty where nothing is set. */
export function largestPatch(mask: Uint8Array, width: number): Int32Array {
  let best = new Int32Array(0);
  for (const patch of patches(mask, width)) if (patch.length > best.length) best = patch.slice();
  return best;
}
