/** Three-lobed Lanczos kernel: the weight of a sample at a distance in pixels of the coarser image. */
export function lanczosWeight(distance: number): number {
  if (distance === 0) return 1;
  if (Math.abs(distance) >= LANCZOS_LOBES) return 0;
  const angle = Math.PI * distance;
  return (LANCZOS_LOBES * Math.sin(angle) * Math.sin(angle / LANCZOS_LOBES)) / (angle * angle);
}

/** Radius of the Lanczos kernel, in pixels of the coarser image. */
export const LANCZOS_LOBES = 3;
