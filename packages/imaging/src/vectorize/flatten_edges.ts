import type { Raster } from '../pixels/raster.ts';
import { OPAQUE_MIN } from './partition.ts';

/** Minimum colour difference of the two sides of an edge (distance in 8-bit RGB); weaker edges are shading. */
const EDGE_MIN = 100;
/** Maximum distance of an edge pixel from the line between its two side colours. */
const OFF_LINE_MAX = 10;

/**
 * Assigns every pixel that mixes two opposite neighbours to the colour of the closer one. Antialiased edge pixels would
 * otherwise become slivers between the two areas; the SVG renderer antialiases the edge again.
 */
export function flattenEdges(picture: Raster): Raster {
  const { width, height, data: rgba } = picture;
  const flat = new Uint8Array(rgba);
  const offsets = offsetsIn(width);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = 4 * (y * width + x);
      const source = nearerSide(rgba, at, offsets);
      if (source >= 0)
        for (let channel = 0; channel < 3; channel++) flat[at + channel] = rgba[source + channel]!;
    }
  }
  return { ...picture, data: flat };
}

/** Tests whether a pixel is a mixture of two opposite neighbours. */
export function mixesSides({ width, height, data: rgba }: Raster, pixel: number): boolean {
  const x = pixel % width;
  if (x === 0 || x === width - 1 || pixel < width || pixel >= width * (height - 1)) return false;
  return nearerSide(rgba, 4 * pixel, offsetsIn(width)) >= 0;
}

/** To a neighbour on the right, below, and on both diagonals. */
const offsetsIn = (width: number): readonly number[] => [4, 4 * width, 4 * width + 4, 4 * width - 4];

/**
 * Pixel of the closer of the two sides that the pixel at `at` mixes, or -1. The pair with the strongest contrast
 * decides.
 */
function nearerSide(rgba: Uint8Array, at: number, offsets: readonly number[]): number {
  let widest = EDGE_MIN ** 2;
  let pair = 0;
  for (const offset of offsets) {
    if (rgba[at - offset + 3]! < OPAQUE_MIN || rgba[at + offset + 3]! < OPAQUE_MIN) continue;
    const contrast = squareDistance(rgba, at - offset, at + offset);
    if (contrast <= widest) continue;
    widest = contrast;
    pair = offset;
  }
  if (pair === 0) return -1;
  const near = squareDistance(rgba, at, at - pair);
  const far = squareDistance(rgba, at, at + pair);
  const along = (near + widest - far) / (2 * widest);
  if (along <= 0 || along >= 1 || near - along ** 2 * widest > OFF_LINE_MAX ** 2) return -1;
  return along < 0.5 ? at - pair : at + pair;
}

function squareDistance(rgba: Uint8Array, one: number, other: number): number {
  const red = rgba[one]! - rgba[other]!;
  const green = rgba[one + 1]! - rgba[other + 1]!;
  const blue = rgba[one + 2]! - rgba[other + 2]!;
  return red * red + green * green + blue * blue;
}
