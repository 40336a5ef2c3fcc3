import { codingOf, isHeldWhole } from '@atelier/imaging/encoders/coding.ts';
import { OUTPUT_FORMATS, type OutputFormat } from '@atelier/imaging/encoders/formats.ts';
import { PIXELS_OF_A_WHOLE_PIXEL } from '@atelier/imaging/encoders/limits.ts';
import { z } from 'zod';
import { briefly } from './brief.ts';
import { enumSynonyms, inUnit, withAliases, withCoercion } from './spellings.ts';
import { SAVED_DPI_MAX, SAVED_DPI_MIN } from './tool_limits.ts';

/** Synonyms of formats. Any case, a leading dot and `image/` are accepted too. */
export const inFormatWords = enumSynonyms({
  jfif: 'jpeg',
  'jpeg image': 'jpeg',
  'progressive jpeg': 'jpeg',
  tif: 'tiff',
  icon: 'ico',
  favicon: 'ico',
  'image/x-icon': 'ico',
  'image/vnd.microsoft.icon': 'ico',
  'animated png': 'apng',
  'animated gif': 'gif',
  'animated webp': 'webp',
  av1: 'avif',
} satisfies Record<string, OutputFormat>);

/** Output format. */
export const savedFormatField = () => withCoercion(z.enum(OUTPUT_FORMATS), inFormatWords);

export const FORMAT_ALIASES = ['output_format', 'file_type', 'image_type', 'extension', 'convert_to', 'to'];

/** Coerces a quality of 1 to 100; a fraction below 1 is a percentage. */
export const qualityReading = (sent: unknown): unknown =>
  typeof sent === 'number' && sent > 0 && sent < 1
    ? Math.round(sent * 100)
    : typeof sent === 'string' && /^\s*\d{1,3}\s*%\s*$/.test(sent)
      ? Number.parseInt(sent, 10)
      : undefined;

/** Quality of lossy formats; without a value, that of the format. */
export const qualityField = briefly(
  withCoercion(
    z.int().min(1).max(100).optional().describe('Default: 90 for jpeg and webp, 60 for avif.'),
    qualityReading,
  ),
  '',
);

/** Whether to compare the saved file with the pixels before. */
export const measureField = briefly(
  z.boolean().default(false).describe('Also measure the loss of saving.').meta({ title: 'Measure the loss' }),
  '',
);

/** Resolution in dots per inch. @param use purpose, for the documentation */
export const dpiField = (use: string) =>
  briefly(
    withAliases(
      withCoercion(
        z
          .int()
          .min(SAVED_DPI_MIN)
          .max(SAVED_DPI_MAX)
          .optional()
          .describe(use)
          .meta({ title: 'Dots per inch' }),
        inUnit('dpi', 'ppi'),
      ),
      ...['ppi', 'density'],
    ),
    '',
  );

const MAX_BYTES_MIN = 100;
const MAX_BYTES_MAX = 1_000_000_000;

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000, g: 1_000_000_000 };

/** Parses "200 kB" and "1.5 MB" to bytes. kB is 1,000 bytes, so that the file fits with either meaning; KiB is 1,024. */
function inBytes(sent: unknown): number | undefined {
  const [, number, unit, binary] =
    (typeof sent === 'string' &&
      /^(\d{1,9}(?:\.\d{1,3})?)\s*([kmg]?)(i?)(?:b|bytes?)?$/i.exec(sent.trim())) ||
    [];
  if (number === undefined) return undefined;
  const factor = UNITS[unit!.toLowerCase()]!;
  const power = Math.round(Math.log10(factor) / 3);
  return Math.floor(Number(number) * (binary ? 1024 ** power : factor));
}

/** Options of saving an image, in addition to format and quality. */
export const savingFields = {
  lossless: briefly(
    z
      .boolean()
      .optional()
      .describe('Lossless. Default: only png, tiff, ico and apng are lossless; false gives a png a palette.')
      .meta({ title: 'Lossless' }),
    '',
  ),
  max_bytes: briefly(
    withAliases(
      withCoercion(
        z
          .int()
          .min(MAX_BYTES_MIN)
          .max(MAX_BYTES_MAX)
          .optional()
          .describe('Maximum file size: reduces quality first, then the dimensions.')
          .meta({ title: 'Largest file, bytes' }),
        inBytes,
      ),
      ...[
        'max_size',
        'max_file_size',
        'max_filesize',
        'target_size',
        'target_bytes',
        'file_size',
        'size_limit',
      ],
    ),
    '',
  ),
  frames: briefly(
    withAliases(
      z
        .enum(['all', 'first'])
        .default('all')
        .describe('Frames of an animation; gif, webp and apng support all.')
        .meta({ title: 'Frames' }),
      'animation',
    ),
    '',
  ),
};

/** Response fields about how an image was saved. */
export const savedAnswer = {
  saved_quality: z.int().min(1).max(100).optional().describe('Quality used, for lossy formats.'),
  frames: z.int().min(1).max(10_000).optional().describe('Of an animation.'),
};

/** Handling of colours outside sRGB. */
export const wideColorField = briefly(
  withAliases(
    withCoercion(
      z
        .enum(['keep', 'srgb'])
        .default('keep')
        .describe(
          'Wide-gamut colours such as Display P3 are kept, with their profile, in png, jpeg, webp and tiff; srgb converts them.',
        )
        .meta({ title: 'Wide gamut' }),
      enumSynonyms({
        wide: 'keep',
        p3: 'keep',
        'display-p3': 'keep',
        preserve: 'keep',
        convert: 'srgb',
        rgb: 'srgb',
      }),
    ),
    ...['color_space', 'colorspace', 'colour_space', 'gamut', 'color_profile'],
  ),
  '',
);

interface Saving {
  readonly format: OutputFormat;
  readonly lossless?: boolean | undefined;
  readonly max_bytes?: number | undefined;
}

/** Additional peak pixels of saving: of the encoder, and of an image that is written several times. */
export function pixelsOfSaving(pixels: number, { format, lossless, max_bytes: bytesMax }: Saving): number {
  const isWhole = isHeldWhole({ format, ...codingOf(format, { isLossless: lossless }) });
  return (bytesMax === undefined ? 0 : pixels) + (isWhole ? PIXELS_OF_A_WHOLE_PIXEL * pixels : 0);
}
