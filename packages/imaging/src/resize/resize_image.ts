import type { Sharp } from 'sharp';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { readHeader } from '../codecs/read_header.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { LIBVIPS, sharp } from '../codecs/sharp.ts';
import { encodeStill, WHITE } from '../encoders/encode_still.ts';
import { LANCZOS_LOBES } from '../pixels/lanczos.ts';
import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import type { Sameness } from '../quality/compare_tiles.ts';
import { countHalo, haloPercent } from '../quality/halo.ts';
import { NOTHING_LOST } from '../quality/nothing_lost.ts';
import { savingLoss } from '../quality/saving_loss.ts';
import type { Quality } from '../quality/types.ts';
import { enlarge, type Part } from './enlarge.ts';

/** What of a picture becomes a picture of another size. */
interface Placing extends Size {
  /** Whole pixels to read: the part and what decides about its border. */
  readonly cut: Part;
  /** The part that is shown, from the upper left corner of the cut, in pixels and parts of them. */
  readonly part: Part;
}

/** The size that comes out and the part of the picture that fills it: all of it, or for `cover` its middle. */
function placingOf(
  picture: Size,
  { width, height, mode }: Size & { readonly mode: 'contain' | 'cover' | 'stretch' },
): Placing {
  const whole = { left: 0, top: 0, width: picture.width, height: picture.height };
  const [across, down] = [width / picture.width, height / picture.height];
  if (mode === 'stretch') return { width, height, cut: whole, part: whole };
  if (mode === 'contain') {
    const scale = Math.min(across, down);
    return { ...scaleSize(picture, scale), cut: whole, part: whole };
  }
  const scale = Math.max(across, down);
  const columns = middleOf(picture.width, width / scale);
  const rows = middleOf(picture.height, height / scale);
  return {
    width,
    height,
    cut: { left: columns.from, top: rows.from, width: columns.count, height: rows.count },
    part: { left: columns.start, top: rows.start, width: width / scale, height: height / scale },
  };
}

const scaleSize = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

/** The pixels around the middle of a side, and where within them the middle itself begins. */
function middleOf(side: number, length: number): { from: number; count: number; start: number } {
  const start = (side - length) / 2;
  const from = Math.max(0, Math.floor(start) - LANCZOS_LOBES);
  const end = Math.min(side, Math.ceil(start + length) + LANCZOS_LOBES);
  return { from, count: end - from, start: start - from };
}

export interface ResizeRequest {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly mode: 'contain' | 'cover' | 'stretch';
  readonly format: 'png' | 'jpeg' | 'webp';
  /** 1 to 100, for JPEG and WebP. */
  readonly quality: number;
  /** Whether what was lost is to be told, which takes some time. */
  readonly isMeasured?: boolean;
  /** A PNG that is read again at once: it is not compressed. */
  readonly isDraft?: boolean;
}

export interface ResizedImage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** What saving lost, and what enlarging put beside edges; absent where it was not measured. */
  readonly quality?: Quality;
  readonly engine: { name: string; version: string };
}

/** The engine that makes pictures larger. */
const ENGINE = { name: 'atelier-lanczos', version: '1' } as const;

/**
 * Resamples (Lanczos 3) to 8-bit sRGB. `contain` fits inside the bounds, enlarging where it must; `cover` fills them
 * and cuts the rest from the centre; `stretch` gives the size as asked. Metadata and appended bytes do not survive.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function resizeImage(request: ResizeRequest): Promise<ResizedImage> {
  const placing = await enlargingOf(request);
  if (placing) return enlargeAndSave(request, placing);
  const { bytes, mode, width, height, format } = request;
  const fit = ({ contain: 'inside', cover: 'cover', stretch: 'fill' } as const)[mode];
  const resized = openPicture(bytes).resize({ width, height, fit }).toColourspace('srgb');
  // A PNG keeps what it gets, so that nobody has to look, and the pixels need not be held before they are in the file.
  if (format === 'png' || !request.isMeasured)
    return { ...(await write(resized, request)), ...lossOf(request, NOTHING_LOST), engine: LIBVIPS };
  const raster = await decodeRaster(format === 'jpeg' ? resized.flatten({ background: WHITE }) : resized);
  return { ...(await writeMeasured(raster, request)), engine: LIBVIPS };
}

async function enlargeAndSave(request: ResizeRequest, placing: Placing): Promise<ResizedImage> {
  const { picture, large, part } = await enlargePart(request.bytes, placing);
  const { quality, ...saved } = await writeMeasured(large, request);
  const isLarger = large.width >= part.width && large.height >= part.height;
  const halo = quality && isLarger ? haloPercent(countHalo(picture, large, part)) : undefined;
  return {
    ...saved,
    ...(quality && { quality: { ...quality, ...(halo !== undefined && { halo_percent: halo }) } }),
    engine: ENGINE,
  };
}

type Written = Omit<ResizedImage, 'engine'>;

/** Writes the file, and where that was asked for tells what its pixels lost in it. */
async function writeMeasured(raster: Raster, request: ResizeRequest): Promise<Written> {
  const { data, ...raw } = raster;
  const written = await write(sharp(data, { raw }), request);
  if (request.format === 'png') return { ...written, ...lossOf(request, NOTHING_LOST) };
  if (!request.isMeasured) return written;
  return { ...written, ...lossOf(request, await savingLoss(raster, (pixels) => encode(pixels, request))) };
}

const lossOf = ({ isMeasured }: ResizeRequest, loss: Sameness): Pick<Written, 'quality'> =>
  isMeasured ? { quality: { compared_at: 'result_size', ...loss } } : {};

async function write(picture: Sharp, request: ResizeRequest): Promise<Written> {
  const { data, info } = await awaitDecoding(encode(picture, request).toBuffer({ resolveWithObject: true }));
  const { width, height } = info;
  return { bytes: data, contentType: `image/${request.format}`, width, height };
}

/** Where a side grows: what becomes what. libvips does the rest, for which the sides in the header suffice. */
async function enlargingOf(request: ResizeRequest): Promise<Placing | undefined> {
  const header = readHeader(request.bytes);
  if (Math.min(header.width, header.height) >= Math.max(request.width, request.height)) return undefined;
  const { autoOrient } = await awaitDecoding(openPicture(request.bytes).metadata());
  const placing = placingOf(autoOrient, request);
  const { part, width, height } = placing;
  return width > part.width || height > part.height ? placing : undefined;
}

/** What lies beyond the part but within reach of the kernel is looked at; a side that shrinks is reduced first. */
async function enlargePart(bytes: Uint8Array, { cut, part, width, height }: Placing) {
  const reduced = { width: Math.min(cut.width, width), height: Math.min(cut.height, height) };
  const isStretched = part.width === cut.width && part.height === cut.height;
  const picture = await decodeRaster(
    openPicture(bytes)
      .extract(cut)
      .resize(isStretched ? { ...reduced, fit: 'fill' } : {})
      .toColourspace('srgb'),
  );
  const shown = isStretched ? { left: 0, top: 0, width: picture.width, height: picture.height } : part;
  return { picture, part: shown, large: enlarge(picture, { width, height, part: shown }) };
}

const encode = (picture: Sharp, { format, quality, isDraft = false }: ResizeRequest): Sharp =>
  isDraft ? picture.png({ compressionLevel: 0 }) : encodeStill(picture, { format, quality });
