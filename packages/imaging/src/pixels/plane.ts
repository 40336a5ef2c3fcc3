/** A single-channel image, row by row from the top. Its producer states the meaning and range of the values. */
export interface Plane extends Size {
  readonly data: Float32Array;
}

/** Dimensions, in pixels unless stated otherwise. */
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
