import type { Sharp } from 'sharp';
import { awaitDecoding } from '../codecs/open_picture.ts';
import { sharp } from '../codecs/sharp.ts';
import type { DecodedAnimation } from '../decoders/types.ts';
import { EngineError } from '../errors/engine_error.ts';
import { jpegSegments, startsWith } from '../metadata/containers/jpeg_segments.ts';
import { type Ifd, numberReader, readIfd } from '../metadata/tiff/ifd.ts';
import type { Size } from '../pixels/plane.ts';
import { pngChunk, pngChunks } from '../pixels/png_chunks.ts';
import type { Raster } from '../pixels/raster.ts';
import { type Coding, isHeldWhole } from './coding.ts';
import { encodeStill, type StillFormat, WHITE } from './encode_still.ts';
import { FORMAT_NAMES, FORMAT_TRAITS, type OutputFormat } from './formats.ts';
import { PAGE_DPI_DEFAULT, WHOLE_PICTURE_PIXELS_MAX } from './limits.ts';
import { writeApng } from './write_apng.ts';
import { writeIco } from './write_ico.ts';
import { type PdfPage, writePicturePdf } from './write_picture_pdf.ts';

/** An upright image in sRGB or grey that can be reopened for every encoding attempt. */
export interface PictureSource extends Size {
  open(): Sharp | Promise<Sharp>;
}

/** Input of an encoder: one image, the pages of a document, or the frames of an animation. */
export type EncodeSource =
  | { readonly kind: 'pages'; readonly pages: readonly PictureSource[] }
  | { readonly kind: 'frames'; readonly animation: DecodedAnimation };

export interface EncodeOptions extends Coding {
  readonly format: OutputFormat;
  /** Dots per inch, written into the file; determines the page size of a PDF. */
  readonly dpi?: number | undefined;
  /** Hex colour to flatten transparency onto, for formats without alpha. Default: white. */
  readonly background?: string | undefined;
  /** Takes about 3 times as long for 5 to 15 % fewer bytes. */
  readonly isCompact?: boolean | undefined;
  /** Encodes as fast as possible, with more bytes. */
  readonly isQuick?: boolean | undefined;
  /** Scale factor of the sides. Default: 1. */
  readonly scale?: number;
}

interface EncodedPicture extends Size {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/**
 * Encodes an image in any output format; all images are written through this function.
 * @throws EngineError undecodable_image; unsupported_image if the format cannot hold the image
 */
export async function encodePicture(source: EncodeSource, options: EncodeOptions): Promise<EncodedPicture> {
  const encoded =
    source.kind === 'frames'
      ? await encodeAnimation(source.animation, options)
      : options.format === 'pdf'
        ? await encodePages(source.pages, options)
        : source.pages.length > 1
          ? await encodeTiffPages(source.pages, options)
          : await encodeOne(source.pages[0]!, options);
  const { dpi, format } = options;
  const bytes = (dpi !== undefined && setDensity(encoded.bytes, format, dpi)) || encoded.bytes;
  return { ...encoded, bytes, contentType: FORMAT_TRAITS[format].contentType };
}

type Encoded = Omit<EncodedPicture, 'contentType'>;

async function encodeOne(source: PictureSource, options: EncodeOptions): Promise<Encoded> {
  const { format } = options;
  if (format === 'ico') {
    const { bytes, side } = await awaitDecoding(
      writeIco(() => scaled(source, options), scaledSize(source, options)),
    );
    return { bytes, width: side, height: side };
  }
  refuseTooLarge(scaledSize(source, options), options);
  if (format === 'apng')
    return encodeAnimation(await asAnimation(await scaled(source, options)), { ...options, scale: 1 });
  const opened = await scaled(source, options);
  const pipeline = encodeStill(opened, { ...options, format: format as StillFormat });
  const { data, info } = await awaitDecoding(pipeline.toBuffer({ resolveWithObject: true }));
  return { bytes: data, width: info.width, height: info.height };
}

const scaledSize = ({ width, height }: Size, { scale = 1 }: EncodeOptions): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

async function scaled(source: PictureSource, options: EncodeOptions): Promise<Sharp> {
  const opened = await source.open();
  return (options.scale ?? 1) < 1 ? opened.resize({ ...scaledSize(source, options), fit: 'fill' }) : opened;
}

function refuseTooLarge({ width, height }: Size, options: EncodeOptions): void {
  const name = FORMAT_NAMES[options.format];
  const { sideMax } = FORMAT_TRAITS[options.format];
  if (Math.max(width, height) > sideMax)
    throw new EngineError(
      'unsuitable_image',
      `The image has ${width} × ${height} pixels. The limit of ${name} is ${sideMax} per side. Choose png, jpeg or tiff, or resize the image first.`,
    );
  if (isHeldWhole(options) && width * height > WHOLE_PICTURE_PIXELS_MAX)
    throw new EngineError(
      'image_too_large',
      `The image has ${width} × ${height} pixels. The limit for ${options.isLossless ? `lossless ${name}` : name} is ${WHOLE_PICTURE_PIXELS_MAX / 1e6} million. Choose jpeg, png or tiff, or resize the image first.`,
    );
}

async function asAnimation(picture: Sharp): Promise<DecodedAnimation> {
  const { data, info } = await awaitDecoding(
    picture.toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }),
  );
  return { width: info.width, height: info.height, frames: [{ data, delayMs: 0 }], loop: 0 };
}

async function encodePages(pages: readonly PictureSource[], options: EncodeOptions): Promise<Encoded> {
  const { background = WHITE, dpi = PAGE_DPI_DEFAULT, isLossless, quality } = options;
  const written: PdfPage[] = [];
  for (const page of pages) {
    refuseTooLarge(scaledSize(page, options), options);
    const kind = isLossless ? 'png' : 'jpeg';
    const still = { format: kind, quality, isLossless: true, background, isCompact: true } as const;
    const opened = await scaled(page, options);
    const pipeline = encodeStill(opened.flatten({ background }), still);
    const { data, info } = await awaitDecoding(pipeline.toBuffer({ resolveWithObject: true }));
    const { width, height } = info;
    written.push({ width, height, channels: info.channels === 1 ? 1 : 3, file: data, kind, dpi });
  }
  const [{ width, height } = { width: 1, height: 1 }] = written;
  return { bytes: writePicturePdf(written), width, height };
}

async function encodeTiffPages(pages: readonly PictureSource[], options: EncodeOptions): Promise<Encoded> {
  const written: Encoded[] = [];
  for (const page of pages) written.push(await encodeOne(page, options));
  const [{ width, height } = { width: 1, height: 1 }] = written;
  return { bytes: joinTiffs(written.map(({ bytes }) => bytes)), width, height };
}

async function encodeAnimation(animation: DecodedAnimation, options: EncodeOptions): Promise<Encoded> {
  const { format, quality, isLossless } = options;
  const { width, height, loop, ...scaled } =
    (options.scale ?? 1) < 1 ? await scaledFrames(animation, options) : animation;
  const frames = scaled.frames.map(({ data, delayMs }) => ({ data, delayMs: shownDelay(delayMs) }));
  refuseTooLarge({ width, height }, { ...options, isLossless: false });
  if (format === 'apng') return { bytes: await writeApng({ width, height, frames, loop }), width, height };
  const tall = Buffer.concat(frames.map(({ data }) => data));
  const raw = { width, height: height * frames.length, channels: 4, pageHeight: height } as const;
  const timing = { delay: frames.map(({ delayMs }) => delayMs), loop };
  const picture = sharp(tall, { raw, limitInputPixels: false });
  const coded =
    format === 'gif'
      ? picture.gif({ ...timing, effort: 4, interFrameMaxError: 0 })
      : picture.webp({ ...timing, effort: 2, ...(isLossless ? { lossless: true } : { quality }) });
  return { bytes: await awaitDecoding(coded.toBuffer()), width, height };
}

/** Browsers show frames with a missing or tiny delay for 100 ms; writing 100 ms makes other readers do the same. */
const shownDelay = (ms: number): number => (ms <= 10 ? 100 : Math.round(ms));

async function scaledFrames(animation: DecodedAnimation, options: EncodeOptions): Promise<DecodedAnimation> {
  const size = scaledSize(animation, options);
  const frames = [];
  for (const { data, delayMs } of animation.frames) {
    const raw = { width: animation.width, height: animation.height, channels: 4 } as const;
    const resized = sharp(data, { raw })
      .resize({ ...size, fit: 'fill' })
      .raw();
    frames.push({ data: await awaitDecoding(resized.toBuffer()), delayMs });
  }
  return { ...animation, ...size, frames };
}

/** An image source of 8-bit pixels in memory. */
export function sourceOf({ data, ...raw }: Raster): PictureSource {
  const space = raw.channels < 3 ? 'b-w' : 'srgb';
  return { ...raw, open: () => sharp(data, { raw, limitInputPixels: false }).toColourspace(space) };
}

const INCHES_PER_METRE = 1 / 0.0254;

/**
 * Writes the density into the file header. Undefined for formats that can store it only in Exif, and for TIFF, whose encoder writes it.
 * Only for files made by these encoders.
 */
function setDensity(bytes: Uint8Array, format: OutputFormat, dpi: number): Uint8Array | undefined {
  if (format === 'png' || format === 'apng') return inPng(bytes, dpi);
  return format === 'jpeg' ? inJpeg(bytes, dpi) : undefined;
}

/** pHYs, in pixels per metre. PNG 3rd edition, 11.3.4.3 */
function inPng(bytes: Uint8Array, dpi: number): Uint8Array {
  const data = Buffer.alloc(9);
  data.writeUInt32BE(Math.round(dpi * INCHES_PER_METRE), 0);
  data.writeUInt32BE(Math.round(dpi * INCHES_PER_METRE), 4);
  data[8] = 1;
  const [header, ...others] = pngChunks(bytes).chunks.filter(({ type }) => type !== 'pHYs');
  return Buffer.concat([
    bytes.subarray(0, 8),
    header!.bytes,
    pngChunk('pHYs', data),
    ...others.map((chunk) => chunk.bytes),
  ]);
}

/** Writes a JFIF segment with unit and density, replacing an existing one. ITU-T T.871, 10.1 */
function inJpeg(bytes: Uint8Array, dpi: number): Uint8Array {
  const segment = Buffer.from('ffe000104a46494600010101000000000000', 'hex');
  segment.writeUInt16BE(Math.round(dpi), 12);
  segment.writeUInt16BE(Math.round(dpi), 14);
  const { segments, rest } = jpegSegments(bytes);
  const others = segments.filter(
    ({ marker, payload }) => !(marker === APP0 && startsWith(payload, JFIF_HEAD)),
  );
  return Buffer.concat([
    bytes.subarray(0, 2),
    segment,
    ...others.map((other) => other.bytes),
    bytes.subarray(rest),
  ]);
}

const APP0 = 0xe0;
const JFIF_HEAD = Buffer.from('JFIF\0', 'latin1');

/** StripOffsets and TileOffsets. TIFF 6.0, sections 8 and 15 */
const OFFSET_TAGS = [273, 324];
const LONG = 4;
const ENTRY_BYTES = 12;

/** NewSubfileType entry: one page of several, a 32-bit number. TIFF 6.0, section 8 */
const PAGE_ENTRY = Buffer.from('fe0004000100000002000000', 'hex');

/**
 * Joins single-page files into one: they are concatenated with their offsets shifted, and each directory points to the next.
 * @param files from libvips: little-endian, no BigTIFF, no nested directories and no NewSubfileType
 */
function joinTiffs(files: readonly Uint8Array[]): Buffer {
  const pieces: Buffer[] = [];
  let end = 0;
  let nextAt: { readonly file: Buffer; readonly at: number } | undefined;
  for (const bytes of files) {
    const { file, ifd } = asPage(bytes);
    shiftOffsets(file, ifd, end);
    if (nextAt) nextAt.file.writeUInt32LE(end + ifd.offset, nextAt.at);
    else file.writeUInt32LE(ifd.offset, 4);
    nextAt = { file, at: ifd.offset + 2 + ENTRY_BYTES * ifd.entries.length };
    pieces.push(file);
    end += file.length;
  }
  return Buffer.concat(pieces);
}

/** The file with a directory at its end that marks it as a page. */
function asPage(bytes: Uint8Array): { file: Buffer; ifd: Ifd } {
  const own = readIfd(bytes);
  if (!own?.little || own.big || (own.entries[0]?.tag ?? 0) <= 254)
    throw new Error('a TIFF of one page was not written as expected');
  const count = Buffer.alloc(2);
  count.writeUInt16LE(own.entries.length + 1);
  const directory = [count, PAGE_ENTRY, ...own.entries.map(({ raw }) => raw), Buffer.alloc(4)];
  const at = bytes.length + (bytes.length & 1);
  // Directories start at even offsets.
  const file = Buffer.concat([bytes, Buffer.alloc(bytes.length & 1), ...directory]);
  return { file, ifd: readIfd(file, at)! };
}

function shiftOffsets(file: Buffer, { entries, offset }: Ifd, by: number): void {
  const read = numberReader(file, true);
  for (const [index, { tag, type, count, data }] of entries.entries()) {
    const valueAt = offset + 2 + ENTRY_BYTES * index + 8;
    if (OFFSET_TAGS.includes(tag)) {
      if (type !== LONG) throw new Error(`tag ${tag} of a TIFF has type ${type}`);
      const first = data.byteOffset - file.byteOffset;
      for (let at = first; at < first + 4 * count; at += 4) file.writeUInt32LE(read(at, 4) + by, at);
    }
    if (data.length > 4) file.writeUInt32LE(read(valueAt, 4) + by, valueAt);
  }
}
