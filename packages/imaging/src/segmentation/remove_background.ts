import type { Sharp } from 'sharp';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import type { Raster } from '../pixels/raster.ts';
import type { Quality } from '../quality/contract.ts';
import { compose, type Look } from './compose.ts';
import { cutOutObject, keepAsItIs, type OnProgress } from './cut_out.ts';
import type { Figures } from './figures.ts';
import { keptQuality } from './kept_quality.ts';
import { type Segment, segmentByColor } from './segment.ts';
import { isCutOutAlready, refuseUnsuitable } from './suitability.ts';

export interface RemoveBackgroundRequest {
  readonly bytes: Uint8Array;
  readonly format: 'png' | 'webp';
  readonly look: Look;
}

/** How the object was told from the background. */
export const FOUND_BY = ['network', 'colors', 'flat_background', 'own_transparency'] as const;
export type FoundBy = (typeof FOUND_BY)[number];

export interface RemovedBackground
  extends Pick<Figures, 'uncertaintyShare' | 'uncertainPart' | 'objectShare' | 'doubt'> {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** Absent where the picture came with transparency of its own. */
  readonly haloScore?: number;
  readonly foundBy: FoundBy;
  /** Patches enclosed by the object that were cut out because they show a flat background. */
  readonly holes: number;
  /** Of the colours that were kept; absent on a colour, as a mask, and where too little was kept. */
  readonly quality?: Quality;
  readonly engine: { name: string; version: string; weights_sha256?: string; provider?: string };
}

/** The engine that needs no weights. */
const ENGINE = { name: 'atelier-matte', version: '1' } as const;

/** A network that finds the object, and what to call it in answers. */
export interface SegmentingNetwork {
  readonly segment: Segment;
  readonly engine: RemovedBackground['engine'];
}

/**
 * Cuts the object out of a picture, at its full size and 8 bits, with soft edges and without the old background's colour
 * in them. A picture with a transparent background keeps that.
 * @throws EngineError unsuitable_image (too small, one colour, invisible, no object or no background),
 *   undecodable_image, unsupported_image, image_too_large
 */
export async function removeBackground(
  request: RemoveBackgroundRequest,
  onProgress: OnProgress = () => {},
  network?: SegmentingNetwork,
): Promise<RemovedBackground> {
  const picture = await readPicture(request.bytes);
  refuseUnsuitable(picture);
  if (isCutOutAlready(picture)) {
    const written = compose(keepAsItIs(picture), request.look);
    const found = {
      foundBy: 'own_transparency',
      uncertaintyShare: 0,
      uncertainPart: 0,
      objectShare: shareOf(picture),
      holes: 0,
    } as const;
    return { ...(await encode(written, request.format, picture)), ...found, engine: ENGINE };
  }
  onProgress(0.2, 'Picture decoded');
  const { cutOut, figures, by, holes } = await cutOutObject(
    picture,
    network?.segment ?? segmentByColor,
    onProgress,
  );
  const written = compose(cutOut, request.look);
  onProgress(0.9, 'Result composed');
  const foundBy = by === 'flat_background' ? by : network ? 'network' : 'colors';
  const engine = foundBy === 'network' ? network!.engine : ENGINE;
  return { ...(await encode(written, request.format, picture)), ...figures, foundBy, holes, engine };
}

async function readPicture(bytes: Uint8Array): Promise<Raster> {
  const { hasAlpha } = await awaitDecoding(openPicture(bytes).metadata());
  const pipeline = openPicture(bytes).toColourspace('srgb');
  const source = hasAlpha ? pipeline.ensureAlpha() : pipeline.removeAlpha();
  return decodeRaster(source);
}

const shareOf = ({ width, height, data }: Raster): number => {
  let sum = 0;
  for (let at = 3; at < data.length; at += 4) sum += data[at]!;
  return sum / 255 / (width * height);
};

async function encode(written: Raster, format: 'png' | 'webp', picture: Raster) {
  const { width, height, channels, data } = written;
  const space = channels === 1 ? 'b-w' : 'srgb';
  const save = (pixels: Sharp): Sharp =>
    format === 'png'
      ? pixels.toColourspace(space).png({ compressionLevel: 6 })
      : pixels.toColourspace(space).webp({ quality: 92, alphaQuality: 100, effort: 3 });
  const bytes = await save(sharp(data, { raw: { width, height, channels } })).toBuffer();
  const quality = await keptQuality(picture, written, save);
  return { bytes, contentType: `image/${format}`, width, height, ...(quality && { quality }) };
}
