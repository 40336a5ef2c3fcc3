import type { Size } from './plane.ts';

/** Scales a size down so that its longest side is at most `longest` pixels; never enlarges. */
export function fitInside({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
