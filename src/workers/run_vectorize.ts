import type { CarriedMetadata } from '@atelier/engines/carry/carried.ts';
import { carryIntoDocument } from '@atelier/engines/carry/carry_into_document.ts';
import {
  type VectorImage,
  type VectorizeRequest,
  vectorizeImage,
} from '@atelier/engines/vectorize/vectorize_image.ts';
import { withMetadata } from '@atelier/engines/vectorize/with_metadata.ts';
import { type Carrying, NOTHING, type OnProgress } from './carrying.ts';

/** Draws a picture, and lets the drawing say what the picture says about itself. */
export async function runVectorize(
  { carry, ...request }: VectorizeRequest & Carrying,
  onProgress: OnProgress = () => {},
): Promise<VectorImage & { metadata: CarriedMetadata }> {
  const drawing = await vectorizeImage(request, onProgress);
  if (!carry) return { ...drawing, metadata: NOTHING };
  const { width, height } = drawing;
  const document = { container: 'svg', width, height, colors: 'sRGB' } as const;
  const { packets, metadata } = await carryIntoDocument(request.bytes, document, carry);
  if (drawing.dxf !== undefined) return { ...drawing, metadata: dropAll(metadata) };
  const svg = withMetadata(drawing.svg, packets.properties);
  return { ...drawing, svg, sizeBytes: Buffer.byteLength(svg), metadata };
}

/** A DXF has no place for metadata. */
const dropAll = ({ kept, changed, dropped }: CarriedMetadata): CarriedMetadata => ({
  kept: [],
  changed: [],
  dropped: [
    ...dropped,
    ...[...kept, ...changed.map(({ what }) => what)].map((what) => ({
      what,
      why: 'a DXF has no place for it',
    })),
  ],
});
