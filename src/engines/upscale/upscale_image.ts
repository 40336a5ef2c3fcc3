import { writePng } from '../picture/write_png.ts';
import { bleedColors } from './bleed_colors.ts';
import { enlargeAlpha, enlargeColors } from './enlarge_tile.ts';
import type { Network } from './open_network.ts';
import { planTiles, type Tile } from './plan_tiles.ts';
import { hasAlpha, type Raster, readRaster } from './raster.ts';

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
 * @throws AtelierError undecodable_image, unsupported_image, image_too_large
 */
export async function upscaleImage(
  bytes: Uint8Array,
  network: Network,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<UpscaledImage> {
  const raster = await readRaster(bytes);
  bleedColors(raster);
  const { scale, rules } = network;
  const { channels, depth } = raster;
  const [width, height] = [raster.width * scale, raster.height * scale];
  const png = writePng({ width, height, channels, depth });
  const rows = planTiles(
    evenly(raster.width, rules.multipleOf),
    evenly(raster.height, rules.multipleOf),
    rules,
  );
  const room = roomFor(raster, rows, scale);
  const tiles = rows.flat().length;
  let [done, pixelsSeen] = [0, 0];
  for (const row of rows) {
    const band = bandIn(room, raster, row[0]!, scale);
    for (const tile of row) {
      await enlargeColors(raster, tile, network, band);
      const isAsked = hasAlpha(raster) && (await enlargeAlpha(raster, tile, network, band));
      pixelsSeen += tile.seen.width * tile.seen.height * (isAsked ? 2 : 1);
      done += 1;
      onProgress(done / tiles, `Tile ${done} of ${tiles}`);
    }
    await png.rows(band.samples);
  }
  return { pieces: await png.finish(), contentType: 'image/png', width, height, pixelsSeen };
}

const evenly = (side: number, multipleOf: number): number => Math.ceil(side / multipleOf) * multipleOf;

/** Room for the samples of the highest row of tiles, used for one after the other. */
function roomFor(
  { width, channels, depth }: Raster,
  rows: readonly Tile[][],
  scale: number,
): Raster['samples'] {
  const highest = Math.max(...rows.map(([tile]) => tile!.height));
  const samples = width * scale * highest * scale * channels;
  return depth === 16 ? new Uint16Array(samples) : new Uint8Array(samples);
}

/** The enlarged picture from the top of a row of tiles to its bottom. */
function bandIn(
  room: Raster['samples'],
  { width, height, channels, depth }: Raster,
  tile: Tile,
  scale: number,
): Raster {
  const band = {
    width: width * scale,
    height: (Math.min(height, tile.top + tile.height) - tile.top) * scale,
  };
  return { ...band, channels, depth, samples: room.subarray(0, band.width * band.height * channels) };
}
