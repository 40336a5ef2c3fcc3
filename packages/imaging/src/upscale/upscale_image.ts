import { readRaster } from '../codecs/read_raster.ts';
import { writePng } from '../codecs/write_png.ts';
import { depthOf } from '../pixels/raster.ts';
import { bleedColors } from './bleed_colors.ts';
import { enlargeTiles } from './enlarge_tiles.ts';
import type { Network } from './open_network.ts';

export interface UpscaledImage {
  /** The PNG in pieces, so that a large one is not held twice. */
  readonly pieces: Uint8Array[];
  readonly contentType: 'image/png';
  readonly width: number;
  readonly height: number;
  /** By the network, what tiles share counted as often as it was seen. */
  readonly pixelsSeen: number;
}

/**
 * Enlarges a picture tile by tile with a network and writes it as PNG: grey stays grey, 16 bits stay 16 bits, and
 * transparency is enlarged by itself. Beside the decoded picture only one row of tiles is held.
 * @param onProgress after every tile
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function upscaleImage(
  bytes: Uint8Array,
  network: Network,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<UpscaledImage> {
  const raster = await readRaster(bytes);
  bleedColors(raster);
  const [width, height] = [raster.width * network.scale, raster.height * network.scale];
  const png = writePng({ width, height, channels: raster.channels, depth: depthOf(raster) });
  const pixelsSeen = await enlargeTiles(raster, network, (band) => png.rows(band.data), onProgress);
  return { pieces: await png.finish(), contentType: 'image/png', width, height, pixelsSeen };
}
