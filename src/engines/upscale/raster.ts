import { decoded, openPicture } from '../picture/open_picture.ts';

/** A decoded picture, samples side by side: grey, grey and alpha, RGB or RGBA; alpha is not multiplied in. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  readonly depth: 8 | 16;
  readonly samples: Uint8Array | Uint16Array;
}

export const hasAlpha = ({ channels }: Pick<Raster, 'channels'>): boolean => channels % 2 === 0;
export const largestSample = ({ depth }: Pick<Raster, 'depth'>): number => 2 ** depth - 1;

/**
 * Decodes a picture into sRGB or grey, in 16 bits where it has them. CMYK goes through its profile.
 * @throws AtelierError undecodable_image, image_too_large
 */
export async function readRaster(bytes: Uint8Array): Promise<Raster> {
  const { space, depth, hasAlpha: isLayered } = await decoded(openPicture(bytes).metadata());
  const isDeep = depth === 'ushort' && space !== 'cmyk';
  const isGrey = space === 'b-w' || space === 'grey16';
  // As raw samples of 8 bits in grey, sharp leaves the alpha channel out.
  const isSpread = isGrey && !isDeep && isLayered;
  const target = isGrey && !isSpread ? (isDeep ? 'grey16' : 'b-w') : isDeep ? 'rgb16' : 'srgb';
  const picture = openPicture(bytes)
    .toColourspace(target)
    .raw({ depth: isDeep ? 'ushort' : 'uchar' });
  const { data, info } = await decoded(picture.toBuffer({ resolveWithObject: true }));
  return {
    width: info.width,
    height: info.height,
    channels: isSpread ? 2 : (info.channels as Raster['channels']),
    depth: isDeep ? 16 : 8,
    samples: isDeep ? wide(data) : isSpread ? greyAndAlpha(data) : data,
  };
}

function greyAndAlpha(rgba: Uint8Array): Uint8Array {
  return new Uint8Array(rgba.length / 2).map((_, at) => rgba[(at >> 1) * 4 + (at % 2) * 3]!);
}

function wide(bytes: Buffer): Uint16Array {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 2 === 0 ? bytes : Buffer.from(bytes);
  return new Uint16Array(buffer, byteOffset, byteLength / 2);
}
