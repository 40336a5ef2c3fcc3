import type { Box } from '../pixels/box.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import type { Part } from '../resample/resample.ts';
import type { TextResources } from '../typography/draw_text.ts';
import type { Typeface } from '../typography/typeface.ts';
import type { Canvas } from './canvas.ts';
import type { FoundGravity, FoundPlace, Operation } from './operations.ts';

/** What was found in the picture before it was edited. */
export interface FoundBoxes {
  /** In parts of the sides of the picture as shown, 0 to 1. */
  readonly boxes: readonly Box[];
  /** Faces of what the boxes show, which a crop must not cut. */
  readonly faces?: readonly Box[] | undefined;
  /** What the boxes show; undefined where nothing was found. */
  readonly found: FoundGravity | undefined;
  readonly reason: string;
  /** Nothing looked, as no network for it is installed. */
  readonly isLookedFor: boolean;
}

/** The subject of the picture before it was edited. */
export interface FoundSubject {
  /** An image file of the proportions of the picture as shown: the subject is opaque, or white where all is opaque. */
  readonly mask: Uint8Array;
  /** Around the subject, in parts of the sides. */
  readonly box: Box;
  /** How it was found. */
  readonly reason: string;
}

/** For crops by what they show, and for blur, pixelate and redact. */
export interface Findings {
  readonly crops: Partial<Record<FoundGravity, FoundBoxes>>;
  readonly places: Partial<Record<Exclude<FoundPlace, 'background'>, FoundBoxes>>;
  /** What `where: "background"` leaves out; absent where no operation asks for it. */
  readonly subject?: FoundSubject | undefined;
}

export const NOTHING_FOUND: Findings = { crops: {}, places: {} };

/** What operations need beside the canvas. */
export interface EditContext {
  /** That lengths in mm count by. */
  readonly dpi: number;
  /** The other pictures, by the name operations use. RGB with or without opacity, sRGB, upright. */
  image(name: string): Promise<DeepRaster>;
  /** Text files, by the name operations use. */
  text(name: string): string;
  readonly findings: Findings;
  /** Fonts of text. */
  readonly textResources?: TextResources | undefined;
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
