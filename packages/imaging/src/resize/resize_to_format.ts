import { countFrames } from '../codecs/count_frames.ts';
import { openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { type ConvertedImage, framesLost } from '../convert/convert_image.ts';
import { decodeFrames } from '../decoders/frames.ts';
import type { DecodedAnimation } from '../decoders/types.ts';
import type { EncodeSource } from '../encoders/encode_picture.ts';
import { FORMAT_TRAITS, type OutputFormat } from '../encoders/formats.ts';
import { type Finish, savePicture } from '../encoders/save_picture.ts';
import type { Quality } from '../quality/types.ts';
import type { ResizedImage, ResizeRequest } from './resize_image.ts';

export interface ResizeToFormatRequest extends Omit<ResizeRequest, 'format' | 'isDraft'> {
  readonly format: OutputFormat;
  /** The file the picture came from, whose frames are read; absent: `bytes`. */
  readonly file?: Uint8Array | undefined;
  readonly isLossless?: boolean | undefined;
  /** The whole file has no more, its metadata included. */
  readonly bytesMax?: number | undefined;
  /** Of an animation, where the format holds frames; absent: the first. */
  readonly frames?: 'all' | 'first' | undefined;
  /** As `countFrames` found them, where they were counted before. */
  readonly frameCount?: number | undefined;
}

export type Resize = (request: ResizeRequest) => Promise<ResizedImage>;

/**
 * Resizes a picture, or every frame of it, and saves it in any format. PNG, JPEG and WebP of one picture are written as they are resized;
 * for the others the result is held once in between.
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

/** What saving lost, with the halos that resizing made. */
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
