import type { Sharp } from 'sharp';
import type { DeepRaster, Raster } from '../pixels/raster.ts';
import { awaitDecoding, openPicture } from './open_picture.ts';

/**
 * Decodes a picture into sRGB or grey, in 16 bits where it has them. CMYK goes through its profile.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function readRaster(bytes: Uint8Array): Promise<DeepRaster> {
  const { space, depth, hasAlpha: isLayered } = await awaitDecoding(openPicture(bytes).metadata());
  const isDeep = depth === 'ushort' && space !== 'cmyk';
  const isGrey = space === 'b-w' || space === 'grey16';
  // sharp leaves the alpha channel out of raw samples of 8 bits in grey.
  const isSpread = isGrey && !isDeep && isLayered;
  const target = isGrey && !isSpread ? (isDeep ? 'grey16' : 'b-w') : isDeep ? 'rgb16' : 'srgb';
  const picture = openPicture(bytes)
    .toColourspace(target)
    .raw({ depth: isDeep ? 'ushort' : 'uchar' });
  const raster = await rasterOf(picture);
  if (isSpread) return { ...raster, channels: 2, data: greyAndAlpha(raster.data) };
  return isDeep ? { ...raster, data: uint16Of(raster.data) } : raster;
}

/** What a pipeline makes of a picture, in 8 bits. @throws EngineError undecodable_image, image_too_large */
export const decodeRaster = (pipeline: Sharp): Promise<Raster> => rasterOf(pipeline.raw({ depth: 'uchar' }));

/**
 * Frees the samples of a raster that nothing reads any more. Left to the garbage collector, some images are enough for it to walk through
 * everything: a tenth of the time of decoding them.
 */
export function releaseRaster({ data }: DeepRaster): void {
  // Node has it from 21 on. A part of a larger buffer, such as the memory of a module, is not its own to free.
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
