import type { Raster } from '../pixels/raster.ts';

/** A drawn layer, cropped to its ink, and its position on a canvas. */
export interface DrawnLayer {
  /** 8-bit sRGB, alpha not premultiplied. Absent if nothing is visible on the canvas. */
  readonly raster?: Raster;
  /** Whole canvas px; a layer may extend beyond the canvas. */
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
