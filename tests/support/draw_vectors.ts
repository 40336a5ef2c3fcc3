import { type VectorizeRequest, vectorizeImage } from '@atelier/imaging/vectorize/vectorize_image.ts';

/** Settings of the tool where nothing is said. */
export const DRAWN = {
  mode: 'color',
  colorPrecision: 6,
  filterSpeckle: 4,
  palette: [],
  gradients: true,
  nodesMax: 100_000,
  force: false,
} as const satisfies Omit<VectorizeRequest, 'bytes'>;

/** A drawing as the tool asks for it where nothing is said, but for what is wanted. */
export const drawVectors = (bytes: Uint8Array, wanted: Partial<VectorizeRequest> = {}) =>
  vectorizeImage({ bytes, ...DRAWN, ...wanted });
