import { decoded, openPicture } from '../picture/open_picture.ts';

/** 8-bit sRGB samples, what is transparent shown on white. */
export interface Raster {
  readonly rgb: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface OpenedRasters {
  /** Of the picture as it is shown, in pixels. */
  readonly width: number;
  readonly height: number;
  /** All of it, at most `WHOLE_PX` wide and high. */
  readonly whole: Raster;
  /** The same with its opacity, four samples a pixel. */
  readonly rgba: Uint8Array;
  /** At most `DETAIL_PX` square from the middle, at the size of the file. */
  readonly detail: Raster;
  /** Part of the picture that is transparent, 0 to 1. */
  readonly transparent: number;
}

const WHOLE_PX = 640;
const DETAIL_PX = 512;

/** @throws AtelierError undecodable_image, image_too_large, unsupported_image */
export async function openRasters(bytes: Uint8Array): Promise<OpenedRasters> {
  const { width, height } = await shownSize(bytes);
  const small = await decoded(
    openPicture(bytes)
      .resize({ width: WHOLE_PX, height: WHOLE_PX, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  );
  const [cutWidth, cutHeight] = [Math.min(DETAIL_PX, width), Math.min(DETAIL_PX, height)];
  const detail = await decoded(
    openPicture(bytes)
      .extract({
        left: (width - cutWidth) >> 1,
        top: (height - cutHeight) >> 1,
        width: cutWidth,
        height: cutHeight,
      })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer(),
  );
  const size = { width: small.info.width, height: small.info.height };
  const { rgb, transparent } = onWhite(small.data);
  return {
    width,
    height,
    whole: { rgb, ...size },
    rgba: small.data,
    detail: { rgb: detail, width: cutWidth, height: cutHeight },
    transparent,
  };
}

/** After a camera's turn has been applied. */
async function shownSize(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  const { autoOrient } = await decoded(openPicture(bytes).metadata());
  return { width: autoOrient.width, height: autoOrient.height };
}

function onWhite(rgba: Uint8Array): { rgb: Uint8Array; transparent: number } {
  const count = rgba.length / 4;
  const rgb = new Uint8Array(3 * count);
  let clear = 0;
  for (let pixel = 0; pixel < count; pixel++) {
    const opacity = rgba[4 * pixel + 3]! / 255;
    if (opacity < 0.5) clear++;
    for (let channel = 0; channel < 3; channel++)
      rgb[3 * pixel + channel] = Math.round(opacity * rgba[4 * pixel + channel]! + 255 * (1 - opacity));
  }
  return { rgb, transparent: clear / count };
}

/** Every second pixel each way of a large picture: its colours to the bit, and near enough its shares. @param rgba four samples a pixel */
export function thinned(rgba: Uint8Array, { width, height }: Pick<Raster, 'width' | 'height'>): Uint8Array {
  if (Math.max(width, height) <= WHOLE_PX / 2) return rgba;
  const pixels = new Uint32Array(new Uint8Array(rgba).buffer);
  const out = new Uint32Array(Math.ceil(width / 2) * Math.ceil(height / 2));
  let count = 0;
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) out[count++] = pixels[y * width + x]!;
  return new Uint8Array(out.buffer);
}
