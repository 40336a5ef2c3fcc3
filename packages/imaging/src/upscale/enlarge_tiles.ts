import { type DeepRaster, depthOf, hasAlpha } from '../pixels/raster.ts';
import type { Network } from './open_network.ts';
import { planTiles, type Tile, type TileRules } from './plan_tiles.ts';
import { fillAlpha, planesOf, writeAlpha, writeColors } from './tile_planes.ts';

/**
 * Enlarges a decoded picture tile by tile, from the top. Only one band of enlarged rows is held.
 * @param onBand gets each band, whose samples are overwritten once its promise is kept
 * @param onProgress after every tile
 * @returns pixels the network saw, what tiles share counted as often as it was seen
 */
export async function enlargeTiles(
  raster: DeepRaster,
  network: Network,
  onBand: (band: DeepRaster) => Promise<void>,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<number> {
  const { scale, rules } = network;
  const rows = tilesOf(raster, rules);
  const room = roomFor(raster, rows, scale);
  const tiles = rows.flat().length;
  let [done, pixelsSeen] = [0, 0];
  for (const row of rows) {
    const band = bandIn(room, raster, row[0]!, scale);
    for (const tile of row) {
      pixelsSeen += await enlargeTile(raster, tile, network, band);
      done += 1;
      onProgress(done / tiles, `Enlarged ${done} of ${tiles} tiles`);
    }
    await onBand(band);
  }
  return pixelsSeen;
}

/** How often the network sees each pixel on average: once, and again where transparency is not the same all over a tile. */
export function passesOver(raster: DeepRaster, rules: TileRules): number {
  if (!hasAlpha(raster)) return 1;
  const tiles = tilesOf(raster, rules).flat();
  const pixelsOf = (some: readonly Tile[]) =>
    some.reduce((sum, { seen }) => sum + seen.width * seen.height, 0);
  return 1 + pixelsOf(tiles.filter((tile) => !isEven(alphaOf(raster, tile)))) / pixelsOf(tiles);
}

function tilesOf({ width, height }: DeepRaster, rules: TileRules): Tile[][] {
  const evenly = (side: number) => Math.ceil(side / rules.multipleOf) * rules.multipleOf;
  return planTiles(evenly(width), evenly(height), rules);
}

/** Transparency as the network sees it: three planes alike. */
function alphaOf(raster: DeepRaster, tile: Tile): Float32Array {
  const alpha = raster.channels - 1;
  return planesOf(raster, tile, [alpha, alpha, alpha]);
}

const isEven = (planes: Float32Array): boolean => planes.every((value) => value === planes[0]);

/** Colours first; then transparency as a grey picture of its own, where it is not the same everywhere. */
async function enlargeTile(
  raster: DeepRaster,
  tile: Tile,
  network: Network,
  band: DeepRaster,
): Promise<number> {
  const { width, height } = tile.seen;
  const isGrey = raster.channels <= 2;
  const colors = planesOf(raster, tile, isGrey ? [0, 0, 0] : [0, 1, 2]);
  writeColors(await network.enlarge(colors, width, height), tile, network.scale, band);
  if (!hasAlpha(raster)) return width * height;
  const alpha = alphaOf(raster, tile);
  if (isEven(alpha)) {
    fillAlpha(alpha[0]!, tile, network.scale, band);
    return width * height;
  }
  writeAlpha(await network.enlarge(alpha, width, height), alpha, tile, network.scale, band);
  return 2 * width * height;
}

/** Room for the samples of the highest row of tiles, used for one after the other. */
function roomFor(raster: DeepRaster, rows: readonly Tile[][], scale: number): DeepRaster['data'] {
  const highest = Math.max(...rows.map(([tile]) => tile!.height));
  const samples = raster.width * scale * highest * scale * raster.channels;
  return depthOf(raster) === 16 ? new Uint16Array(samples) : new Uint8Array(samples);
}

/** The enlarged picture from the top of a row of tiles to its bottom. */
function bandIn(
  room: DeepRaster['data'],
  { width, height, channels }: DeepRaster,
  tile: Tile,
  scale: number,
): DeepRaster {
  const band = {
    width: width * scale,
    height: (Math.min(height, tile.top + tile.height) - tile.top) * scale,
  };
  return { ...band, channels, data: room.subarray(0, band.width * band.height * channels) };
}
