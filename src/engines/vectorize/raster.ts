/** 8-bit sRGB pixels with opacity, not premultiplied. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** A pixel below half opacity is left out of a drawing: shapes have hard edges. */
export const OPAQUE_MIN = 128;
