import type { Sharp } from 'sharp';
import { basicMetadata } from '../codecs/basic_metadata.ts';
import { countFrames } from '../codecs/count_frames.ts';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { readHeader } from '../codecs/read_header.ts';
import { decodeRaster, releaseRaster } from '../codecs/read_raster.ts';
import { type FileOf, readReduced } from '../codecs/read_reduced.ts';
import { LIBVIPS, sharp } from '../codecs/sharp.ts';
import { type ConvertedImage, framesLost } from '../convert/convert_image.ts';
import { decodeFrames } from '../decoders/frames.ts';
import type { DecodedAnimation } from '../decoders/types.ts';
import type { EncodeSource } from '../encoders/encode_picture.ts';
import { encodeStill, WHITE } from '../encoders/encode_still.ts';
import { FORMAT_TRAITS, type OutputFormat } from '../encoders/formats.ts';
import { type Finish, savePicture } from '../encoders/save_picture.ts';
import { LANCZOS_LOBES } from '../pixels/lanczos.ts';
import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import type { SimilarityMetrics } from '../quality/compare_tiles.ts';
import { countHalo, haloPercent } from '../quality/halo.ts';
import { LOSSLESS_METRICS } from '../quality/lossless_metrics.ts';
import { savingLoss } from '../quality/saving_loss.ts';
import type { Quality } from '../quality/types.ts';
import { type Light, type Part, resample } from '../resample/resample.ts';

/** Fit geometry: the region of an image that fills the output size. */
interface FitGeometry extends Size {
  /** Whole pixels to read: the region and its kernel margin. */
  readonly cut: Part;
  /** The visible region, from the upper left corner of the cut, in possibly fractional pixels. */
  readonly part: Part;
}

/** The output size and the region of the image that fills it: all of it, or its centre for `cover`. */
function fitGeometryOf(
  picture: Size,
  { width, height, mode }: Size & { readonly mode: 'contain' | 'cover' | 'stretch' },
): FitGeometry {
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

/** The pixels around the centre of an axis, and the start of the centre within them. */
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
  /** What is averaged when reducing. Default: linear light. */
  readonly light?: Light;
  /** Whether to measure the encoding loss, which takes some time. */
  readonly isMeasured?: boolean;
  /** An uncompressed PNG, for a file that is decoded again at once. */
  readonly isDraft?: boolean;
  /** Default: a JPEG or WebP is decoded at full size, which takes up to twice as long. */
  readonly fileOf?: FileOf;
}

export interface ResizedImage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** Encoding loss, and halos of enlargement; absent if not measured. */
  readonly quality?: Quality;
  readonly engine: { name: string; version: string };
}

/** Engine of everything except reductions in gamma. */
const ENGINE = { name: 'atelier-lanczos', version: '2' } as const;

/**
 * Resamples (Lanczos 3) to 8-bit sRGB. `contain` fits inside the bounds, enlarging if necessary; `cover` fills them and crops to the
 * centre; `stretch` ignores the aspect ratio. Metadata and trailing bytes are dropped.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function resizeImage(request: ResizeRequest): Promise<ResizedImage> {
  const { bytes, light = 'linear', fileOf } = request;
  const header = readHeader(bytes);
  const isSmaller = Math.max(request.width, request.height) <= Math.min(header.width, header.height);
  if (light === 'gamma' && isSmaller) return resizeByLibvips(request);
  const { orientation, upright } = await basicMetadata(bytes);
  const placing = fitGeometryOf(upright, request);
  const { part, width, height } = placing;
  if (width > part.width || height > part.height) return enlargeAndSave(request, placing);
  const shrink = Math.min(part.width / width, part.height / height);
  const isSame = width === part.width && height === part.height;
  if (light === 'gamma' || isSame) return resizeByLibvips(request);
  const reduced = await readReduced(bytes, { header, orientation, shrink, fileOf });
  const shown = scalePart(part, placing.cut, { whole: upright, reduced: reduced.part });
  const result = resample(reduced.raster, { width, height, part: shown, light });
  releaseRaster(reduced.raster);
  return { ...(await writeMeasured(result, request)), engine: ENGINE };
}

/** Converts a region within a cut of the whole image to pixels of the decoded, possibly reduced image. */
function scalePart(part: Part, cut: Part, { whole, reduced }: { whole: Size; reduced: Part }): Part {
  const [across, down] = [reduced.width / whole.width, reduced.height / whole.height];
  return {
    left: reduced.left + (cut.left + part.left) * across,
    top: reduced.top + (cut.top + part.top) * down,
    width: part.width * across,
    height: part.height * down,
  };
}

async function resizeByLibvips(request: ResizeRequest): Promise<ResizedImage> {
  const { bytes, mode, width, height, format } = request;
  const fit = ({ contain: 'inside', cover: 'cover', stretch: 'fill' } as const)[mode];
  const resized = openPicture(bytes).resize({ width, height, fit }).toColourspace('srgb');
  // PNG is lossless: nothing is compared, and the pixels need not be held after encoding.
  if (format === 'png' || !request.isMeasured)
    return { ...(await write(resized, request)), ...lossOf(request, LOSSLESS_METRICS), engine: LIBVIPS };
  const raster = await decodeRaster(format === 'jpeg' ? resized.flatten({ background: WHITE }) : resized);
  return { ...(await writeMeasured(raster, request)), engine: LIBVIPS };
}

async function enlargeAndSave(request: ResizeRequest, placing: FitGeometry): Promise<ResizedImage> {
  const { picture, large, part } = await enlargePart(request, placing);
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

/** Encodes the file and, if requested, measures its loss. */
async function writeMeasured(raster: Raster, request: ResizeRequest): Promise<Written> {
  const { data, ...raw } = raster;
  const written = await write(sharp(data, { raw }), request);
  if (request.format === 'png') return { ...written, ...lossOf(request, LOSSLESS_METRICS) };
  if (!request.isMeasured) return written;
  return { ...written, ...lossOf(request, await savingLoss(raster, (pixels) => encode(pixels, request))) };
}

const lossOf = ({ isMeasured }: ResizeRequest, loss: SimilarityMetrics): Pick<Written, 'quality'> =>
  isMeasured ? { quality: { compared_at: 'result_size', ...loss } } : {};

async function write(picture: Sharp, request: ResizeRequest): Promise<Written> {
  const { data, info } = await awaitDecoding(encode(picture, request).toBuffer({ resolveWithObject: true }));
  const { width, height } = info;
  return { bytes: data, contentType: `image/${request.format}`, width, height };
}

/**
 * Includes pixels outside the region within the kernel radius; a shrinking axis is reduced first. Enlargement works in gamma: in linear
 * light, ringing next to dark edges is many times as visible. docs/decisions/0022-resampling-and-output.md
 */
async function enlargePart(
  { bytes, light = 'linear' }: ResizeRequest,
  { cut, part, width, height }: FitGeometry,
) {
  const picture = await decodeRaster(openPicture(bytes).extract(cut).toColourspace('srgb'));
  const within = { width: Math.min(cut.width, width), height: Math.min(cut.height, height) };
  const isReduced = within.width < part.width || within.height < part.height;
  if (!isReduced) return { picture, part, large: resample(picture, { width, height, part, light: 'gamma' }) };
  const reduced = resample(picture, { ...within, part, light });
  const whole = { left: 0, top: 0, ...within };
  return { picture: reduced, part: whole, large: resample(reduced, { width, height, light: 'gamma' }) };
}

const encode = (picture: Sharp, { format, quality, isDraft = false }: ResizeRequest): Sharp =>
  isDraft ? picture.png({ compressionLevel: 0 }) : encodeStill(picture, { format, quality });

export interface ResizeToFormatRequest extends Omit<ResizeRequest, 'format' | 'isDraft'> {
  readonly format: OutputFormat;
  /** The original file, from which frames are read. Default: `bytes`. */
  readonly file?: Uint8Array | undefined;
  readonly isLossless?: boolean | undefined;
  /** Limit of the whole file, metadata included. */
  readonly bytesMax?: number | undefined;
  /** Applies to an animation, if the format supports frames. Default: the first. */
  readonly frames?: 'all' | 'first' | undefined;
  /** Result of `countFrames`, if already known. */
  readonly frameCount?: number | undefined;
}

type Resize = (request: ResizeRequest) => Promise<ResizedImage>;

/**
 * Resizes an image, or every frame of it, and encodes it in any format. A single PNG, JPEG or WebP is written while resizing; for other
 * formats the result is held in memory once.
 * @param resize as `resizeImage`
 * @throws EngineError as `resizeImage` and `savePicture` do
 */
export async function resizeToFormat(
  request: ResizeToFormatRequest,
  resize: Resize,
  finish: Finish = async ({ bytes }) => bytes,
): Promise<ConvertedImage> {
  const { format, frames = 'first', isLossless, bytesMax, quality, isMeasured } = request;
  const count = request.frameCount ?? countFrames(request.file ?? request.bytes);
  const dropped = count > 1 ? framesLost(count, { format, frames }) : [];
  if (count > 1 && frames === 'all' && FORMAT_TRAITS[format].hasFrames) {
    const { animation, engine } = await resizeFrames(request, resize);
    const saved = await savePicture({ kind: 'frames', animation }, request, finish);
    return { ...saved, dropped: [], changed: [], readsParts: true, engine };
  }
  if (isDirect(format) && bytesMax === undefined && isLossless === undefined) {
    const made = await resize({ ...request, format });
    return { ...made, bytes: await finish(made), notes: [], dropped, changed: [], readsParts: false };
  }
  const resized = await resize({ ...request, format: 'png', isDraft: true });
  const page = { width: resized.width, height: resized.height, open: () => openPicture(resized.bytes) };
  const source: EncodeSource = { kind: 'pages', pages: [page] };
  const saved = await savePicture(source, { format, quality, isLossless, bytesMax, isMeasured }, finish);
  return {
    ...saved,
    quality: withHalo(saved.quality, resized.quality),
    dropped,
    changed: [],
    readsParts: false,
    engine: resized.engine,
  };
}

const isDirect = (format: OutputFormat): format is ResizeRequest['format'] =>
  format === 'png' || format === 'jpeg' || format === 'webp';

/** Encoding loss, with the halos of resizing. */
const withHalo = (saved: Quality | undefined, resized: Quality | undefined): Quality | undefined =>
  saved && resized?.halo_percent !== undefined ? { ...saved, halo_percent: resized.halo_percent } : saved;

async function resizeFrames(request: ResizeToFormatRequest, resize: Resize) {
  const { frames, loop, ...size } = await decodeFrames(request.file ?? request.bytes);
  const resized: DecodedAnimation['frames'][number][] = [];
  let last: ResizedImage | undefined;
  for (const { data, delayMs } of frames) {
    const raw = { width: size.width, height: size.height, channels: 4 } as const;
    const bytes = await sharp(data, { raw }).png({ compressionLevel: 0 }).toBuffer();
    last = await resize({ ...request, bytes, format: 'png', isDraft: true, isMeasured: false });
    const raster = await decodeRaster(sharp(last.bytes).ensureAlpha());
    resized.push({ data: raster.data, delayMs });
  }
  const { width, height, engine } = last!;
  return { animation: { width, height, loop, frames: resized }, engine };
}
