import { z } from 'zod';
import { briefly } from '../../definitions/brief.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import {
  engineAnswer,
  formatAnyway,
  imageAnswer,
  imageField,
  outputField,
} from '../../definitions/fields.ts';
import {
  type PassthroughServices,
  passthroughAnswer,
  passthroughAnswerFields,
  passthroughFields,
  passthroughOf,
} from '../../definitions/passthrough_answer.ts';
import { FREE } from '../../definitions/price.ts';
import { qualityAnswer } from '../../definitions/quality_answer.ts';
import { inUnit, withAliases, withCoercion, withDerivation } from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import { COLOR_DPI_MAX, COLOR_DPI_MIN } from '../../definitions/tool_limits.ts';
import type { Services } from '../../services.ts';
import {
  DEFAULT_PRESS,
  intentField,
  namedPress,
  PRESSES_BRIEF,
  PRESSES_TEXT,
  pressField,
  pressMeant,
} from './press_fields.ts';

const dpiField = z.int().min(COLOR_DPI_MIN).max(COLOR_DPI_MAX);
const percent = z.number().min(0).max(400);

const input = z.object({
  image: imageField,
  target_profile: withAliases(
    withDerivation(
      briefly(
        z
          .enum(['cmyk', 'srgb'])
          .default('cmyk')
          .describe('cmyk: a TIFF, transparency on white; srgb: a PNG. The profile is embedded.')
          .meta({ title: 'Convert to' }),
        'cmyk: TIFF, srgb: PNG',
      ),
      (sent, { profile }) => {
        const press = profile === undefined ? pressMeant(sent) : undefined;
        return press === undefined ? undefined : { target_profile: 'cmyk', profile: press };
      },
    ),
    ...['target', 'to', 'convert_to', 'color_space', 'colour_space', 'color_mode', 'output_profile'],
  ),
  dpi: withAliases(
    withCoercion(
      briefly(
        dpiField
          .default(300)
          .describe('Written into the file; pixels are not resampled.')
          .meta({ title: 'Pixels an inch' }),
        '',
      ),
      inUnit('dpi', 'ppi'),
    ),
    ...['resolution', 'ppi'],
  ),
  profile: withAliases(
    withDerivation(
      briefly(
        pressField
          .optional()
          .describe(`The press to convert for: ${PRESSES_TEXT}. Absent: ${DEFAULT_PRESS}.`)
          .meta({ title: 'Printing condition' }),
        `Default ${DEFAULT_PRESS}. ${PRESSES_BRIEF}`,
      ),
      namedPress,
    ),
    ...['icc_profile', 'icc', 'press', 'press_profile', 'printing_condition', 'paper'],
  ),
  intent: briefly(
    intentField
      .default('perceptual')
      .describe('To cmyk: how colours beyond the inks are brought in.')
      .meta({ title: 'Colours the inks cannot reach' }),
    '',
  ),
  black_point_compensation: briefly(
    z.boolean().default(true).describe('With relative: keeps steps of shadows apart.'),
    '',
  ),
  black: withAliases(
    briefly(
      z
        .enum(['mix', 'keep'])
        .default('mix')
        .describe('keep: neutral greys and black text in black ink alone, as in CMYK pictures.'),
      'keep: black text in black ink alone',
    ),
    ...['black_generation', 'neutrals', 'preserve_black'],
  ),
  soft_proof: withAliases(
    briefly(
      z
        .boolean()
        .default(false)
        .describe('A PNG of how the inks will look on their paper.')
        .meta({ title: 'Show it as printed' }),
      'PNG of the printed look',
    ),
    ...['proof', 'preview'],
  ),
  output: formatAnyway(outputField, ({ target_profile: target = 'cmyk', soft_proof: proof = false }) =>
    target === 'cmyk' && !proof ? 'tiff' : 'png',
  ),
  ...passthroughFields,
});
type ForPressOptions = z.output<typeof input>;

export const convertColorProfile = defineTool({
  name: 'convert_color_profile',
  title: 'Convert the colour profile',
  category: 'creative',
  toolset: 'print',
  summary:
    'Convert an image between screen and print colours by ICC profiles: to a CMYK TIFF for a press with a report of inks and lost colours, a soft proof, or an sRGB PNG.',
  instead: { print_ready: 'for a whole print file with bleed', resize_image: 'to change PNG, JPEG or WebP' },
  words:
    'cmyk, rgb, srgb, icc profile, colour space, color conversion, offset press, fogra, gracol, swop, soft proof, ink coverage, how will it look printed, colors look dull or different on paper than on screen, ink, paper, proof, the print shop only accepts cmyk, needs cmyk, out of gamut, gamut warning, newsprint, coated or uncoated paper, adobe rgb, display p3, total ink, how much ink does it use, color management, separations, convert colors for printing, how colors come out in print, colors on screen versus paper, neon or bright green prints dull, preview how a color prints, lab, spot color, swop press, pso, iso coated, embed a profile, assign profile, calibrate, black and rich black',
  price: FREE,
  input,
  output: z.object({
    ...imageAnswer,
    ...passthroughAnswerFields,
    profile: z.string().max(200).describe('What the ICC profile calls itself.'),
    color_mode: z.enum(['CMYK', 'RGB']),
    dpi: dpiField,
    soft_proof: z.boolean(),
    report: z
      .object({
        out_of_gamut_share: z
          .number()
          .min(0)
          .max(1)
          .describe('Part of the picture whose colours the inks miss plainly.'),
        ink_max_percent: percent.describe('In the darkest parts; four full inks are 400.'),
        ink_mean_percent: percent,
        plates_percent: z.object({ cyan: percent, magenta: percent, yellow: percent, black: percent }),
      })
      .optional()
      .describe('Of inks and of soft proofs.'),
    ...qualityAnswer,
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: EXAMPLE_PNG_B64 },
    { image: EXAMPLE_PNG_B64, target_profile: 'srgb', dpi: 96, output: 'url' },
    { image: EXAMPLE_PNG_B64, profile: DEFAULT_PRESS, intent: 'relative' },
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
            why: 'A soft proof shows what the inks will look like on their paper',
            params: { image: result, soft_proof: true },
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
  async run(wanted, services: Pick<Services, 'pressProfiles'> & PassthroughServices, call) {
    if (wanted.target_profile === 'cmyk' || wanted.soft_proof) return forPress(wanted, services, call);
    if (wanted.profile !== undefined) call.warn('profile is without effect: target_profile is srgb.');
    const { image, dpi, output } = wanted;
    const { profile, engine, ...picture } = await services.pixels.run(
      'convert_to_srgb',
      { bytes: image.bytes, dpi, carry: passthroughOf(wanted, { dpi }) },
      { pixels: image.width * image.height * 1.25, ...call },
    );
    return {
      ...(await passthroughAnswer(
        services,
        picture,
        { image, action: 'c2pa.converted', showsTheSame: true, output },
        call,
      )),
      profile,
      color_mode: 'RGB' as const,
      dpi,
      soft_proof: false,
      engine,
      degraded: false,
    };
  },
});

/** Converts with the engine of this project, which reports intents, maximum ink and out-of-gamut colours. */
async function forPress(
  { image, dpi, output, intent, black_point_compensation, black, soft_proof, ...wanted }: ForPressOptions,
  { pixels, pressProfiles, ...services }: Pick<Services, 'pressProfiles'> & PassthroughServices,
  call: CallContext,
) {
  const press = await pressProfiles.find(wanted.profile ?? DEFAULT_PRESS, 'profile');
  const { profile, inks, notes, quality, engine, ...picture } = await pixels.run(
    'convert_to_press',
    {
      bytes: image.bytes,
      dpi,
      software: 'Atelier',
      press,
      rendering: {
        intent,
        blackPointCompensation: black_point_compensation && intent === 'relative',
        keepsBlack: black === 'keep',
      },
      isProof: soft_proof,
      carry: passthroughOf(wanted, { dpi }),
    },
    { pixels: image.width * image.height * 1.25, ...call },
  );
  for (const note of notes) call.warn(note);
  const plates = inks.platesPercent;
  return {
    ...(await passthroughAnswer(
      { pixels, ...services },
      picture,
      { image, action: 'c2pa.converted', showsTheSame: true, output },
      call,
    )),
    profile,
    color_mode: soft_proof ? ('RGB' as const) : ('CMYK' as const),
    dpi,
    soft_proof,
    report: {
      out_of_gamut_share: Math.round(1e4 * inks.outOfGamutShare) / 1e4,
      ink_max_percent: tenth(inks.inkMaxPercent),
      ink_mean_percent: tenth(inks.inkMeanPercent),
      plates_percent: {
        cyan: tenth(plates.cyan),
        magenta: tenth(plates.magenta),
        yellow: tenth(plates.yellow),
        black: tenth(plates.black),
      },
    },
    ...(quality && { quality }),
    engine,
    degraded: false,
  };
}

const tenth = (value: number): number => Math.round(10 * value) / 10;
