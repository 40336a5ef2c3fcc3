import { flattenEdges } from './flatten_edges.ts';
import { quantize } from './quantize.ts';
import type { Raster } from './raster.ts';
import { boundAreas, type Regions } from './regions.ts';
import { type Drawing, traceAreas } from './trace.ts';

/** Colours a picture is reduced to, by color_precision 1 to 10. */
const COLORS = [2, 4, 8, 12, 20, 32, 48, 80, 128, 256];
/** Layers closer than this (8-bit steps) are drawn as one, by color_precision. */
const LAYER_DIFFERENCE = [16, 16, 16, 16, 16, 16, 12, 8, 4, 2];

export type OnProgress = (fraction: number, message: string) => void;

interface ColorSettings {
  /** 1 to 10. */
  readonly colorPrecision: number;
  /** Pixels of the smallest area that is kept. */
  readonly areaMin: number;
  readonly onProgress: OnProgress;
}

/**
 * Traces a picture in colour: soft edges are made hard, it is reduced to the colours that fit it best, small areas go
 * to their neighbours, and each area is painted with the mean of its own pixels.
 */
export function drawColor(picture: Raster, { colorPrecision, areaMin, onProgress }: ColorSettings): Drawing {
  const { values, count, distance } = quantize(flattenEdges(picture), COLORS[colorPrecision - 1]!);
  onProgress(0.4, 'Colours chosen');
  const bounded = boundAreas(values, picture.width, areaMin, distance);
  onProgress(0.6, 'Specks merged');
  const areas = paintMeans(picture, values, count, bounded.regions);
  return { shapes: traceAreas(areas, LAYER_DIFFERENCE[colorPrecision - 1]!), areaMin: bounded.areaMin };
}

/** Weight of a fully transparent pixel, so that an area of nothing else still has a mean. */
const INVISIBLE = 0.001;

/** The regions, each in the mean colour of its opaque pixels. */
function paintMeans(
  { width, height, rgba }: Raster,
  values: Int16Array,
  transparent: number,
  { labels, count }: Regions,
): Raster {
  const sums = new Float64Array(4 * count);
  for (const [pixel, label] of labels.entries()) {
    const opacity = rgba[4 * pixel + 3]! || INVISIBLE;
    for (let channel = 0; channel < 3; channel++)
      sums[4 * label + channel]! += opacity * rgba[4 * pixel + channel]!;
    sums[4 * label + 3]! += opacity;
  }
  const painted = new Uint8Array(rgba.length);
  for (const [pixel, label] of labels.entries()) {
    if (values[pixel] === transparent) continue;
    const weight = sums[4 * label + 3]!;
    for (let channel = 0; channel < 3; channel++)
      painted[4 * pixel + channel] = Math.round(sums[4 * label + channel]! / weight);
    painted[4 * pixel + 3] = 255;
  }
  return { width, height, rgba: painted };
}
