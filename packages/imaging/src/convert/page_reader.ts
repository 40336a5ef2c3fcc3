import { identify } from '../codecs/identify.ts';
import { awaitDecoding } from '../codecs/open_picture.ts';
import { sharp } from '../codecs/sharp.ts';
import { isApng } from '../decoders/apng.ts';
import { openDocument } from '../decoders/decode_picture.ts';
import { decodeFrames } from '../decoders/frames.ts';
import type { DecodedAnimation, DecoderResources, OpenDocument } from '../decoders/types.ts';
import { PAGES_HELD_BYTES_MAX } from '../encoders/limits.ts';
import { SEQUENCE } from '../identify/file_identity.ts';
import { type ForeignFormat, foreignFormatOf, identifyForeign } from '../identify/foreign_format.ts';
import { identifyFile } from '../identify/identify_file.ts';
import { identifyTiff, tiffPages } from '../identify/read_tiff.ts';
import { conversionOf } from '../intake/conversion_of.ts';
import { convertSamples } from '../intake/convert_samples.ts';
import { tiffOf } from '../intake/prepare_picture.ts';
import { rewriteBrand, rewriteTiff } from '../intake/rewrite_file.ts';

/** One page as a file that libvips reads. */
export interface ReadPage {
  readonly bytes: Uint8Array;
  /** Page number within `bytes`, from 1. */
  readonly page: number;
  /** Messages for the client. */
  readonly warnings: readonly string[];
}

/** Reads the pages, frames or images of a file in any supported format. */
export interface PageReader {
  readonly count: number;
  /** Page numbers of the document: without reduced copies, and a single one for an animation or icon. */
  readonly document: readonly number[];
  /** @param page 1 to `count` @throws EngineError as decoding does */
  read(page: number): Promise<ReadPage>;
}

interface ReaderOptions {
  /** The file with its first image as prepared for engines (`preparePicture`). */
  readonly prepared: Uint8Array;
  /** Resolution in dpi for PDF and SVG, which have no pixels of their own. */
  readonly dpi?: number | undefined;
  readonly resources: DecoderResources;
}

/**
 * Opens a file for reading any of its pages. Decoded pages are cached up to a limit, so that they are not decoded for every use.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function openPages(file: Uint8Array, options: ReaderOptions): Promise<PageReader> {
  const foreign = foreignFormatOf(file);
  if (foreign) return foreignPages(foreign, file, options);
  const kind = identify(file);
  const format = 'format' in kind ? kind.format : undefined;
  const { prepared: bytes } = options;
  if (format === 'tiff') return tiffReader(file, options);
  if (format === 'avif') return avifPictures(file, bytes);
  if (format === 'png' && isApng(bytes)) return apngFrames(bytes);
  const { pages: count = 1 } = await awaitDecoding(sharp(bytes, { limitInputPixels: false }).metadata());
  return { count, document: FIRST, read: async (page) => ({ bytes, page, warnings: [] }) };
}

const FIRST = [1];

/** A reader for a single image. */
export const singlePage = (bytes: Uint8Array): PageReader => ({
  count: 1,
  document: FIRST,
  read: async () => ({ bytes, page: 1, warnings: [] }),
});

async function foreignPages(
  format: ForeignFormat,
  bytes: Uint8Array,
  options: ReaderOptions,
): Promise<PageReader> {
  const pages = identifyForeign(format, bytes).pages?.of ?? 1;
  const document = await openDocument(format, bytes, { ...options, pages });
  const count = document.pages;
  return {
    count,
    document: format === 'ico' ? FIRST : numbersTo(count),
    read: holding(async (page) => decoded(document, page)),
  };
}

/** Reads the still images of a file; of an animation only the first frame. */
async function avifPictures(file: Uint8Array, prepared: Uint8Array): Promise<PageReader> {
  const identity = identifyFile('avif', file);
  const only = singlePage(prepared);
  if (identity.compression === SEQUENCE) return only;
  const source = rewriteBrand(file);
  const { pages: count = 1 } = await awaitDecoding(sharp(source, { limitInputPixels: false }).metadata());
  if (count === 1) return only;
  const isPremultiplied = identity.samples.extra.includes('premultiplied');
  const isConverted = identity.color.coding !== undefined || isPremultiplied;
  const read = async (page: number): Promise<ReadPage> => {
    if (!isConverted) return { bytes: source, page, warnings: [] };
    const { bytes } = await convertSamples(source, identity, { page: page - 1, isPremultiplied });
    return { bytes, page: 1, warnings: [] };
  };
  return { count, document: numbersTo(count), read: holding(read) };
}

/** The numbers 1 to `count`. */
export const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

async function decoded(document: OpenDocument, page: number): Promise<ReadPage> {
  const picture = await document.picture(page);
  return { bytes: tiffOf(picture), page: 1, warnings: picture.warnings };
}

/** Pages may differ in compression, samples and colours; an ordinary page is read without conversion. */
function tiffReader(bytes: Uint8Array, { resources }: ReaderOptions): PageReader {
  const { count, pictures } = tiffPages(bytes);
  const convert = holding(async (page) => {
    const identity = identifyTiff(bytes, page);
    const conversion = conversionOf('tiff', bytes, identity);
    if (conversion === 'decode')
      return decoded(await openDocument('tiff', bytes, { pages: count, resources }), page);
    const own = rewriteTiff(bytes, identity);
    const converted = conversion === 'convert' ? (await convertSamples(own, identity)).bytes : own;
    return { bytes: converted, page: 1, warnings: [] };
  });
  const read = async (page: number): Promise<ReadPage> => {
    const identity = identifyTiff(bytes, page);
    const isMoved = ['none', 'rewrite'].includes(conversionOf('tiff', bytes, identity));
    const isPlain = isMoved && !identity.color.coding && identity.faults.length === 0;
    return isPlain ? { bytes, page, warnings: [] } : convert(page);
  };
  return { count, document: pictures.length > 0 ? pictures : FIRST, read };
}

async function apngFrames(bytes: Uint8Array): Promise<PageReader> {
  const animation = await decodeFrames(bytes);
  const read = async (page: number): Promise<ReadPage> => ({
    bytes: tiffOf(frameOf(animation, page)),
    page: 1,
    warnings: [],
  });
  return { count: animation.frames.length, document: FIRST, read };
}

const frameOf = ({ width, height, frames }: DecodedAnimation, page: number) => ({
  width,
  height,
  channels: 4 as const,
  data: frames[page - 1]!.data,
  warnings: [],
});

/** Caches pages as long as all pages read so far fit the limit. */
function holding(read: PageReader['read']): PageReader['read'] {
  const held = new Map<number, ReadPage>();
  let bytesHeld = 0;
  return async (page) => {
    const known = held.get(page);
    if (known) return known;
    const made = await read(page);
    if (bytesHeld + made.bytes.length <= PAGES_HELD_BYTES_MAX) {
      held.set(page, made);
      bytesHeld += made.bytes.length;
    }
    return made;
  };
}
