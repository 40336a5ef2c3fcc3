import type { Rgba } from '../color/css_color.ts';
import type { EditContext, Findings } from '../editor/context.ts';
import type { AppliedOperation, EditResources } from '../editor/edit_picture.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import type { TextResources } from '../typography/draw_text.ts';
import type { Layer } from './layers.ts';
import type { PageInks } from './vector/page_inks.ts';

/** Dependencies from the worker process. */
export interface ComposerResources extends TextResources, Pick<EditResources, 'labelTypeface'> {
  /** Inks of a print PDF. Default: colours are sRGB. */
  readonly inks?: PageInks | undefined;
  /** Decodes an image of any format to 8-bit sRGB with alpha. */
  readImage(
    bytes: Uint8Array,
  ): Promise<{ readonly raster: DeepRaster; readonly warnings: readonly string[] }>;
}

/** Resources for drawing layers. */
export interface Drawer {
  /** Image files, by the names that layers use. */
  readonly images: Readonly<Record<string, Uint8Array>>;
  readonly resources: ComposerResources;
  readonly dpi: number;
  /** Opaque background behind everything, on which codes are verified. */
  readonly ground: Rgba;
  /** Context for operations of layers. */
  readonly context: Omit<EditContext, 'findings' | 'dpi'>;
  /** Detections in images for their operations, by the names that layers use. */
  readonly findings: Readonly<Record<string, Findings>>;
  readonly facts: LayerFacts[];
}

/** Facts about a layer. Boxes in px of the canvas, or of the group that contains the layer. */
export interface LayerFacts {
  /** `layers.2`. */
  readonly layer: string;
  readonly type: Layer['type'];
  readonly name?: string | undefined;
  /** The caption that a layout added. */
  readonly caption?: string;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Size of text, px. */
  readonly size?: number;
  readonly lines?: readonly string[];
  readonly fonts?: readonly string[];
  readonly missingGlyphs?: readonly string[] | undefined;
  /** Results of its operations. */
  readonly applied?: readonly AppliedOperation[];
  readonly warnings?: readonly string[];
}
