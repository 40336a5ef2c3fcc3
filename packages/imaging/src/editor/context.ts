import type { Size } from '../pixels/plane.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import type { Part } from '../resample/resample.ts';
import type { Typeface } from '../typography/typeface.ts';
import type { Canvas } from './canvas.ts';
import type { FoundGravity, FoundPlace, Operation } from './operations.ts';

/** A window for a crop, and why it was chosen. */
export interface FoundWindow {
  readonly box: Part;
  readonly reason: string;
}

/** Finds what operations are about. Absent where the engine runs without it; the operation is refused then. */
export interface Finders {
  /** Places on a picture, and why. */
  findPlaces?(
    raster: DeepRaster,
    what: FoundPlace,
  ): Promise<{ readonly boxes: readonly Part[]; readonly reason: string }>;
  /**
   * @param size of the window; sides that are absent are left to the finder, which keeps `aspect` where there is one
   * @param padding pixels about what was found
   */
  findWindow?(
    raster: DeepRaster,
    gravity: FoundGravity,
    window: Partial<Size> & { readonly aspect?: number | undefined; readonly padding: number },
  ): Promise<FoundWindow>;
}

/** What operations need beside the canvas. */
export interface EditContext extends Finders {
  /** That lengths in mm count by. */
  readonly dpi: number;
  /** The other pictures, by the name operations use. RGB with or without opacity, sRGB, upright. */
  image(name: string): Promise<DeepRaster>;
  /** Text files, by the name operations use. */
  text(name: string): string;
  /** Of labels. */
  labelTypeface?(): Typeface;
}

/** What an operation did. */
export interface Done<Op extends Operation = Operation> {
  /** The operation in which everything it found is written down: the next frame gets the same. */
  readonly settled: Op | readonly Operation[];
  /** In pixels of the canvas before it. */
  readonly boxes?: readonly Part[];
  readonly reason?: string;
}

export type Perform<Op extends Operation> = (
  canvas: Canvas,
  operation: Op,
  context: EditContext,
) => Promise<Done>;
