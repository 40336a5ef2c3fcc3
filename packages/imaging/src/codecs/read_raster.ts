import type { Sharp } from 'sharp';
import type { DeepRaster, Raster } from '../pixels/raster.ts';
import { awaitDecoding, openPicture } from './open_picture.ts';

/**
 * Decodes an image to sRGB or grey, in 16 bits if it has them. CMYK is converted through its profile.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function readRaster(bytes: Uint8Array): Promise<DeepRaster> {
  const { space, depth, hasAlpha: isLayered } = await awaitDecoding(openPicture(bytes).metadata());
  const isDeep = depth === 'ushort' && space !== 'cmyk';
  const isGrey = space === 'b-w' || space === 'grey16';
  // sharp omits the alpha channel from raw 8-bit greyscale samples.
  const isSpread = isGrey && !isDeep && isLayered;
  const target = isGrey && !isSpread ? (isDeep ? 'grey16' : 'b-w') : isDeep ? 'rgb16' : 'srgb';
  const picture = openPicture(bytes)
    .toColourspace(target)
    .raw({ depth: isDeep ? 'ushort' : 'uchar' });
  const raster = await rasterOf(picture);
  if (isSpread) return { ...raster, channels: 2, data: greyAndAlpha(raster.data) };
  return isDeep ? { ...raster, data: uint16Of(raster.data) } : raster;
}

/** Runs a pipeline to 8-bit samples. @throws EngineError undecodable_image, image_too_large */
export const decodeRaster = (pipeline: Sharp): Promise<Raster> => rasterOf(pipeline.raw({ depth: 'uchar' }));

/**
 * Frees the samples of an unused raster. Left to the garbage collector, a few images suffice to trigger full collections: a tenth of the decoding
 * time.
 */
export function releaseRaster({ data }: DeepRaster): void {
  // `transfer` requires Node.js 21. A view of a larger buffer, such as a module's memory, must not be freed.
  const buffer = data.buffer as ArrayBuffer & { transfer?(byteLength: number): ArrayBuffer };
  if (data.byteLength === buffer.byteLength) buffer.transfer?.(0);
}

async function rasterOf(raw: Sharp): Promise<Raster> {
  const { data, info } = await awaitDecoding(raw.toBuffer({ resolveWithObject: true }));
  return { width: info.width, height: info.height, channels: info.channels, data };
}

function greyAndAlpha(rgba: Uint8Array): Uint8Array {
  return new Uint8Array(rgba.length / 2).map((_, at) => rgba[(at >> 1) * 4 + (at % 2) * 3]!);
}

function uint16Of(bytes: Uint8Array): Uint16Array {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 2 === 0 ? bytes : Buffer.from(bytes);
  return new Uint16Array(buffer, byteOffset, byteLength / 2);
}
