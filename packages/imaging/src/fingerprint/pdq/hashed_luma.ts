import { groundFor } from '../../codecs/ground.ts';
import { openPicture } from '../../codecs/open_picture.ts';
import { decodeRaster } from '../../codecs/read_raster.ts';
import { LUMA_SHARES } from '../../pixels/luma.ts';
import type { Plane } from '../../pixels/plane.ts';
import type { Raster } from '../../pixels/raster.ts';

/** A larger side is brought to this before hashing, as in the reference, which does not keep the aspect. */
const HASHED_SIDE_PX_MAX = 512;

/**
 * The luma of a picture as PDQ reads it: transparent parts on black, or on white where black would hide the picture, sides above 512 thinned out to 512 without mixing pixels.
 * With the size of the picture itself, upright.
 */
export async function hashedLuma(bytes: Uint8Array): Promise<{ luma: Plane; width: number; height: number }> {
  const background = await groundFor(bytes, '#000000');
  const picture = await decodeRaster(
    openPicture(bytes).toColourspace('srgb').flatten({ background }).removeAlpha(),
  );
  return { luma: thinLuma(picture), width: picture.width, height: picture.height };
}

/** @param from grey or RGB */
function thinLuma({ data, ...from }: Raster): Plane {
  const isLarge = from.width > HASHED_SIDE_PX_MAX || from.height > HASHED_SIDE_PX_MAX;
  const [width, height] = isLarge ? [HASHED_SIDE_PX_MAX, HASHED_SIDE_PX_MAX] : [from.width, from.height];
  const luma = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = Math.trunc((y * from.height) / height) * from.width;
    for (let x = 0; x < width; x++) {
      const at = (row + Math.trunc((x * from.width) / width)) * from.channels;
      luma[y * width + x] = from.channels < 3 ? data[at]! : lumaOf(data[at]!, data[at + 1]!, data[at + 2]!);
    }
  }
  return { data: luma, width, height };
}

const [RED, GREEN, BLUE] = LUMA_SHARES.map(Math.fround) as [number, number, number];

/** ITU-R BT.601 in 32-bit steps. */
const lumaOf = (red: number, green: number, blue: number): number =>
  Math.fround(Math.fround(Math.fround(RED * red) + Math.fround(GREEN * green)) + Math.fround(BLUE * blue));
