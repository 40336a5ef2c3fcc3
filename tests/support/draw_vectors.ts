import { type VectorizeRequest, vectorizeImage } from '@atelier/imaging/vectorize/vectorize_image.ts';

/** Default settings of the tool. */
export const DRAWN = {
  mode: 'color',
  colorPrecision: 6,
  filterSpeckle: 4,
  palette: [],
  gradients: true,
  nodesMax: 100_000,
  force: false,
} as const satisfies Omit<VectorizeRequest, 'bytes'>;

/** Vectorises with the default settings, except those in `wanted`. */
export const drawVectors = (bytes: Uint8Array, wanted: Partial<VectorizeRequest> = {}) =>
  vectorizeImage({ bytes, ...DRAWN, ...wanted });
