/** Lanczos' kernel of three lobes: the weight of a sample so many pixels, of the coarser of two pictures, from where it is wanted. */
export function lanczosWeight(distance: number): number {
  if (distance === 0) return 1;
  if (Math.abs(distance) >= LANCZOS_LOBES) return 0;
  const angle = Math.PI * distance;
  return (LANCZOS_LOBES * Math.sin(angle) * Math.sin(angle / LANCZOS_LOBES)) / (angle * angle);
}

/** How far Lanczos' kernel looks, in pixels of the coarser picture. */
export const LANCZOS_LOBES = 3;
