import type { Partition } from './partition.ts';
import type { Raster } from './raster.ts';
import type { Fill } from './write_svg.ts';

export type OnProgress = (fraction: number, message: string) => void;

/** A picture divided into areas, each with its fill: what is left is to draw their outlines. */
export interface Sketch {
  /** What the outlines follow. */
  readonly picture: Raster;
  readonly areas: Partition;
  readonly fills: Fill[];
  /** Whether fills may be corrected by how they look in the drawing. */
  readonly correctable: boolean;
  /** About how many nodes the drawing takes at the settings asked for; the areas here take no more than was allowed. */
  readonly nodesWanted: number;
  /** What to ask for instead where that is more, as words for a person. */
  readonly remedy: string;
}

export interface SketchSettings {
  /** Pixels of the smallest area that is kept. */
  readonly areaMin: number;
  readonly nodesMax: number;
}

/** Pixels of the smallest area that a filter_speckle keeps: about its square, less where that could be a letter's dot. */
export const areaMinOf = (filterSpeckle: number): number => Math.max(1, filterSpeckle * (filterSpeckle - 2));

/** The filter_speckle that keeps nothing smaller than so many pixels. */
export const filterSpeckleOf = (areaMin: number): number => Math.ceil(1 + Math.sqrt(1 + areaMin));
