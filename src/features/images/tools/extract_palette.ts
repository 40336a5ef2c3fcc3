import { contrastPairs } from '@atelier/imaging/palette/contrast.ts';
import type { PALETTE_FILES } from '@atelier/imaging/palette/write_palette.ts';
import { z } from 'zod';
import type { SourceImage } from '../../../core/workers/types.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { engineAnswer, fileFacts, imageField, nestedImageField } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/images_in.ts';
import { FREE } from '../../definitions/price.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import { PALETTE_COLORS_MAX, PALETTE_COLORS_MIN } from '../../definitions/tool_limits.ts';
import type { Services } from '../../services.ts';

const formatField = z.enum(['hex', 'rgb', 'hsl']);
/** Maximum further images. */
const MORE_IMAGES_MAX = 19;
const byte = z.int().min(0).max(255);
const percent = z.number().min(0).max(100);

const colorAnswer = z.object({
  hex: z.string(),
  rgb: z.object({ r: byte, g: byte, b: byte }),
  hsl: z.object({ h: z.number().min(0).max(360), s: percent, l: percent }),
  value: z.string().describe('The colour as CSS text in the requested format.'),
  percentage: percent.describe('Share of the visible image; all percentages add up to 100.0.'),
  name: z.string().describe('The nearest of about 160 common colour names.'),
});
/** Palette file formats for other programs, and their media types. */
const FILE_TYPES: typeof PALETTE_FILES = {
  ase: 'application/x-adobe-ase',
  gpl: 'application/x-gimp-palette',
  css: 'text/css',
  json: 'application/json',
};
const fileField = z.enum(Object.keys(FILE_TYPES) as (keyof typeof FILE_TYPES)[]);
type Color = Omit<z.output<typeof colorAnswer>, 'value'>;

export const extractPalette = defineTool({
  name: 'extract_palette',
  title: 'Extract a palette',
  category: 'creative',
  toolset: 'edit',
  summary:
    'Find the main colours of an image with their shares and names, small vivid accents included; exact for flat artwork.',
  instead: { convert_color_profile: 'to change colours for print' },
  words:
    'dominant or main colors, color scheme, theme, hex codes, rgb, swatches, color harmony, which colors are in it, what colors does it use, brand colors, color picker, paint, wall or fabric that goes with or matches a photo, average color, most used colors in an image, which hex or pantone is this, color codes, mood board, color values, tones, analyse colors, complementary colors, get colors from an image, name of a color, css colors, read colors out of a photo, farben auslesen, codes of a color, colors of a logo or flag, common palette of several images or photos, one colour scheme for a series, what colors are here, colours of this sunset, theme that matches my photo, tonal values, hue, warm or cold colors, interior design, fabric, yarn, knitting, make-up, count the colors, histogram, brightest color',
  price: FREE,
  input: z.object({
    image: imageField,
    more_images: withAliases(
      z
        .array(nestedImageField)
        .max(MORE_IMAGES_MAX)
        .optional()
        .describe('For one common palette.')
        .meta({ title: 'Further images' }),
      ...['images', 'other_images', 'additional_images'],
    ),
    num_colors: withAliases(
      z
        .int()
        .min(PALETTE_COLORS_MIN)
        .max(PALETTE_COLORS_MAX)
        .default(6)
        .describe('Maximum number of colours.')
        .meta({ title: 'Number of colours' }),
      ...['n_colors', 'number_of_colors', 'count', 'n', 'k', 'colors', 'palette_size', 'size', 'limit'],
    ),
    swatch_sheet: z
      .boolean()
      .default(false)
      .describe('Stores a PNG of them for 24 hours.')
      .meta({ title: 'With a swatch sheet' }),
    palette_file: withAliases(
      fileField.optional().describe('Also stores them as a file.').meta({ title: 'As a palette file' }),
      ...['export', 'export_as', 'file_format', 'palette_format'],
    ),
    format: withAliases(
      formatField.default('hex').describe('Format of `value`.'),
      ...['color_format', 'color_space', 'notation', 'as'],
    ),
  }),
  output: z.object({
    colors: z.array(colorAnswer).describe('The largest share first.'),
    dominant_color: z.string().describe('The `value` of the first colour.'),
    num_colors: z.int().min(1).max(PALETTE_COLORS_MAX).describe('Number of colours found.'),
    format: formatField,
    each_image: z
      .array(z.array(percent))
      .optional()
      .describe('With more_images: percentages of `colors` in each image, in the order sent.'),
    harmony: z
      .object({
        base: z.string().describe('The most vivid of the large colours.'),
        complementary: z.string(),
        analogous: z.array(z.string()),
        triadic: z.array(z.string()),
      })
      .optional()
      .describe('Hex colours that harmonise with the image; absent if it has only greys.'),
    contrast_pairs: z
      .array(
        z.object({
          text: z.string(),
          background: z.string(),
          ratio: z.number().min(1).max(21),
          level: z.enum(['AAA', 'AA', 'AA large']),
        }),
      )
      .describe(
        'Pairs of these colours, in hex, with enough contrast for text by WCAG 2.2, the strongest first; either can be the background.',
      ),
    swatch_sheet: z.string().optional().describe('Handle of the PNG, if requested.'),
    swatch_sheet_url: z.string().optional(),
    palette_file: z.string().optional().describe('Handle of the file, if requested.'),
    palette_file_url: z.string().optional(),
    expires_at: fileFacts.expires_at.optional(),
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: EXAMPLE_PNG_B64, num_colors: 3 },
    { image: EXAMPLE_PNG_B64, format: 'hsl' },
  ],
  next: (_output, { image }) => [
    {
      action: 'Redraw it as SVG',
      tool: 'vectorize_image',
      why: 'An image of few colours becomes a clean drawing of any size',
      params: { image: handleIn(image) },
    },
  ],
  preview: {
    scaled: ({ swatch_sheet: _, palette_file: __, ...input }) => ({ ...input, swatch_sheet: false }),
  },
  async run(
    { image, more_images, num_colors, format, swatch_sheet, palette_file: fileType },
    { pixels, results }: Pick<Services, 'pixels' | 'results'>,
    call,
  ) {
    const more = (more_images ?? []) as readonly SourceImage[];
    const { colors, harmony, eachPicture, swatchSheet, file, engine } = await pixels.run(
      'palette',
      {
        bytes: image.bytes,
        more: more.map(({ bytes }) => bytes),
        colors: num_colors,
        isSheetWanted: swatch_sheet,
        file: fileType,
      },
      // Images are decoded in sequence; a sample of each stays in memory.
      { pixels: Math.max(...[image, ...more].map(({ width, height }) => width * height)), ...call },
    );
    if (colors.length < num_colors) {
      call.warn(`Found ${colors.length} of ${num_colors} colours: no further colours differ visibly.`);
    }
    const sheet = swatchSheet && (await results.keep(swatchSheet, 'image/png'));
    const kept = file && fileType && (await results.keep(file, FILE_TYPES[fileType]));
    const valued = colors.map((color) => ({ ...color, value: cssText(color, format) }));
    return {
      colors: valued,
      dominant_color: valued[0]!.value,
      num_colors: valued.length,
      format,
      ...(eachPicture && { each_image: eachPicture.map((shares) => [...shares]) }),
      ...(harmony && {
        harmony: { ...harmony, analogous: [...harmony.analogous], triadic: [...harmony.triadic] },
      }),
      contrast_pairs: contrastPairs(valued)
        .slice(0, CONTRAST_PAIRS_MAX)
        .map(({ text, background, ratio, level }) => ({
          text: text.hex,
          background: background.hex,
          // Rounded down, so that the ratio is not overstated.
          ratio: Math.floor(100 * ratio) / 100,
          level,
        })),
      ...(sheet && { swatch_sheet: sheet.handle, swatch_sheet_url: sheet.url }),
      ...(kept && { palette_file: kept.handle, palette_file_url: kept.url }),
      ...((sheet ?? kept) && { expires_at: (sheet ?? kept)!.expiresAt.toISOString() }),
      engine,
      degraded: false,
    };
  },
});

/** Of 66 possible pairs, to limit tokens. */
const CONTRAST_PAIRS_MAX = 8;

function cssText({ hex, rgb, hsl }: Color, format: z.output<typeof formatField>): string {
  if (format === 'rgb') return `rgb(${rgb.r}, ${rgb.g}, ${rgb.b})`;
  if (format === 'hsl') return `hsl(${hsl.h}, ${hsl.s}%, ${hsl.l}%)`;
  return hex;
}
