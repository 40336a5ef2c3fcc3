import { readRaster } from '@atelier/imaging/codecs/read_raster.ts';
import type { Architecture } from '@atelier/imaging/upscale/architecture.ts';
import { rulesOf } from '@atelier/imaging/upscale/effort.ts';
import { passesOver } from '@atelier/imaging/upscale/enlarge_tiles.ts';

/**
 * How often a network would see each pixel of a picture, 1 to 2: what transparency adds cannot be told from a header.
 * @throws AtelierError undecodable_image, image_too_large
 */
export async function runCountPasses({
  bytes,
  architecture,
}: {
  readonly bytes: Uint8Array;
  readonly architecture: Architecture;
}): Promise<number> {
  return passesOver(await readRaster(bytes), rulesOf(architecture));
}
