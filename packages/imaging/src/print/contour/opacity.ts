import type { Size } from '../../pixels/plane.ts';

/** Opacity of artwork per pixel, 0 to 1, with a transparent border. */
export interface Opacity extends Size {
  readonly coverage: Float32Array;
  readonly pixelsPerMm: number;
}
