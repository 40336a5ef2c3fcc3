import { z } from 'zod';
import { COLOR_DPI_MAX, COLOR_DPI_MIN } from '../../limits.ts';
import type { Services } from '../../services/services.ts';
import { EXAMPLE_PNG_B64 } from '../example_image.ts';
import { engineAnswer, imageAnswer, imageField, outputField } from '../fields.ts';
import { FREE } from '../price.ts';
import { defineTool } from '../tool.ts';
import { pictureAnswer } from './picture_answer.ts';

const dpiField = z.int().min(COLOR_DPI_MIN).max(COLOR_DPI_MAX);

export const convertColorProfile = defineTool({
  name: 'convert_color_profile',
  title: 'Convert the colour profile',
  category: 'creative',
  summary:
    'Converts a picture between screen and print colours by ICC profiles: to a CMYK TIFF for printers, or to an sRGB PNG for screens.',
  price: FREE,
  input: z.object({
    image: imageField,
    target_profile: z
      .enum(['cmyk', 'srgb'])
      .default('cmyk')
      .describe('cmyk answers a TIFF (transparency is laid on white), srgb a PNG; the profile is embedded.'),
    dpi: dpiField.default(300).describe('Written into the file; pixels are not resampled.'),
    output: outputField,
  }),
  output: z.object({
    ...imageAnswer,
    profile: z.string().max(200).describe('What the embedded ICC profile calls itself.'),
    color_mode: z.enum(['CMYK', 'RGB']),
    dpi: dpiField,
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: EXAMPLE_PNG_B64 },
    { image: EXAMPLE_PNG_B64, target_profile: 'srgb', dpi: 96, output: 'url' },
  ],
  next: ({ result, color_mode }) =>
    color_mode === 'CMYK'
      ? [
          {
            action: 'Prepare it for print',
            tool: 'print_ready',
            why: 'Adds bleed and crop marks at the size of the sheet',
            params: { image: result, product_size: 'a4' },
          },
          {
            action: 'See it on screen',
            tool: 'convert_color_profile',
            why: 'Browsers show sRGB; converting back shows what the inks can print',
            params: { image: result, target_profile: 'srgb' },
          },
        ]
      : [
          {
            action: 'Resize it',
            tool: 'resize_image',
            why: 'A picture for screens rarely needs all its pixels',
            params: { image: result, width: 1600, height: 1600 },
          },
        ],
  async run(input, { pixels, results }: Pick<Services, 'pixels' | 'results'>, call) {
    const { image, target_profile: target, dpi, output } = input;
    const { profile, colorMode, engine, ...picture } = await pixels.run(
      'convert_color',
      { bytes: image.bytes, target, dpi },
      { pixels: image.width * image.height * 2, ...call },
    );
    return {
      ...(await pictureAnswer(results, picture, { output })),
      profile,
      color_mode: colorMode,
      dpi,
      engine,
      degraded: false,
    };
  },
});
