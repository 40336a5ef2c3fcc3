import type { Size } from '../pixels/plane.ts';
import { type DeepRaster, depthOf, type Raster } from '../pixels/raster.ts';
import { spreadPoint } from './spread_points.ts';

/** Side in pixels: a whole block of JPEG (with chroma subsampling) and of WebP, so that a tile is encoded as it would be in place. */
export const TILE_PX = 16;

/** Square samples that represent an image; smaller in narrow images. */
export interface Tiles extends Size {
  readonly places: readonly Place[];
}

export interface Place {
  readonly left: number;
  readonly top: number;
}

/** Selects up to `count` tiles, aligned to encoder blocks and evenly spread; all whole blocks if there are no more. */
export function tilesOf({ width, height }: Size, count: number): Tiles {
  const [columns, rows] = [blocksOf(width), blocksOf(height)];
  const size = { width: Math.min(TILE_PX, width), height: Math.min(TILE_PX, height) };
  if (columns * rows <= count) return { ...size, places: inRows(columns * rows, columns, size) };
  const places = Array.from({ length: count }, (_, at) => {
    const [across, down] = spreadPoint(at);
    return { left: TILE_PX * Math.floor(across * columns), top: TILE_PX * Math.floor(down * rows) };
  });
  return { ...size, places };
}

const blocksOf = (side: number): number => Math.max(1, Math.floor(side / TILE_PX));

const inRows = (count: number, columns: number, { width, height }: Size): Place[] =>
  Array.from({ length: count }, (_, at) => ({
    left: width * (at % columns),
    top: height * Math.floor(at / columns),
  }));

/** Lays the tiles of an image side by side in one raster, with their positions; the unused part of the last row is black. */
export function sheetOfTiles(raster: Raster, tiles: Tiles): { sheet: Raster; tiles: Tiles };
export function sheetOfTiles(raster: DeepRaster, tiles: Tiles): { sheet: DeepRaster; tiles: Tiles };
export function sheetOfTiles(raster: DeepRaster, tiles: Tiles): { sheet: DeepRaster; tiles: Tiles } {
  const { channels, data: samples } = raster;
  const columns = Math.ceil(Math.sqrt(tiles.places.length));
  const places = inRows(tiles.places.length, columns, tiles);
  const width = columns * tiles.width;
  const height = places.at(-1)!.top + tiles.height;
  const length = width * height * channels;
  const data = depthOf(raster) === 16 ? new Uint16Array(length) : new Uint8Array(length);
  for (const [at, { left, top }] of tiles.places.entries())
    for (let row = 0; row < tiles.height; row += 1) {
      const from = ((top + row) * raster.width + left) * channels;
      const to = (places[at]!.top + row) * width + places[at]!.left;
      data.set(samples.subarray(from, from + tiles.width * channels), to * channels);
    }
  return { sheet: { width, height, channels, data }, tiles: { ...tiles, places } };
}
