import type { Box } from '../pixels/box.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import type { Part } from '../resample/resample.ts';
import type { TextResources } from '../typography/draw_text.ts';
import type { Typeface } from '../typography/typeface.ts';
import type { Canvas } from './canvas.ts';
import type { FoundGravity, FoundPlace, Operation } from './operations.ts';

/** Detections in the image before it was edited. */
export interface FoundBoxes {
  /** In fractions of the sides of the image as shown, 0 to 1. */
  readonly boxes: readonly Box[];
  /** Faces within the boxes, which a crop must not cut. */
  readonly faces?: readonly Box[] | undefined;
  /** Content of the boxes; undefined if nothing was detected. */
  readonly found: FoundGravity | undefined;
  readonly reason: string;
  /** Whether detection ran; false if no model for it is installed. */
  readonly isLookedFor: boolean;
}

/** The subject of the image before it was edited. */
export interface FoundSubject {
  /** An image file with the aspect ratio of the image as shown: the subject is opaque, or white if the file is opaque. */
  readonly mask: Uint8Array;
  /** Around the subject, in fractions of the sides. */
  readonly box: Box;
  /** How the subject was detected. */
  readonly reason: string;
}

/** Detections for content-aware crops, and for blur, pixelate and redact. */
export interface Findings {
  readonly crops: Partial<Record<FoundGravity, FoundBoxes>>;
  readonly places: Partial<Record<Exclude<FoundPlace, 'background'>, FoundBoxes>>;
  /** Subject excluded by `where: "background"`; undefined if no operation uses it. */
  readonly subject?: FoundSubject | undefined;
}

export const NOTHING_FOUND: Findings = { crops: {}, places: {} };

/** Resources of operations besides the canvas. */
export interface EditContext {
  /** Dots per inch for lengths in mm. */
  readonly dpi: number;
  /** Other images, by the name that operations use. RGB with or without alpha, sRGB, upright. */
  image(name: string): Promise<DeepRaster>;
  /** Text files, by the name that operations use. */
  text(name: string): string;
  readonly findings: Findings;
  /** Fonts for text. */
  readonly textResources?: TextResources | undefined;
  /** Typeface for labels. */
  labelTypeface?(): Typeface;
}

/** Result of an operation. */
export interface Done<Op extends Operation = Operation> {
  /** The operation with all detected values resolved, for the next frame. */
  readonly settled: Op | readonly Operation[];
  /** In pixels of the canvas before the operation. */
  readonly boxes?: readonly Part[];
  readonly reason?: string;
}

export type Perform<Op extends Operation> = (
  canvas: Canvas,
  operation: Op,
  context: EditContext,
) => Promise<Done>;
