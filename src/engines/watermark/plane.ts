/** One number a pixel, row by row; brightness from 0 to 255 where nothing else is said. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}
