import { type VectorizeRequest, vectorizeImage } from '@atelier/imaging/vectorize/vectorize_image.ts';

/** A drawing as the tool asks for it where nothing is said, but for what is wanted. */
export const drawVectors = (bytes: Uint8Array, wanted: Partial<VectorizeRequest> = {}) =>
  vectorizeImage({
    bytes,
    mode: 'color',
    colorPrecision: 6,
    filterSpeckle: 4,
    palette: [],
    gradients: true,
    nodesMax: 100_000,
    force: false,
    ...wanted,
  });
