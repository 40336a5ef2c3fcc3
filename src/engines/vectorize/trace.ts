import { ColorMode, Hierarchical, PathSimplifyMode, vectorizeRawSync } from '@neplex/vectorizer';
import type { Raster } from './raster.ts';

/** One filled shape. `d` is relative to (`x`, `y`). */
export interface Shape {
  readonly d: string;
  readonly fill: string;
  readonly x: number;
  readonly y: number;
}

export interface Drawing {
  readonly shapes: readonly Shape[];
  /** Areas smaller than this many pixels were merged into their neighbours. */
  readonly areaMin: number;
}

/** The tracer's own customary curve settings. */
const CURVES = {
  mode: PathSimplifyMode.Spline,
  cornerThreshold: 60,
  lengthThreshold: 4,
  maxIterations: 10,
  spliceThreshold: 45,
  pathPrecision: 1,
};

/** Shapes of a picture whose areas have one colour each, in the order they are painted. Transparent pixels stay empty. */
export function traceAreas(areas: Raster, layerDifference: number): Shape[] {
  return trace(areas, {
    ...CURVES,
    colorMode: ColorMode.Color,
    hierarchical: Hierarchical.Stacked,
    filterSpeckle: 0,
    // 8 is exact; 9 and 10 overflow inside the tracer.
    colorPrecision: 8,
    layerDifference,
  });
}

/** Shapes of the black pixels of a black-and-white picture. */
export function traceInk(ink: Raster): Shape[] {
  return trace(ink, {
    ...CURVES,
    colorMode: ColorMode.Binary,
    hierarchical: Hierarchical.Stacked,
    filterSpeckle: 0,
    colorPrecision: 8,
    layerDifference: 0,
  });
}

function trace({ width, height, rgba }: Raster, settings: Parameters<typeof vectorizeRawSync>[2]): Shape[] {
  const svg = vectorizeRawSync(
    Buffer.from(rgba.buffer, rgba.byteOffset, rgba.length),
    { width, height },
    settings,
  );
  const shapes = Array.from(svg.matchAll(PATH), ([, d, fill, x, y]) => ({
    d: compact(d!),
    fill: fill!.toLowerCase(),
    x: Number(x),
    y: Number(y),
  }));
  return shapes.filter(({ d }) => d !== '');
}

const PATH = /<path d="([^"]*)" fill="(#[0-9A-Fa-f]{6})" transform="translate\(([-.0-9]+),([-.0-9]+)\)"\/>/g;

/** Without the spaces SVG does not need. */
const compact = (d: string): string =>
  d
    .trim()
    .replace(/ ?([MLCZ]) ?/g, '$1')
    .replaceAll(' -', '-');
