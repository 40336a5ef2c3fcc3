import { clusterColors } from '../palette/cluster_colors.ts';
import { cellKey, colorCells } from '../palette/color_cells.ts';
import { OPAQUE_MIN, type Raster } from './raster.ts';

export interface Quantized {
  /** Which colour each pixel has; `count` where it is transparent. */
  readonly values: Int16Array;
  /** How many colours there are. */
  readonly count: number;
  /** ΔE_OK between two colours; transparency is far from all of them. */
  distance(one: number, other: number): number;
}

const ROUNDS = 5;
const FAR = 1;

/** Reduces a picture to at most `colors` colours that fit it best, by k-means in OKLab. A picture of fewer keeps its own. */
export function quantize({ rgba }: Raster, colors: number): Quantized {
  const hard = hardenOpacity(rgba);
  const cells = colorCells(hard);
  const { owners, centers } = clusterColors(cells, colors, ROUNDS);
  const count = centers.length / 3;
  const values = new Int16Array(rgba.length / 4);
  for (let pixel = 0; pixel < values.length; pixel++) {
    const at = 4 * pixel;
    const key = cellKey(hard[at]!, hard[at + 1]!, hard[at + 2]!);
    values[pixel] = hard[at + 3] === 0 ? count : owners[cells.cellOfKey[key]!]!;
  }
  return { values, count, distance: distanceTable(centers) };
}

/** Looked up rather than computed: noise asks a million times. */
function distanceTable(centers: Float64Array): Quantized['distance'] {
  const count = centers.length / 3;
  const table = new Float64Array((count + 1) ** 2).fill(FAR);
  table[count * (count + 1) + count] = 0;
  for (let one = 0; one < count; one++) {
    for (let other = 0; other < count; other++) {
      const offset = (axis: number) => centers[3 * one + axis]! - centers[3 * other + axis]!;
      table[one * (count + 1) + other] = Math.hypot(offset(0), offset(1), offset(2));
    }
  }
  return (one, other) => table[one * (count + 1) + other]!;
}

function hardenOpacity(rgba: Uint8Array): Uint8Array {
  // Not slice(): of a Buffer that is a view.
  const hard = new Uint8Array(rgba);
  for (let at = 3; at < hard.length; at += 4) hard[at] = hard[at]! < OPAQUE_MIN ? 0 : 255;
  return hard;
}
