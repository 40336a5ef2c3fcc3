import type { Rgba } from '../color/css_color.ts';
import type { EditContext, Findings } from '../editor/context.ts';
import type { AppliedOperation, EditResources } from '../editor/edit_picture.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import type { TextResources } from '../typography/draw_text.ts';
import type { Layer } from './layers.ts';
import type { PageInks } from './vector/page_inks.ts';

/** What the composer is given by its process. */
export interface ComposerResources extends TextResources, Pick<EditResources, 'labelTypeface'> {
  /** Of a PDF for a press. Absent: its colours are sRGB. */
  readonly inks?: PageInks | undefined;
  /** Decodes an image of any format, to 8 bits in sRGB with opacity. */
  readImage(
    bytes: Uint8Array,
  ): Promise<{ readonly raster: DeepRaster; readonly warnings: readonly string[] }>;
}

/** What every layer is drawn with. */
export interface Drawer {
  /** Files of the images, by the names layers use. */
  readonly images: Readonly<Record<string, Uint8Array>>;
  readonly resources: ComposerResources;
  readonly dpi: number;
  /** Behind everything, opaque: what codes are read back on. */
  readonly ground: Rgba;
  /** What operations of layers need. */
  readonly context: Omit<EditContext, 'findings' | 'dpi'>;
  /** What was found in images for their operations, by the names layers use. */
  readonly findings: Readonly<Record<string, Findings>>;
  readonly facts: LayerFacts[];
}

/** What became of a layer. Boxes in px of the canvas, or of the group the layer is in. */
export interface LayerFacts {
  /** `layers.2`. */
  readonly layer: string;
  readonly type: Layer['type'];
  readonly name?: string | undefined;
  /** What a layout wrote below it. */
  readonly caption?: string;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Of text, px. */
  readonly size?: number;
  readonly lines?: readonly string[];
  readonly fonts?: readonly string[];
  readonly missingGlyphs?: readonly string[] | undefined;
  /** What its operations did. */
  readonly applied?: readonly AppliedOperation[];
  readonly warnings?: readonly string[];
}
