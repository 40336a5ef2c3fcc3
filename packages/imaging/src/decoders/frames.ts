import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { readHeader } from '../codecs/read_header.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { EngineError } from '../errors/engine_error.ts';
import { decodeApngFrames, isApng } from './apng.ts';
import { refuseAnimation } from './bounds.ts';
import { ANIMATION_PIXELS_MAX } from './limits.ts';
import type { DecodedAnimation } from './types.ts';

/**
 * Decodes every frame of a GIF, WebP or PNG, composited to the full canvas, in sRGB. A still image has one frame.
 * @throws EngineError unsupported_image for other formats; undecodable_image, image_too_large
 */
export async function decodeFrames(bytes: Uint8Array): Promise<DecodedAnimation> {
  const { format } = readHeader(bytes);
  if (format === 'png') return isApng(bytes) ? decodeApngFrames(bytes) : decodeStill(bytes);
  if (format === 'gif' || format === 'webp') return decodePages(bytes);
  throw new EngineError(
    'unsupported_image',
    `A ${format.toUpperCase()} has no frames that are read. Send a GIF, an animated WebP or an APNG.`,
  );
}

async function decodeStill(bytes: Uint8Array): Promise<DecodedAnimation> {
  const { width, height, data } = await decodeRaster(openPicture(bytes).toColourspace('srgb').ensureAlpha());
  return { width, height, frames: [{ data, delayMs: 0 }], loop: 0 };
}

/** libvips stacks the frames vertically. */
async function decodePages(bytes: Uint8Array): Promise<DecodedAnimation> {
  // Reads only the header, whose sizes are checked here.
  const header = sharp(bytes, { pages: -1, limitInputPixels: false }).metadata();
  const { pages = 1, delay = [], loop = 0, width, height, pageHeight = height } = await awaitDecoding(header);
  const canvas = { width, height: pageHeight };
  refuseAnimation(canvas, pages);
  const all = sharp(bytes, { pages: -1, failOn: 'warning', limitInputPixels: ANIMATION_PIXELS_MAX });
  const { data } = await decodeRaster(all.toColourspace('srgb').ensureAlpha());
  const frameBytes = 4 * width * pageHeight;
  const frames = Array.from({ length: pages }, (_, index) => ({
    data: data.subarray(index * frameBytes, (index + 1) * frameBytes),
    delayMs: delay[index] ?? 0,
  }));
  return { ...canvas, frames, loop };
}
