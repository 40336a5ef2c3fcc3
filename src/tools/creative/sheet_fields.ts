import { DRAWING_SIDE_MM_MAX, DRAWING_SIDE_MM_MIN, KERF_MM_MAX } from '@atelier/engines/vectorize/limits.ts';
import type { SheetMeasures } from '@atelier/engines/vectorize/write_sheets.ts';
import { z } from 'zod';
import { briefly } from '../brief.ts';
import { alsoCalled, alsoRead, inWords } from '../spellings.ts';

const sideField = z.number().min(DRAWING_SIDE_MM_MIN).max(DRAWING_SIDE_MM_MAX);
const lengthAnswer = z.number().min(0);

/** What a drawing is made for, and its size in the world. */
export const physicalFields = {
  purpose: briefly(
    alsoRead(
      z
        .enum(['screen', 'print', 'cut'])
        .default('screen')
        .describe(
          'print and cut are drawn in mm, with a layer a colour (at most 16, or the palette). print: plain inks over each other without gaps. cut: closed outlines without fills, for a sheet of material a colour; what lies inside is cut first, then the nearest.',
        ),
      inWords({
        web: 'screen',
        laser: 'cut',
        cutter: 'cut',
        plotter: 'cut',
        vinyl: 'cut',
        printing: 'print',
      }),
    ),
    'print, cut: in mm, a layer a colour.',
  ),
  width_mm: sideField.optional().describe('For print, cut.'),
  kerf_mm: briefly(
    z
      .number()
      .min(0)
      .max(KERF_MM_MAX)
      .default(0)
      .describe(
        'Of a cut: how much the tool takes away. Parts are cut half of it larger all round, holes smaller, so that they come out at their size.',
      ),
    'What the tool takes.',
  ),
  format: alsoCalled(
    alsoRead(
      briefly(
        z
          .enum(['svg', 'dxf'])
          .default('svg')
          .describe(
            'dxf, of a cut: release 12, closed polylines in mm, one layer a colour. result_url has it, svg_content the same as SVG.',
          ),
        'dxf: for cut.',
      ),
      inWords({ 'image/svg+xml': 'svg', '.svg': 'svg', '.dxf': 'dxf', 'image/vnd.dxf': 'dxf' }),
    ),
    ...['output_format', 'file_format', 'file_type'],
  ),
};

export const sheetAnswer = z
  .object({
    width_mm: lengthAnswer,
    height_mm: lengthAnswer,
    layers: z.array(z.string()).describe('The colour of each, the lowest first.'),
    cut: z
      .object({
        kerf_mm: lengthAnswer,
        tolerance_mm: lengthAnswer.describe('How far straight pieces may pass from the curve; 0 for curves.'),
        cut_mm: lengthAnswer,
        travel_mm: z
          .object({ found: lengthAnswer, ordered: lengthAnswer })
          .describe('The way between outlines, in the order they were found and in that of the file.'),
      })
      .optional(),
  })
  .describe('Of a drawing for print or cut.');

type Physical = z.output<z.ZodObject<typeof physicalFields>>;

/** What only a drawing in millimetres can have, and what it must. */
export function refuseLooseMillimetres(
  { purpose, width_mm, kerf_mm, format }: Physical,
  problems: z.RefinementCtx,
): void {
  const refuse = (name: string, message: string, input: unknown) =>
    problems.addIssue({ code: 'custom', path: [name], message, input });
  if (purpose === 'screen' && width_mm !== undefined)
    refuse('width_mm', 'needs purpose "print" or "cut": a drawing for a screen has no size in mm', width_mm);
  if (purpose !== 'screen' && width_mm === undefined)
    refuse('width_mm', `must be the width in mm, as purpose is ${purpose}`, width_mm);
  if (purpose !== 'cut' && kerf_mm > 0) refuse('kerf_mm', 'needs purpose "cut"', kerf_mm);
  if (purpose !== 'cut' && format === 'dxf') refuse('format', 'dxf needs purpose "cut"', format);
}

/** As the engine takes it; nothing for a screen. */
export const physicalOf = ({ purpose, width_mm, kerf_mm, format }: Physical) =>
  purpose === 'screen' ? undefined : { purpose, widthMm: width_mm!, kerfMm: kerf_mm, format };

/** As `sheetAnswer` has it. */
export const sheetOf = ({ widthMm, heightMm, layers, cut }: SheetMeasures) => ({
  width_mm: widthMm,
  height_mm: heightMm,
  layers: [...layers],
  ...(cut && {
    cut: {
      kerf_mm: cut.kerfMm,
      tolerance_mm: cut.toleranceMm,
      cut_mm: cut.cutMm,
      travel_mm: { found: cut.travelFoundMm, ordered: cut.travelMm },
    },
  }),
});
