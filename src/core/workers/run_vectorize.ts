import type { CarriedMetadata } from '@atelier/imaging/metadata/passthrough/carried.ts';
import { carryIntoDocument } from '@atelier/imaging/metadata/passthrough/carry_into_document.ts';
import { assessCondition } from '@atelier/imaging/upscale/condition.ts';
import { upscaleRaster } from '@atelier/imaging/upscale/upscale_tiles.ts';
import { drawingQuality } from '@atelier/imaging/vectorize/drawing_quality.ts';
import {
  type Enlarge,
  type VectorImage,
  type VectorizeRequest,
  vectorizeImage,
} from '@atelier/imaging/vectorize/vectorize_image.ts';
import { withMetadata } from '@atelier/imaging/vectorize/with_metadata.ts';
import { type MetadataPassthrough, NOTHING, type OnProgress, withLost } from './metadata_passthrough.ts';
import { type ModelFile, openModel } from './open_models.ts';

type Drawing = VectorImage & { metadata: CarriedMetadata };

export interface VectorizeByNetworkRequest extends VectorizeRequest, MetadataPassthrough {
  /** Models of one scale, for each image condition. */
  readonly networks: { readonly clean: ModelFile; readonly spoiled: ModelFile };
}

/** Vectorises an image like `runVectorize`; a photograph or painting is first enlarged by a model that stays open in this process. */
export async function runVectorizeByNetwork(
  { networks, ...request }: VectorizeByNetworkRequest,
  onProgress: OnProgress = () => {},
): Promise<Drawing> {
  let used: ModelFile | undefined;
  const drawing = await runVectorize(request, onProgress, async (picture) => {
    used = networks[(await assessCondition(request.bytes)).kind];
    return upscaleRaster(picture, await openModel(used));
  });
  if (!used || drawing.traced !== 'enlarged') return drawing;
  return {
    ...drawing,
    engine: { ...drawing.engine, weights_sha256: used.sha256 },
    notes: [
      ...drawing.notes,
      `Edges follow a copy that the network ${used.name} enlarged ${used.architecture.scale} times; detail finer than a pixel of the image is its estimate.`,
    ],
  };
}

/** Vectorises an image and copies its metadata into the drawing. */
export async function runVectorize(
  { carry, sentFile, ...request }: VectorizeRequest & MetadataPassthrough,
  onProgress: OnProgress = () => {},
  enlarge?: Enlarge,
): Promise<Drawing> {
  const drawn = await vectorizeImage(request, onProgress, enlarge);
  // Drawings with physical dimensions are made for machines, with overlapping layers and edges that keep a distance;
  // black-only drawings must not have the colours of the image.
  const isLikeness = !drawn.sheets && request.mode === 'color';
  const likeness = isLikeness ? await drawingQuality(request.bytes, drawn.svg, drawn) : {};
  const drawing = { ...drawn, quality: { ...drawn.quality, ...likeness } };
  if (!carry) return { ...drawing, metadata: NOTHING };
  const { width, height } = drawing;
  const document = { container: 'svg', width, height, colors: 'sRGB' } as const;
  const sources = { file: sentFile?.bytes ?? request.bytes, picture: request.bytes };
  const { packets, metadata: carried } = await carryIntoDocument(sources, document, carry);
  const metadata = withLost(carried, sentFile);
  if (drawing.file !== undefined) return { ...drawing, metadata: dropAll(metadata) };
  const svg = withMetadata(drawing.svg, packets.properties);
  return { ...drawing, svg, sizeBytes: Buffer.byteLength(svg), metadata };
}

/** No metadata is written into files of other kinds. */
const dropAll = ({ kept, changed, dropped }: CarriedMetadata): CarriedMetadata => ({
  kept: [],
  changed: [],
  dropped: [
    ...dropped,
    ...[...kept, ...changed.map(({ what }) => what)].map((what) => ({
      what,
      why: 'it is written into SVG only',
    })),
  ],
});
