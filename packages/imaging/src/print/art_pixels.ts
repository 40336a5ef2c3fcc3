import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import type { Raster } from '../pixels/raster.ts';

/** A decoded artwork: three samples of sRGB a pixel, transparency laid on white; or four inks as they are. */
export interface ArtPixels {
  readonly raster: Raster;
  readonly isCmyk: boolean;
  /** ICC profile of a CMYK picture. */
  readonly profile: Uint8Array | undefined;
  readonly hasTransparency: boolean;
}

/** @throws EngineError undecodable_image, image_too_large */
export async function artPixels(bytes: Uint8Array): Promise<ArtPixels> {
  const { space, icc } = await awaitDecoding(openPicture(bytes).metadata());
  const isCmyk = space === 'cmyk';
  const hasTransparency = !isCmyk && (await hasClearPixel(bytes));
  const source = isCmyk
    ? openPicture(bytes).pipelineColourspace('cmyk').toColourspace('cmyk')
    : openPicture(bytes).flatten({ background: '#ffffff' }).toColourspace('srgb');
  return {
    raster: await decodeRaster(source),
    isCmyk,
    profile: isCmyk ? icc : undefined,
    hasTransparency,
  };
}

async function hasClearPixel(bytes: Uint8Array): Promise<boolean> {
  const { hasAlpha } = await awaitDecoding(openPicture(bytes).metadata());
  if (!hasAlpha) return false;
  return !(await awaitDecoding(openPicture(bytes).stats())).isOpaque;
}

/** Inks as they came, with a fifth sample that says they miss nothing. */
export function appendNoMiss(
  inks: Uint8ClampedArray,
  into = new Uint8ClampedArray((inks.length / 4) * 5),
): Uint8ClampedArray {
  for (let from = 0, to = 0; from < inks.length; from += 4, to += 5) {
    for (let ink = 0; ink < 4; ink += 1) into[to + ink] = inks[from + ink]!;
    into[to + 4] = 0;
  }
  return into;
}
