import { decoded, openPicture } from '../picture/open_picture.ts';
import type { Plane } from '../pixels/plane.ts';

/** Longest side, in pixels. */
const SIDE_PX = 384;

export interface SmallPicture {
  /** Three bytes a pixel, row by row. */
  readonly rgb: Uint8Array;
  readonly grey: Plane;
  readonly width: number;
  readonly height: number;
}

/** A picture in small, transparent parts on black. @throws AtelierError undecodable_image, image_too_large */
export async function smallPicture(bytes: Uint8Array): Promise<SmallPicture> {
  const { data, info } = await decoded(
    openPicture(bytes)
      .toColourspace('srgb')
      .flatten({ background: '#000' })
      .removeAlpha()
      .resize(SIDE_PX, SIDE_PX, { fit: 'inside' })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  );
  const { width, height, channels } = info;
  const rgb =
    channels === 3
      ? new Uint8Array(data)
      : Uint8Array.from({ length: width * height * 3 }, (_, at) => data[Math.floor(at / 3) * channels]!);
  const grey = Float32Array.from(
    { length: width * height },
    (_, at) => 0.299 * rgb[3 * at]! + 0.587 * rgb[3 * at + 1]! + 0.114 * rgb[3 * at + 2]!,
  );
  return { rgb, grey: { data: grey, width, height }, width, height };
}
