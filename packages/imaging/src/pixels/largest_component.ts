import { connectedComponents } from './connected_components.ts';

/** Pixel positions of the largest connected component of a mask; empty if no pixel is set. */
export function largestComponent(mask: Uint8Array, width: number): Int32Array {
  let best = new Int32Array(0);
  for (const patch of connectedComponents(mask, width)) if (patch.length > best.length) best = patch.slice();
  return best;
}
