import type { Size } from '../../pixels/plane.ts';

/** Opacity of art in pixels, 0 to 1, with empty pixels all round it. */
export interface Opacity extends Size {
  readonly share: Float32Array;
  readonly pixelsPerMm: number;
}
