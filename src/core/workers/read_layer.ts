import { openPicture } from '@atelier/imaging/codecs/open_picture.ts';
import { decodeRaster } from '@atelier/imaging/codecs/read_raster.ts';
import type { Raster } from '@atelier/imaging/pixels/raster.ts';
import { withPrepared } from './with_prepared.ts';

export interface ReadLayer {
  /** 8-bit sRGB, four channels. */
  readonly raster: Raster;
  /** Warnings about how the file was read. */
  readonly warnings: readonly string[];
}

/**
 * Decodes an additional image of an engine: a layer, an overlay, a mask. Any accepted format, first page or frame, upright, sRGB with
 * alpha.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export const readLayer = (bytes: Uint8Array): Promise<ReadLayer> =>
  withPrepared(bytes, async ({ bytes: read, notes }) => ({
    raster: await decodeRaster(openPicture(read).toColourspace('srgb').ensureAlpha()),
    warnings: notes.warnings,
  }));
