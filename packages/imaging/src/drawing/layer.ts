import type { Raster } from '../pixels/raster.ts';

/** Something drawn, as large as its ink, and where it is on a canvas. */
export interface DrawnLayer {
  /** 8 bits, sRGB, opacity not multiplied in. Absent where nothing is visible on the canvas. */
  readonly raster?: Raster;
  /** In px of the canvas, whole numbers; a layer may reach beyond the canvas. */
  readonly left: number;
  readonly top: number;
}

/** A box of whole pixels. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
