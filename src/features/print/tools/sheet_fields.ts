import {
  BRIDGE_MM_MAX,
  BRIDGE_MM_MIN,
  DRAWING_SIDE_MM_MAX,
  DRAWING_SIDE_MM_MIN,
  KERF_MM_MAX,
} from '@atelier/imaging/vectorize/limits.ts';
import type { SheetMeasures } from '@atelier/imaging/vectorize/write_sheets.ts';
import { z } from 'zod';
import { briefly } from '../../definitions/brief.ts';
import { enumSynonyms, withAliases, withCoercion } from '../../definitions/spellings.ts';

const sideField = z.number().min(DRAWING_SIDE_MM_MIN).max(DRAWING_SIDE_MM_MAX);
const lengthAnswer = z.number().min(0);

/** Purpose and physical size of a drawing. */
export const physicalFields = {
  purpose: briefly(
    withCoercion(
      z
        .enum(['screen', 'print', 'cut', 'engrave', 'plot'])
        .default('screen')
        .describe(
          'All but screen are drawn in mm, with a layer a colour (at most 16, or the palette). print: plain inks over each other without gaps. cut: closed outlines without fills, for a sheet of material a colour; what lies inside is cut first, then the nearest. plot: lines along the middle of all strokes, through their crossings, in the order of a short way. engrave: the same for strokes up to 1 mm wide, wider ink as areas in a layer of its own. plot and engrave draw what is dark, or a layer for each colour of the palette that is not the paper.',
        ),
      enumSynonyms({
        web: 'screen',
        laser: 'cut',
        cutter: 'cut',
        plotter: 'plot',
        pen: 'plot',
        axidraw: 'plot',
        engraving: 'engrave',
        stencil: 'cut',
        vinyl: 'cut',
        printing: 'print',
      }),
    ),
    'In mm, a layer a colour.',
  ),
  width_mm: briefly(
    sideField
      .optional()
      .describe(
        'Not screen. Without it the image’s own resolution tells, or it is 100 mm; a warning says which.',
      ),
    'Not screen.',
  ),
  kerf_mm: briefly(
    z
      .number()
      .min(0)
      .max(KERF_MM_MAX)
      .default(0)
      .describe(
        'Of a cut: how much the tool takes away. Parts are cut half of it larger all round, holes smaller, so that they come out at their size.',
      )
      .meta({ title: 'Width of the cut, mm' }),
    'Tool width.',
  ),
  islands: briefly(
    z
      .enum(['keep', 'bridge'])
      .default('keep')
      .describe(
        'bridge makes a stencil of a cut: what lies inside an opening is joined to the sheet by bridges, bridge_mm wide, over the shortest way, large parts twice, and the kerf is taken from the openings.',
      ),
    'bridge: stencil.',
  ),
  bridge_mm: z
    .number()
    .min(BRIDGE_MM_MIN)
    .max(BRIDGE_MM_MAX)
    .default(2)
    .meta({ title: 'Width of a bridge, mm' }),
  format: withAliases(
    withCoercion(
      briefly(
        z
          .enum(['svg', 'dxf', 'pdf'])
          .default('svg')
          .describe(
            'dxf, of a cut or lines: release 12, polylines in mm, one layer a colour. pdf: at its size, layers, inks of a print as spot colours. result_url has it, svg_content the same as SVG.',
          ),
        'In mm.',
      ),
      enumSynonyms({
        'image/svg+xml': 'svg',
        '.svg': 'svg',
        '.dxf': 'dxf',
        'image/vnd.dxf': 'dxf',
        '.pdf': 'pdf',
        'application/pdf': 'pdf',
      }),
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
    bridges: z
      .object({ islands: z.int().min(0), bridges: z.int().min(0) })
      .optional()
      .describe('Of a stencil: parts that would have fallen out, and what holds them.'),
    lines: z
      .object({
        tolerance_mm: lengthAnswer,
        drawn_mm: lengthAnswer,
        travel_mm: z.object({ found: lengthAnswer, ordered: lengthAnswer }),
      })
      .optional()
      .describe('Of a plot or engraving: lines drawn, and the way between them with the pen up.'),
  })
  .describe('Of a drawing in mm.');

type Physical = z.output<z.ZodObject<typeof physicalFields>>;

/** Checks the fields that require, or are required by, a size in mm. */
export function refuseLooseMillimetres(
  { purpose, width_mm, kerf_mm, islands, format }: Physical,
  problems: z.RefinementCtx,
): void {
  const refuse = (name: string, message: string, input: unknown) =>
    problems.addIssue({ code: 'custom', path: [name], message, input });
  if (purpose === 'screen' && width_mm !== undefined)
    refuse(
      'width_mm',
      'needs purpose "print", "cut", "engrave" or "plot": a drawing for a screen has no size in mm',
      width_mm,
    );
  if (purpose !== 'cut' && kerf_mm > 0) refuse('kerf_mm', 'needs purpose "cut"', kerf_mm);
  if (purpose !== 'cut' && islands === 'bridge') refuse('islands', 'bridge needs purpose "cut"', islands);
  if ((purpose === 'screen' || purpose === 'print') && format === 'dxf')
    refuse('format', 'dxf needs purpose "cut", "engrave" or "plot"', format);
  if (purpose === 'screen' && format === 'pdf')
    refuse('format', 'pdf needs purpose "print", "cut", "engrave" or "plot"', format);
}

/** Physical options for the engine; undefined for screens. */
export const physicalOf = ({ purpose, width_mm, kerf_mm, islands, bridge_mm, format }: Physical) =>
  purpose === 'screen'
    ? undefined
    : {
        purpose,
        ...(width_mm !== undefined && { widthMm: width_mm }),
        kerfMm: kerf_mm,
        bridgeMm: islands === 'bridge' ? bridge_mm : 0,
        format,
      };

/** The sheet as response fields. */
export const sheetOf = ({ widthMm, heightMm, layers, cut, bridges, lines }: SheetMeasures) => ({
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
  ...(bridges && { bridges }),
  ...(lines && {
    lines: {
      tolerance_mm: lines.toleranceMm,
      drawn_mm: lines.drawnMm,
      travel_mm: { found: lines.travelFoundMm, ordered: lines.travelMm },
    },
  }),
});
