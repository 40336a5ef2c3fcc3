import { openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { shownSize } from '../codecs/shown_size.ts';
import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';

/** An image at the sizes for analysis, and its size as shown. */
export interface OpenedRasters extends Size {
  /** The whole image on white, at most `WHOLE_PX` wide and high. */
  readonly whole: Raster;
  /** `whole` with alpha instead of a background. */
  readonly rgba: Raster;
  /** The centre, at most `DETAIL_PX` square, at full resolution. */
  readonly detail: Raster;
  /** Transparent share of the image, 0 to 1. */
  readonly transparent: number;
}

const WHOLE_PX = 640;
const DETAIL_PX = 512;

/** @throws EngineError undecodable_image, image_too_large, unsupported_image */
export async function openRasters(bytes: Uint8Array): Promise<OpenedRasters> {
  const { width, height } = await shownSize(bytes);
  const rgba = await decodeRaster(
    openPicture(bytes)
      .resize({ width: WHOLE_PX, height: WHOLE_PX, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha(),
  );
  const [cutWidth, cutHeight] = [Math.min(DETAIL_PX, width), Math.min(DETAIL_PX, height)];
  const detail = await decodeRaster(
    openPicture(bytes)
      .extract({
        left: (width - cutWidth) >> 1,
        top: (height - cutHeight) >> 1,
        width: cutWidth,
        height: cutHeight,
      })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .removeAlpha(),
  );
  return { width, height, rgba, detail, ...flattenOnWhite(rgba) };
}

function flattenOnWhite({ width, height, data: rgba }: Raster): Pick<OpenedRasters, 'whole' | 'transparent'> {
  const count = width * height;
  const rgb = new Uint8Array(3 * count);
  let clear = 0;
  for (let pixel = 0; pixel < count; pixel++) {
    const opacity = rgba[4 * pixel + 3]! / 255;
    if (opacity < 0.5) clear++;
    for (let channel = 0; channel < 3; channel++)
      rgb[3 * pixel + channel] = Math.round(opacity * rgba[4 * pixel + channel]! + 255 * (1 - opacity));
  }
  return { whole: { width, height, channels: 3, data: rgb }, transparent: clear / count };
}

/** Every second pixel in each direction of a large image: exact colours, approximate shares. @param picture with alpha */
export function thinPixels({ width, height, data: rgba }: Raster): Uint8Array {
  if (Math.max(width, height) <= WHOLE_PX / 2) return rgba;
  const pixels = new Uint32Array(new Uint8Array(rgba).buffer);
  const out = new Uint32Array(Math.ceil(width / 2) * Math.ceil(height / 2));
  let count = 0;
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) out[count++] = pixels[y * width + x]!;
  return new Uint8Array(out.buffer);
}
