import { readRaster } from '../engines/picture/read_raster.ts';
import type { Architecture } from '../engines/upscale/architecture.ts';
import { rulesOf } from '../engines/upscale/effort.ts';
import { passesOver } from '../engines/upscale/enlarge_tiles.ts';

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
