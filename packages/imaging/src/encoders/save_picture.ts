import { decodeRaster } from '../codecs/read_raster.ts';
import { EngineError } from '../errors/engine_error.ts';
import { LOSSLESS_METRICS } from '../quality/lossless_metrics.ts';
import { savingLoss } from '../quality/saving_loss.ts';
import type { Quality } from '../quality/types.ts';
import { codingOf } from './coding.ts';
import { type EncodeOptions, type EncodeSource, encodePicture, sourceOf } from './encode_picture.ts';
import { encodeStill, type StillFormat, WHITE } from './encode_still.ts';
import { type Attempt, fitBytes } from './fit_bytes.ts';
import { FORMAT_NAMES, FORMAT_TRAITS, type OutputFormat } from './formats.ts';

export interface SaveRequest {
  readonly format: OutputFormat;
  /** 1 to 100. Default: from `FORMAT_TRAITS`. */
  readonly quality?: number | undefined;
  readonly isLossless?: boolean | undefined;
  /** Limit of the whole file, metadata included. */
  readonly bytesMax?: number | undefined;
  readonly dpi?: number | undefined;
  /** Hex colour to flatten transparency onto, for formats without alpha. */
  readonly background?: string | undefined;
  /** Takes about 3 times as long for 5 to 15 % fewer bytes. */
  readonly isCompact?: boolean | undefined;
  /** Encodes as fast as possible, with more bytes: for images that are shown once. */
  readonly isQuick?: boolean | undefined;
  /** Whether to measure the quality loss, which takes some time. */
  readonly isMeasured?: boolean | undefined;
}

/** The finished file, and its encoding parameters. */
export interface SavedPicture {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** Quality used, for lossy encoding. */
  readonly savedQuality?: number | undefined;
  readonly frames?: number | undefined;
  readonly pages?: number | undefined;
  /** Messages for the client. */
  readonly notes: readonly string[];
  readonly quality?: Quality | undefined;
}

/** Writes metadata into an encoded file, so that the byte limit applies to the final size. */
export type Finish = (
  made: Pick<SavedPicture, 'bytes' | 'contentType' | 'width' | 'height'>,
) => Promise<Uint8Array>;

/**
 * Encodes an image, its pages or frames, within a byte limit if one is given.
 * @throws EngineError invalid_input, undecodable_image, unsuitable_image, image_too_large
 */
export async function savePicture(
  source: EncodeSource,
  request: SaveRequest,
  finish: Finish = async ({ bytes }) => bytes,
): Promise<SavedPicture> {
  const { format, bytesMax, dpi, background, isCompact, isQuick } = request;
  refuseLossless(request);
  const encode = async (attempt: Attempt) => {
    const made = await encodePicture(source, { format, dpi, background, isCompact, isQuick, ...attempt });
    return { ...made, bytes: await finish(made) };
  };
  const first = { ...codingOf(format, request), scale: 1 };
  const { file, attempt } =
    bytesMax === undefined
      ? { file: await encode(first), attempt: first }
      : await fitBytes(encode, { bytesMax, first, ...waysToShrink(request, first) });
  const hasQuality = !attempt.isLossless && !WITH_PALETTE.includes(format);
  return {
    ...file,
    ...countsOf(source),
    savedQuality: hasQuality ? attempt.quality : undefined,
    notes: [...fittingNotes(attempt, { first, request, file }), ...densityNotes(request)],
    quality: request.isMeasured ? await lossOf(source, { ...attempt, format, background }) : undefined,
  };
}

function refuseLossless({ format, isLossless }: SaveRequest): void {
  if (!isLossless || FORMAT_TRAITS[format].coding !== 'lossy') return;
  const message = `${FORMAT_NAMES[format]} is always lossy. Choose png, webp, avif, tiff or apng, or leave lossless out.`;
  throw new EngineError('invalid_input', message, {
    errors: [{ field: 'lossless', code: 'invalid', message }],
  });
}

/** Formats whose quality sets the palette size: fewer colours save little. */
const WITH_PALETTE: readonly OutputFormat[] = ['png', 'gif'];

/** What is reduced before dimensions: quality, or a palette for a PNG that need not be lossless. */
function waysToShrink({ format, isLossless }: SaveRequest, first: Attempt) {
  const hasPalette = format === 'png' && isLossless === undefined;
  return {
    hasQuality: !first.isLossless && !WITH_PALETTE.includes(format),
    second: hasPalette ? { ...first, isLossless: false, quality: 100 } : undefined,
  };
}

const countsOf = (source: EncodeSource): Pick<SavedPicture, 'frames' | 'pages'> => ({
  frames: source.kind === 'frames' ? source.animation.frames.length : undefined,
  pages: source.kind === 'pages' && source.pages.length > 1 ? source.pages.length : undefined,
});

interface FittingFacts {
  readonly first: Attempt;
  readonly request: SaveRequest;
  readonly file: { readonly width: number; readonly height: number };
}

function fittingNotes(attempt: Attempt, { first, request, file }: FittingFacts): string[] {
  const { bytesMax, format } = request;
  const notes: string[] = [];
  if (attempt.scale < 1)
    notes.push(`Reduced to ${file.width} × ${file.height} pixels to stay within ${bytesMax} bytes.`);
  if (first.isLossless && !attempt.isLossless)
    notes.push(
      `Saved with a colour palette to stay within ${bytesMax} bytes; send lossless: true to prevent this.`,
    );
  else if (attempt.quality < first.quality)
    notes.push(
      `Saved with quality ${attempt.quality} instead of ${first.quality} to stay within ${bytesMax} bytes as ${FORMAT_NAMES[format]}.`,
    );
  return notes;
}

const WITHOUT_DENSITY: readonly OutputFormat[] = ['webp', 'avif', 'gif', 'ico'];

const densityNotes = ({ dpi, format }: SaveRequest): string[] =>
  dpi !== undefined && WITHOUT_DENSITY.includes(format)
    ? [`${FORMAT_NAMES[format]} has no field for dots per inch; only copied Exif metadata contains ${dpi}.`]
    : [];

type Saved = Attempt & Pick<EncodeOptions, 'format' | 'background'>;

/** Quality loss of the first page or frame, at the size of the result. */
async function lossOf(source: EncodeSource, saved: Saved): Promise<Quality | undefined> {
  const { format, isLossless } = saved;
  if (format === 'ico') return undefined;
  if (isLossless) return { compared_at: 'result_size', ...LOSSLESS_METRICS };
  const page = source.kind === 'pages' ? source.pages[0]! : firstFrame(source.animation);
  const size = { width: Math.round(page.width * saved.scale), height: Math.round(page.height * saved.scale) };
  const opened = await page.open();
  const upright = opened.resize({ ...size, fit: 'fill' });
  const { alpha } = FORMAT_TRAITS[format];
  const raster = await decodeRaster(
    (alpha ? upright : upright.flatten({ background: saved.background ?? WHITE })).toColourspace('srgb'),
  );
  const still = { ...saved, format: (format === 'pdf' ? 'jpeg' : format) as StillFormat, isCompact: true };
  return {
    compared_at: 'result_size',
    ...(await savingLoss(raster, (pixels) => encodeStill(pixels, still))),
  };
}

const firstFrame = ({ width, height, frames }: Extract<EncodeSource, { kind: 'frames' }>['animation']) =>
  sourceOf({ width, height, channels: 4, data: frames[0]!.data });
