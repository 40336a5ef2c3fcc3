import type { Raster } from '../pixels/raster.ts';
import type { Partition } from './partition.ts';
import type { Fill } from './write_svg.ts';

export type OnProgress = (fraction: number, message: string) => void;

/** What a drawing of dots is bound by, in squared error of three 8-bit channels. */
export interface DotPrices {
  /** What a dot has to take off. */
  readonly dot: number;
  /** What a path of dots of one more colour has to take off. */
  readonly path: number;
  /** The mean error a pixel at which no more dots are drawn. */
  readonly enough: number;
}

/** A picture divided into areas, each with its fill: what is left is to draw their outlines. */
export interface Sketch {
  /** What the outlines follow. */
  readonly picture: Raster;
  /** Its pixels across a pixel of the image: 1, more where it was enlarged. */
  readonly times: number;
  readonly areas: Partition;
  readonly fills: Fill[];
  /** Whether fills may be corrected by how they look in the drawing. */
  readonly correctable: boolean;
  /** Where detail smaller than areas is drawn as dots. */
  readonly dots?: DotPrices;
  /** The colour that is not drawn, where a picture of several inks has one. */
  readonly paper?: readonly [red: number, green: number, blue: number];
  /** Gives up detail, to about this share (below 1) of the sketch's nodes; may be called once. */
  readonly coarsen: (share: number) => Sketch;
}

/** Pixels of the smallest area that a filter_speckle keeps: about its square, less where that could be a letter's dot. */
export const areaMinOf = (filterSpeckle: number): number =>
  Math.max(1, filterSpeckle * (filterSpeckle - 2), Math.min(4, filterSpeckle ** 2));
