/** One number a pixel, row by row from the top. What it stands for, and in which range, is said where it is made. */
export interface Plane extends Size {
  readonly data: Float32Array;
}

/** Sides, in pixels where nothing else is said. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A plane of zeros. */
export const planeOf = ({ width, height }: Size): Plane => ({
  width,
  height,
  data: new Float32Array(width * height),
});
