import { countFrames } from '../codecs/count_frames.ts';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { LIBVIPS } from '../codecs/sharp.ts';
import { decodeFrames } from '../decoders/frames.ts';
import type { DecoderResources } from '../decoders/types.ts';
import { type EncodeSource, type PictureSource, sourceOf } from '../encoders/encode_picture.ts';
import { WHITE } from '../encoders/encode_still.ts';
import { FORMAT_NAMES, FORMAT_TRAITS, type OutputFormat } from '../encoders/formats.ts';
import { PAGES_MAX, PAGES_PIXELS_MAX } from '../encoders/limits.ts';
import { type Finish, type SavedPicture, type SaveRequest, savePicture } from '../encoders/save_picture.ts';
import { EngineError } from '../errors/engine_error.ts';
import { foreignFormatOf } from '../identify/foreign_format.ts';
import { numbersTo, openPages, type PageReader, singlePage } from './page_reader.ts';

export interface ConvertRequest extends Omit<SaveRequest, 'isCompact'> {
  /** The image as prepared for engines. */
  readonly bytes: Uint8Array;
  /** The original file, from which frames and pages are read. Default: `bytes`. */
  readonly file?: Uint8Array | undefined;
  /** Page numbers from 1, or all. Default: all pages of a document if the format supports pages, otherwise the first. */
  readonly pages?: readonly number[] | 'all' | undefined;
  /** Applies to an animation, if the format supports frames. */
  readonly frames: 'all' | 'first';
  /** Result of `countFrames`, if already known. */
  readonly frameCount?: number | undefined;
}

/** Resources that the calling process provides. */
export interface ConvertResources {
  readonly decoders: DecoderResources;
  /** Packs files into a ZIP, for several pages in a single-page format. */
  zip(files: readonly Pick<PageFile, 'name' | 'bytes'>[]): Promise<Uint8Array>;
}

/** Suffices for formats that libvips reads, one page at a time. */
const NO_RESOURCES: ConvertResources = {
  decoders: { readModule: () => undefined, readFonts: () => [] },
  zip: () =>
    Promise.reject(
      new EngineError('unsupported_image', 'Writing several pages in this format requires a ZIP.'),
    ),
};

/** A page written as a separate file. */
export interface PageFile {
  readonly name: string;
  readonly page: number;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

/** Lost properties, as `metadata.dropped` and `metadata.changed` of the response. */
export interface Losses {
  readonly dropped: readonly { readonly what: string; readonly why: string }[];
  readonly changed: readonly { readonly what: string; readonly how: string }[];
}

export interface ConvertedImage extends SavedPicture, Losses {
  /** Frames or pages were read from the file itself, so the note that only one was used would be wrong. */
  readonly readsParts: boolean;
  /** Several pages in a single-page format: the contents of the ZIP. */
  readonly files?: readonly PageFile[] | undefined;
  readonly engine: { name: string; version: string };
}

/**
 * Converts an image to another format: one page or frame, several pages as a document or as files in a ZIP, or all frames. Colours become
 * sRGB, at 16 bits if source and format support it. Metadata and trailing bytes are dropped, except what `finish` writes.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large, invalid_input, unsuitable_image
 */
export async function convertImage(
  request: ConvertRequest,
  resources: ConvertResources = NO_RESOURCES,
  finish?: Finish,
): Promise<ConvertedImage> {
  const { format, pages, file = request.bytes } = request;
  const { hasFrames, hasPages } = FORMAT_TRAITS[format];
  const frames = request.frameCount ?? countFrames(file);
  if (request.frames === 'all' && pages === undefined && frames > 1 && hasFrames) {
    const source = { kind: 'frames', animation: await decodeFrames(file) } as const;
    const saved = await savePicture(source, { ...request, isCompact: true }, finish);
    return { ...saved, dropped: [], changed: [], readsParts: true, engine: LIBVIPS };
  }
  const chosen = await choosePages(request, resources.decoders);
  const opened: OpenedPage[] = [];
  const isHeld = request.bytesMax !== undefined && chosen.numbers.length === 1;
  for (const page of chosen.numbers) opened.push(await openPage(chosen.reader, page, { format, isHeld }));
  refuseLargeDocument(opened);
  const saved =
    opened.length > 1 && !hasPages
      ? await saveFiles(opened, request, { resources, finish })
      : await savePicture({ kind: 'pages', pages: opened }, { ...request, isCompact: true }, finish);
  return {
    ...saved,
    notes: [...new Set([...opened.flatMap(({ warnings }) => warnings), ...saved.notes])],
    dropped: frames > 1 && pages === undefined ? framesLost(frames, request) : pagesLost(chosen),
    changed: opened.some(({ hasAlpha }) => hasAlpha) ? transparencyLost(request) : [],
    readsParts: chosen.isOfFile,
    engine: LIBVIPS,
  };
}

const invalid = (field: string, message: string): EngineError =>
  new EngineError('invalid_input', message, { errors: [{ field, code: 'invalid', message }] });

interface ChosenPages {
  readonly reader: PageReader;
  readonly numbers: readonly number[];
  /** The pages come from the original file, not from the prepared image. */
  readonly isOfFile: boolean;
}

async function choosePages(request: ConvertRequest, resources: DecoderResources): Promise<ChosenPages> {
  const { bytes: prepared, file = prepared, pages, format, dpi } = request;
  const isDrawn = foreignFormatOf(file) === 'pdf';
  const first = { reader: singlePage(prepared), numbers: [1], isOfFile: false };
  if (pages === undefined && !FORMAT_TRAITS[format].hasPages && !(isDrawn && dpi !== undefined)) {
    const { pages: count = 1 } = await awaitDecoding(openPicture(prepared).metadata());
    return { ...first, reader: { ...first.reader, count } };
  }
  const reader = await openPages(file, { prepared, dpi: isDrawn ? dpi : undefined, resources });
  if (reader.count === 1 && !isDrawn && (pages === undefined || pages === 'all')) return first;
  const { document } = reader;
  if (pages !== undefined) return { reader, numbers: pageNumbers(pages, reader), isOfFile: true };
  const isDocument = document.length > 1 && FORMAT_TRAITS[format].hasPages === true;
  if (!isDocument && !isDrawn) return { ...first, reader: { ...first.reader, count: reader.count } };
  return { reader, numbers: isDocument ? document.slice(0, PAGES_MAX) : [1], isOfFile: isDocument };
}

function pageNumbers(pages: readonly number[] | 'all', { count }: PageReader): readonly number[] {
  const numbers = pages === 'all' ? numbersTo(count) : pages;
  const beyond = numbers.find((page) => page > count);
  if (beyond !== undefined)
    throw invalid(
      'pages',
      `Page ${beyond} does not exist. The file has ${count === 1 ? '1 page' : `${count} pages`}.`,
    );
  if (numbers.length <= PAGES_MAX) return numbers;
  throw invalid('pages', `${numbers.length} pages were requested. The limit is ${PAGES_MAX} per call.`);
}

function refuseLargeDocument(pages: readonly PictureSource[]): void {
  const pixels = pages.reduce((sum, { width, height }) => sum + width * height, 0);
  if (pages.length > 1 && pixels > PAGES_PIXELS_MAX)
    throw new EngineError(
      'image_too_large',
      `The pages have ${Math.round(pixels / 1e6)} million pixels in total. The limit is ${PAGES_PIXELS_MAX / 1e6} million. Send fewer pages.`,
    );
}

const ENDINGS: Partial<Readonly<Record<OutputFormat, string>>> = { jpeg: 'jpg', apng: 'png' };

/** Writes each page as a file, with the byte limit applied to each, and packs them into a ZIP. */
async function saveFiles(
  pages: readonly OpenedPage[],
  request: ConvertRequest,
  { resources, finish }: { resources: ConvertResources; finish: Finish | undefined },
): Promise<SavedPicture & Pick<ConvertedImage, 'files'>> {
  const files: PageFile[] = [];
  const saved: SavedPicture[] = [];
  const ending = ENDINGS[request.format] ?? request.format;
  for (const page of pages) {
    const isMeasured = saved.length === 0 && request.isMeasured === true;
    const source: EncodeSource = { kind: 'pages', pages: [page] };
    const made = await savePicture(source, { ...request, isMeasured, isCompact: true }, finish);
    saved.push(made);
    const { bytes, contentType, width, height } = made;
    const name = `page-${String(page.number).padStart(3, '0')}.${ending}`;
    files.push({ name, page: page.number, bytes, contentType, width, height });
  }
  const bytes = await resources.zip(files);
  const notes = saved.flatMap((made) => made.notes);
  return { ...saved[0]!, bytes, contentType: 'application/zip', pages: files.length, notes, files };
}

interface OpenedPage extends PictureSource {
  readonly number: number;
  readonly hasAlpha: boolean;
  readonly warnings: readonly string[];
}

/** Opens a page: decoded anew for every attempt, or decoded once if it is the only page and several attempts are possible. */
async function openPage(
  reader: PageReader,
  number: number,
  { format, isHeld }: { format: OutputFormat; isHeld: boolean },
): Promise<OpenedPage> {
  const { bytes, page, warnings } = await reader.read(number);
  const header = await awaitDecoding(openPicture(bytes, page).metadata());
  const { autoOrient, space, depth, hasAlpha = false } = header;
  const isDeep = depth === 'ushort' && space !== 'cmyk' && (format === 'png' || format === 'tiff');
  const isGrey = space === 'b-w' || space === 'grey16';
  const target = isDeep ? (isGrey ? 'grey16' : 'rgb16') : isGrey ? 'b-w' : 'srgb';
  const facts = { number, hasAlpha, warnings };
  const opened = (from: Uint8Array, at: number) => openPicture(from, at).toColourspace(target);
  // sharp drops the alpha channel of raw greyscale samples.
  const spread = () => (isGrey && hasAlpha ? opened(bytes, page).toColourspace('srgb') : opened(bytes, page));
  if (isHeld && !isDeep) return { ...sourceOf(await decodeRaster(spread())), ...facts };
  const open = async () => {
    const again = await reader.read(number);
    return opened(again.bytes, again.page);
  };
  return { width: autoOrient.width, height: autoOrient.height, open, ...facts };
}

/** Entry of `metadata.dropped` for the frames or pages that were not written. */
export function framesLost(
  frames: number,
  { format, frames: wanted }: Pick<ConvertRequest, 'format' | 'frames'>,
): Losses['dropped'] {
  const why =
    wanted === 'first'
      ? 'frames is "first"'
      : FORMAT_TRAITS[format].hasPages
        ? `${FORMAT_NAMES[format]} stores frames as pages: send pages: "all" to convert_image`
        : `${FORMAT_NAMES[format]} stores one image; gif, webp and apng store frames`;
  return [{ what: 'frames', why: `the first of ${frames} was written: ${why}` }];
}

function pagesLost({ numbers, reader: { count, document } }: ChosenPages): Losses['dropped'] {
  const isWhole = document.every((page) => numbers.includes(page)) && document.length > 1;
  if (numbers.length === count || isWhole) return [];
  const written = numbers.length === 1 ? `page ${numbers[0]} was written` : `${numbers.length} were written`;
  return [{ what: 'pages', why: `${written}, of ${count}` }];
}

/** Entry of `metadata.changed` for transparency that the format cannot store. */
export function transparencyLost({
  format,
  background = WHITE,
}: Pick<ConvertRequest, 'format' | 'background'>): Losses['changed'] {
  const { alpha } = FORMAT_TRAITS[format];
  if (alpha === 'full') return [];
  const name = FORMAT_NAMES[format];
  const how = alpha
    ? `pixels of a ${name} are either opaque or transparent`
    : `flattened onto ${background}: ${name} has no transparency`;
  return [{ what: 'transparency', how }];
}
