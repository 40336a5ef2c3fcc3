import { countFrames } from '../codecs/count_frames.ts';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { LIBVIPS } from '../codecs/sharp.ts';
import { decodeFrames } from '../decoders/frames.ts';
import { type EncodeSource, type PictureSource, sourceOf } from '../encoders/encode_picture.ts';
import { WHITE } from '../encoders/encode_still.ts';
import { FORMAT_NAMES, FORMAT_TRAITS, type OutputFormat } from '../encoders/formats.ts';
import { PAGES_MAX, PAGES_PIXELS_MAX } from '../encoders/limits.ts';
import { type Finish, type SavedPicture, type SaveRequest, savePicture } from '../encoders/save_picture.ts';
import { EngineError } from '../errors/engine_error.ts';
import { foreignFormatOf } from '../identify/foreign_format.ts';

export interface ConvertRequest extends Omit<SaveRequest, 'isCompact'> {
  /** The picture as engines read it. */
  readonly bytes: Uint8Array;
  /** The file it came from, whose frames and pages are read; absent: `bytes`. */
  readonly file?: Uint8Array | undefined;
  /** From 1, or all of them; several only where the format holds pages. Absent: the first. */
  readonly pages?: readonly number[] | 'all' | undefined;
  /** Of an animation, where the format holds frames. */
  readonly frames: 'all' | 'first';
  /** As `countFrames` found them, where they were counted before. */
  readonly frameCount?: number | undefined;
}

/** What cannot go over, as `metadata.dropped` and `metadata.changed` of the answer have it. */
export interface Losses {
  readonly dropped: readonly { readonly what: string; readonly why: string }[];
  readonly changed: readonly { readonly what: string; readonly how: string }[];
}

export interface ConvertedImage extends SavedPicture, Losses {
  /** Frames or pages were read from the file itself, so that it is wrong to say that one was used. */
  readonly readsParts: boolean;
  readonly engine: { name: string; version: string };
}

/**
 * Writes a picture in another format: one page or frame of it, several pages as a document, or all frames. Colours become sRGB, in 16 bits
 * where source and format have them. Metadata and appended bytes do not survive, but for what `finish` puts in.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large, invalid_input, unsuitable_image
 */
export async function convertImage(request: ConvertRequest, finish?: Finish): Promise<ConvertedImage> {
  refuseSeveralPages(request);
  const { source, losses } = await openSource(request);
  const saved = await savePicture(source, { ...request, isCompact: true }, finish);
  const readsParts = source.kind === 'frames' || request.pages !== undefined;
  return { ...saved, ...losses, readsParts, engine: LIBVIPS };
}

function refuseSeveralPages({ bytes, file, format, pages }: ConvertRequest): void {
  if (pages !== undefined && foreignFormatOf(file ?? bytes))
    throw invalid(
      'pages',
      'Pages are chosen from TIFF, GIF and WebP files. Leave pages out for the first one.',
    );
  if (pages !== undefined && pages !== 'all' && pages.length > 1 && !FORMAT_TRAITS[format].hasPages)
    throw invalid('pages', `${FORMAT_NAMES[format]} holds one page. Name one, or choose format "pdf".`);
}

const invalid = (field: string, message: string): EngineError =>
  new EngineError('invalid_input', message, { errors: [{ field, code: 'invalid', message }] });

interface Opened {
  readonly source: EncodeSource;
  readonly losses: Losses;
}

async function openSource(request: ConvertRequest): Promise<Opened> {
  const { format, pages, file = request.bytes } = request;
  const bytes = pages === undefined ? request.bytes : file;
  const { hasFrames } = FORMAT_TRAITS[format];
  const frames = request.frameCount ?? countFrames(file);
  const wantsFrames = request.frames === 'all' && pages === undefined && frames > 1;
  if (wantsFrames && hasFrames)
    return {
      source: { kind: 'frames', animation: await decodeFrames(file) },
      losses: { dropped: [], changed: [] },
    };
  const { pages: count = 1, hasAlpha, depth, space } = await awaitDecoding(openPicture(bytes).metadata());
  const numbers = pageNumbers(pages, count, format);
  const isDeep = depth === 'ushort' && space !== 'cmyk' && (format === 'png' || format === 'tiff');
  const isHeld = request.bytesMax !== undefined && !isDeep && numbers.length === 1;
  const opened: PictureSource[] = [];
  for (const page of numbers) opened.push(await openPage(bytes, { page, isDeep, isHeld }));
  refuseLargeDocument(opened);
  const lost = frames > 1 && pages === undefined ? framesLost(frames, request) : pagesLost(numbers, count);
  return {
    source: { kind: 'pages', pages: opened },
    losses: {
      dropped: lost,
      changed: hasAlpha ? transparencyLost(request) : [],
    },
  };
}

function pageNumbers(pages: ConvertRequest['pages'], count: number, format: OutputFormat): readonly number[] {
  if (pages === 'all') {
    if (count > 1 && !FORMAT_TRAITS[format].hasPages)
      throw invalid(
        'pages',
        `${FORMAT_NAMES[format]} holds one page, and the file has ${count}. Name one with page, or choose format "pdf".`,
      );
    return refuseManyPages(Array.from({ length: count }, (_, at) => at + 1));
  }
  const beyond = pages?.find((page) => page > count);
  if (beyond !== undefined)
    throw invalid('pages', `There is no page ${beyond}: the file has ${count === 1 ? 'one' : count}.`);
  return refuseManyPages(pages ?? [1]);
}

function refuseManyPages(numbers: readonly number[]): readonly number[] {
  if (numbers.length <= PAGES_MAX) return numbers;
  throw invalid('pages', `At most ${PAGES_MAX} pages are written at once, and these are ${numbers.length}.`);
}

function refuseLargeDocument(pages: readonly PictureSource[]): void {
  const pixels = pages.reduce((sum, { width, height }) => sum + width * height, 0);
  if (pages.length > 1 && pixels > PAGES_PIXELS_MAX)
    throw new EngineError(
      'image_too_large',
      `The pages have ${Math.round(pixels / 1e6)} million pixels together; at most ${PAGES_PIXELS_MAX / 1e6} million are written at once. Name fewer pages.`,
    );
}

/** A page that is decoded for every attempt, or once where there may be several of them. */
async function openPage(
  bytes: Uint8Array,
  { page, isDeep, isHeld }: { page: number; isDeep: boolean; isHeld: boolean },
): Promise<PictureSource> {
  const { autoOrient, space, hasAlpha } = await awaitDecoding(openPicture(bytes, page).metadata());
  const isGrey = space === 'b-w' || space === 'grey16';
  const target = isDeep ? (isGrey ? 'grey16' : 'rgb16') : isGrey ? 'b-w' : 'srgb';
  const open = () => openPicture(bytes, page).toColourspace(target);
  // sharp leaves opacity out of raw samples in grey.
  if (isHeld) return sourceOf(await decodeRaster(isGrey && hasAlpha ? open().toColourspace('srgb') : open()));
  return { width: autoOrient.width, height: autoOrient.height, open };
}

export function framesLost(
  frames: number,
  { format, frames: wanted }: Pick<ConvertRequest, 'format' | 'frames'>,
): Losses['dropped'] {
  const why =
    wanted === 'first'
      ? 'frames is "first"'
      : `${FORMAT_NAMES[format]} holds one picture; gif, webp and apng hold them`;
  return [{ what: 'frames', why: `the first of ${frames} was written: ${why}` }];
}

function pagesLost(numbers: readonly number[], count: number): Losses['dropped'] {
  if (numbers.length === count) return [];
  const written = numbers.length === 1 ? `page ${numbers[0]} was written` : `${numbers.length} were written`;
  return [{ what: 'pages', why: `${written}, of ${count}` }];
}

export function transparencyLost({
  format,
  background = WHITE,
}: Pick<ConvertRequest, 'format' | 'background'>): Losses['changed'] {
  const { alpha } = FORMAT_TRAITS[format];
  if (alpha === 'full') return [];
  const name = FORMAT_NAMES[format];
  const how = alpha ? `a pixel of a ${name} is opaque or not` : `laid on ${background}: ${name} has none`;
  return [{ what: 'transparency', how }];
}
