import { readRaster } from '@atelier/imaging/codecs/read_raster.ts';
import type { Architecture } from '@atelier/imaging/upscale/architecture.ts';
import { tileRulesOf } from '@atelier/imaging/upscale/model_cost.ts';
import { meanPasses } from '@atelier/imaging/upscale/upscale_tiles.ts';

/**
 * Average number of times a model processes each pixel of an image, 1 to 2: the header does not tell how much transparency adds.
 * @throws AtelierError undecodable_image, image_too_large
 */
export async function runCountPasses({
  bytes,
  architecture,
}: {
  readonly bytes: Uint8Array;
  readonly architecture: Architecture;
}): Promise<number> {
  return meanPasses(await readRaster(bytes), tileRulesOf(architecture));
}
