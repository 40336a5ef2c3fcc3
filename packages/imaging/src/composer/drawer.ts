import type { Size } from '../pixels/plane.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import type { TextResources } from '../typography/draw_text.ts';
import type { Layer } from './layers.ts';

/** What the composer is given by its process. */
export interface ComposerResources extends TextResources {
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
  readonly facts: LayerFacts[];
  /** Sizes of images, once read. */
  readonly read: Map<string, Size>;
}

/** What became of a layer. Boxes in px of the canvas, or of the group the layer is in. */
export interface LayerFacts {
  /** `layers.2`. */
  readonly layer: string;
  readonly type: Layer['type'];
  readonly name?: string | undefined;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Of text, px. */
  readonly size?: number;
  readonly lines?: readonly string[];
  readonly fonts?: readonly string[];
  readonly missingGlyphs?: readonly string[];
  readonly warnings?: readonly string[];
}
