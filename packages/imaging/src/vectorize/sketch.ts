import type { Raster } from '../pixels/raster.ts';
import type { Partition } from './partition.ts';
import type { Fill } from './write_svg.ts';

export type OnProgress = (fraction: number, message: string) => void;

/** Cost limits of dots, as squared error of three 8-bit channels. */
export interface DotPrices {
  /** Minimum error reduction of a dot. */
  readonly dot: number;
  /** Minimum error reduction of another path of dots, with its own colour. */
  readonly path: number;
  /** Mean error per pixel at which no more dots are drawn. */
  readonly enough: number;
}

/** An image divided into areas with fills, ready for outlining. */
export interface Sketch {
  /** What the outlines follow. */
  readonly picture: Raster;
  /** Source of subpixel positions, if not the image, and how far (pixels) outlines may pass from them, if less than usual. */
  readonly edges?: { readonly picture: Raster; readonly tolerance: number };
  /** Traced pixels per image pixel and axis: 1, or more if the image was upscaled. */
  readonly times: number;
  readonly areas: Partition;
  readonly fills: Fill[];
  /** Whether fills may be corrected from the rendered drawing. */
  readonly correctable: boolean;
  /** Present if details smaller than areas are drawn as dots. */
  readonly dots?: DotPrices;
  /** Background colour that is not drawn, in an image of several inks. */
  readonly paper?: readonly [red: number, green: number, blue: number];
  /** Gives up detail, to about this share (below 1) of the sketch's nodes; may be called once. */
  readonly coarsen: (share: number) => Sketch;
}

/**
 * Smallest area that a filter_speckle value keeps, in pixels: about its square, but less if it could be the dot of a
 * letter.
 */
export const areaMinOf = (filterSpeckle: number): number =>
  Math.max(1, filterSpeckle * (filterSpeckle - 2), Math.min(4, filterSpeckle ** 2));

/** Limits of the factor by which the smallest area grows if there is too much detail; the effect of growth varies. */
const COARSER_LEAST = 1.25;
const COARSER_MOST = 4;

/** The smallest area (pixels) kept to give up detail to about this share of the nodes. */
export const coarserArea = (areaMin: number, share: number): number =>
  Math.ceil(areaMin * Math.min(COARSER_MOST, Math.max(COARSER_LEAST, 1 / share)));
