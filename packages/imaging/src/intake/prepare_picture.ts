import { brokeOff } from '../codecs/cut_off.ts';
import { identify, type PictureFormat } from '../codecs/identify.ts';
import { pictureError } from '../codecs/open_picture.ts';
import { sharp } from '../codecs/sharp.ts';
import { writeTaggedTiff } from '../codecs/write_tagged_tiff.ts';
import { codingOf } from '../color/color_coding.ts';
import { writeProfile } from '../color/write_profile.ts';
import { decodePicture } from '../decoders/decode_picture.ts';
import type { DecodedFormat, DecodedPicture, DecoderResources } from '../decoders/types.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { FileIdentity } from '../identify/file_identity.ts';
import { foreignFormatOf, identifyForeign } from '../identify/foreign_format.ts';
import { identifyFile } from '../identify/identify_file.ts';
import type { Size } from '../pixels/plane.ts';
import { refuseFurtherPage, tiffOfPage } from './choose_page.ts';
import { conversionOf } from './conversion_of.ts';
import { convertSamples } from './convert_samples.ts';
import { type IntakeNotes, notesOf, repairNote, scaledNote } from './intake_notes.ts';
import { rewriteBrand, rewriteJpeg, rewritePng, rewriteTiff, rewriteWebp } from './rewrite_file.ts';

export interface PreparedPicture {
  /** Bytes for engines: the original bytes if they need no preparation. */
  readonly bytes: Uint8Array;
  readonly notes: IntakeNotes;
  /** For a file with several pages: the page used, from 1. */
  readonly pages?: UsedPage | undefined;
}

export interface UsedPage {
  readonly used: number;
  readonly of: number;
}

export interface PrepareOptions {
  /** Pixel size at which an SVG or PDF page is rendered. Default: its own. */
  readonly drawnFor?: Size | undefined;
  /** Page of a PDF or TIFF, from 1. Default: the first, or the main image. */
  readonly page?: number | undefined;
}

/**
 * Prepares a file for engines: the intended image, with its colours described by an ICC profile. An ordinary image is returned unchanged,
 * within microseconds; if only headers must change, compressed pixels are copied; everything else is decoded once.
 * @throws EngineError as decoding does; unsuitable_image for a page that the file does not have
 */
export async function preparePicture(
  bytes: Uint8Array,
  resources: DecoderResources,
  { drawnFor, page }: PrepareOptions = {},
): Promise<PreparedPicture> {
  const foreign = foreignFormatOf(bytes);
  if (foreign) {
    if (page !== undefined && foreign !== 'pdf') refuseFurtherPage(page, foreign);
    const identity = identifyForeign(foreign, bytes);
    return prepareForeign(foreign, bytes, { identity, resources, drawnFor, page });
  }
  const kind = identify(bytes);
  if (!('format' in kind)) return { bytes, notes: NO_NOTES };
  if (page === undefined) return prepareOwn(kind.format, bytes, resources);
  if (kind.format !== 'tiff') {
    refuseFurtherPage(page, kind.format);
    return prepareOwn(kind.format, bytes, resources);
  }
  const chosen = tiffOfPage(bytes, page);
  const prepared = await prepareOwn('tiff', chosen.bytes, resources);
  return { ...prepared, pages: chosen.of > 1 ? { used: page, of: chosen.of } : undefined };
}

/** Prepares a format that sharp supports. */
async function prepareOwn(
  format: PictureFormat,
  bytes: Uint8Array,
  resources: DecoderResources,
): Promise<PreparedPicture> {
  const identity = identifyFile(format, bytes);
  const notes = notesOf(format, identity);
  const conversion = conversionOf(format, bytes, identity);
  const { pages } = identity;
  if (conversion === 'none') return { bytes, notes, pages };
  if (conversion === 'decode')
    return prepareForeign(format as 'tiff' | 'avif', bytes, { identity, resources });
  if (conversion === 'rewrite') return { bytes: await rewrite(format, bytes, identity), notes, pages };
  const source =
    format === 'tiff' ? rewriteTiff(bytes, identity) : format === 'avif' ? rewriteBrand(bytes) : bytes;
  const page = format === 'avif' ? await primaryPage(source) : 0;
  if (conversion === 'find_page' && page === 0) return { bytes, notes, pages };
  const { bytes: converted, scaled } = await convertSamples(source, identity, {
    page,
    isPremultiplied: format === 'avif' && identity.samples.extra.includes('premultiplied'),
  });
  return { bytes: converted, notes: scaled ? withWarning(notes, scaledNote(scaled)) : notes, pages };
}

interface Foreign extends PrepareOptions {
  readonly identity: FileIdentity;
  readonly resources: DecoderResources;
}

/** Decodes a format that sharp does not support. */
async function prepareForeign(
  format: DecodedFormat,
  bytes: Uint8Array,
  { identity, resources, drawnFor, page: asked }: Foreign,
): Promise<PreparedPicture> {
  const page = asked ?? (format === 'tiff' ? identity.pages?.used : undefined);
  const picture = await decodePicture(format, bytes, { page, drawnFor, resources });
  const { icc, pages, frames, warnings } = picture;
  const coding = codingIn(picture);
  const used = page ?? identity.pages?.used ?? 1;
  const counted: FileIdentity = {
    ...identity,
    color: { source: 'nclx', coding: icc ? undefined : coding },
    // An explicitly requested page needs no note about the others.
    pages: pages && asked === undefined ? { used, of: pages, losesOthers: true } : undefined,
    animation: frames ? (identity.animation ?? { frames, milliseconds: 0, loop: 0 }) : undefined,
  };
  const notes = notesOf(format, counted);
  return {
    bytes: tiffOf(picture),
    notes: { ...notes, warnings: [...notes.warnings, ...warnings] },
    pages: pages ? { used, of: pages } : undefined,
  };
}

const codingIn = ({ cicp }: DecodedPicture) => cicp && codingOf(cicp.primaries, cicp.transfer);

/** A decoded image as a file that every engine reads, with a profile of its colours. */
export function tiffOf(picture: DecodedPicture): Uint8Array {
  const { width, height, channels, data, icc } = picture;
  const model = channels < 3 ? 'grey' : 'rgb';
  const coding = codingIn(picture);
  const profile = icc ?? (coding && writeProfile(coding, model));
  return writeTaggedTiff({ width, height, model, hasAlpha: channels % 2 === 0, data, profile });
}

const NO_NOTES: IntakeNotes = { warnings: [], lost: [] };
const withWarning = (notes: IntakeNotes, warning: string): IntakeNotes => ({
  ...notes,
  warnings: [...notes.warnings, warning],
});

async function rewrite(
  format: PictureFormat,
  bytes: Uint8Array,
  identity: FileIdentity,
): Promise<Uint8Array> {
  if (format === 'png') return rewritePng(bytes, identity);
  if (format === 'tiff') return rewriteTiff(bytes, identity);
  if (format === 'avif') return rewriteBrand(bytes);
  if (format === 'webp') return rewriteWebp(bytes);
  const jpeg = rewriteJpeg(bytes, identity);
  if (identity.faults.length > 0) await refuseTruncatedJpeg(bytes, jpeg);
  return jpeg;
}

/**
 * Rejects a truncated JPEG that lacks more than its end marker, for engines that do not decode it.
 * @throws EngineError undecodable_image, unsupported_image
 */
export async function refuseTruncatedFile(bytes: Uint8Array): Promise<void> {
  const kind = identify(bytes);
  if (!('format' in kind) || kind.format !== 'jpeg') return;
  const identity = identifyFile('jpeg', bytes);
  if (identity.faults.length > 0) await refuseTruncatedJpeg(bytes, rewriteJpeg(bytes, identity));
}

/**
 * Without an end marker, only full decoding distinguishes a complete JPEG from a truncated one: a reduced copy would not need the last
 * bytes.
 */
async function refuseTruncatedJpeg(sent: Uint8Array, ended: Uint8Array): Promise<void> {
  const warnings = ownWarnings(await warningsIn(ended));
  if (warnings.every(isHarmless)) return;
  const error = pictureError(new Error(warnings.join('\n')));
  throw error.code === 'undecodable_image'
    ? brokeOff(sent, 'without the end-of-image marker of a JPEG')
    : error;
}

/** Decoder index of the primary item of an AVIF. */
const primaryPage = async (bytes: Uint8Array): Promise<number> =>
  (
    await sharp(bytes)
      .metadata()
      .catch(() => undefined)
  )?.pagePrimary ?? 0;

/** Decoder warnings that affect no pixel. All others mean damage. */
const HARMLESS = [
  /does not end in null byte/i,
  /tags are not sorted/i,
  /unknown field with tag/i,
  /incorrect (count|value) for/i,
  /wrong data type .* for/i,
  /nonstandard tile/i,
  // Padding before the end; more than 16 bytes would be pixels that were not read. Any bytes between header segments.
  /\b(\d|1[0-6]) extraneous bytes before marker 0xd9/,
  /extraneous bytes before marker 0x(db|c[0-4]|dd|e[0-9a-f]|fe)/,
  /inconsistent progression sequence/i,
  /known incorrect sRGB profile|iCCP/i,
];
/** Messages that accompany a warning raised as an error. */
const ACCOMPANYING = /warning treated as error|error in tile|^$/i;
const ownWarnings = (lines: readonly string[]): string[] => lines.filter((line) => !ACCOMPANYING.test(line));
const isHarmless = (line: string): boolean => HARMLESS.some((pattern) => pattern.test(line));

/** Decodes an image again with warnings ignored, if all warnings of the failed attempt are harmless. Undefined for a damaged image. */
export async function repairPicture(bytes: Uint8Array): Promise<PreparedPicture | undefined> {
  const kind = identify(bytes);
  if (!('format' in kind) || kind.format === 'avif') return undefined;
  const own = ownWarnings(await warningsIn(bytes));
  const [first] = own;
  if (!first || !own.every(isHarmless)) return undefined;
  const identity = identifyFile(kind.format, bytes);
  const source = kind.format === 'tiff' ? rewriteTiff(bytes, identity) : bytes;
  try {
    const { bytes: converted } = await convertSamples(source, identity, { failOn: 'none' });
    return { bytes: converted, notes: withWarning(notesOf(kind.format, identity), repairNote(first)) };
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

const LINES_MAX = 50;

async function warningsIn(bytes: Uint8Array): Promise<string[]> {
  try {
    await sharp(bytes, { failOn: 'warning', limitInputPixels: false }).greyscale().raw().toBuffer();
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split('\n').slice(0, LINES_MAX) : [];
  }
}
