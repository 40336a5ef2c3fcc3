import { ColorMode, Hierarchical, PathSimplifyMode } from '@neplex/vectorizer';

/** The defaults of the bare tracer, except for the specification's two settings. */
export const VTRACER = {
  colorMode: ColorMode.Color,
  hierarchical: Hierarchical.Stacked,
  filterSpeckle: 4,
  colorPrecision: 6,
  layerDifference: 16,
  mode: PathSimplifyMode.Spline,
  cornerThreshold: 60,
  lengthThreshold: 4,
  maxIterations: 10,
  spliceThreshold: 45,
  pathPrecision: 2,
};
