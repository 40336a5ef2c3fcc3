import type { CutOptions } from '@atelier/imaging/print/layout/cut_piece.ts';
import type { LayoutOptions, PrintedLayout } from '@atelier/imaging/print/layout/layout_sheets.ts';
import {
  CREEP_MM_MAX,
  CUT_OFFSET_MM_MAX,
  CUT_OFFSET_MM_MIN,
  CUT_SMOOTHING_MM_MAX,
  GAP_MM_MAX,
  LAYOUT_COPIES_MAX,
  LAYOUT_PAGES_MAX,
  MARGIN_MM_MAX,
  OVERLAP_MM_MAX,
  PAPER_SIDE_MM_MAX,
  PAPER_SIDE_MM_MIN,
} from '@atelier/imaging/print/limits.ts';
import { z } from 'zod';
import type { SourceImage } from '../../../core/workers/types.ts';
import { shownAs } from '../../definitions/brief.ts';
import { kindsOf, nestedImageField, onlyOf } from '../../definitions/fields.ts';
import {
  enumSynonyms,
  inMillimetres,
  sidesIn,
  withAliases,
  withCoercion,
} from '../../definitions/spellings.ts';

/** Paper sizes in mm, portrait. Sources: ISO 216; ISO 217 for the raw sizes; ANSI/ASME Y14.1. */
const PAPERS: Readonly<Record<string, { readonly width: number; readonly height: number }>> = {
  a0: { width: 841, height: 1189 },
  a1: { width: 594, height: 841 },
  a2: { width: 420, height: 594 },
  a3: { width: 297, height: 420 },
  a4: { width: 210, height: 297 },
  a5: { width: 148, height: 210 },
  a6: { width: 105, height: 148 },
  sra3: { width: 320, height: 450 },
  sra4: { width: 225, height: 320 },
  letter: { width: 215.9, height: 279.4 },
  legal: { width: 215.9, height: 355.6 },
  tabloid: { width: 279.4, height: 431.8 },
};
const DEFAULT_PAPER = 'a4';
const IMAGES_MAX = 100;
const MARGIN_MM = 10;
const OVERLAP_MM = 10;
const KINDS = ['n_up', 'booklet', 'tiles'] as const;

/** Paper size by name, or by its sides: "320x450". */
function paperOf(text: string): { width: number; height: number } | undefined {
  const named = PAPERS[text.trim().toLowerCase().replace('us ', '')];
  if (named) return named;
  const { width, height, unit = '' } = sidesIn(text) ?? {};
  const each = { '': 1, mm: 1, cm: 10, in: 25.4, inch: 25.4, inches: 25.4, '"': 25.4 }[unit];
  if (!width || !height || !each) return undefined;
  const sides = [width * each, height * each];
  const isPaper = sides.every((side) => side >= PAPER_SIDE_MM_MIN && side <= PAPER_SIDE_MM_MAX);
  return isPaper ? { width: sides[0]!, height: sides[1]! } : undefined;
}

const length = (most: number, least = 0) => withCoercion(z.number().min(least).max(most), inMillimetres);

const sheetField = withAliases(
  z
    .string()
    .max(40)
    .refine((text) => paperOf(text) !== undefined, {
      error: `must be ${Object.keys(PAPERS).join(', ')} or two sides in millimetres from ${PAPER_SIDE_MM_MIN} to ${PAPER_SIDE_MM_MAX}, such as "320x450"`,
    })
    .optional()
    .describe(
      `The paper: ${Object.keys(PAPERS).join(', ')} or its sides in mm, such as "320x450". Default ${DEFAULT_PAPER}; of a booklet: as large as the open sheet with bleed and marks.`,
    )
    .meta({ title: 'Paper', examples: ['a4', 'a3', 'sra3', 'letter'] }),
  ...['paper', 'paper_size', 'sheet_size', 'page_size'],
);

const layoutShape = z.object({
  kind: withAliases(
    withCoercion(
      z
        .enum(KINDS)
        .describe(
          'n_up: pieces side by side on a sheet, such as business cards or stickers. booklet: pages to be printed on both sides, folded once and stapled. tiles: a poster over several sheets to be glued.',
        ),
      enumSynonyms({
        nup: 'n_up',
        multi_up: 'n_up',
        imposition: 'n_up',
        cards: 'n_up',
        saddle_stitch: 'booklet',
        saddle_stitched: 'booklet',
        brochure: 'booklet',
        zine: 'booklet',
        tile: 'tiles',
        tiling: 'tiles',
        poster: 'tiles',
      }),
    ),
    'type',
    'mode',
  ),
  sheet: sheetField,
  images: onlyOf(
    z
      .array(nestedImageField)
      .max(IMAGES_MAX)
      .optional()
      .describe('n_up, booklet: further pieces or pages after `image`. Every page of a PDF is one already.')
      .meta({ title: 'Further images' }),
    ...['n_up', 'booklet'],
  ),
  copies: onlyOf(
    withAliases(
      z
        .int()
        .min(1)
        .max(LAYOUT_COPIES_MAX)
        .optional()
        .describe('n_up: of each piece. Absent: the sheet is filled.'),
      'count',
      'quantity',
    ),
    'n_up',
  ),
  gap_mm: onlyOf(
    withAliases(
      length(GAP_MM_MAX)
        .optional()
        .describe('n_up: between pieces. Absent: twice bleed_mm. 0: neighbours share a cut.'),
      'gap',
      'gutter_mm',
      'spacing_mm',
    ),
    'n_up',
  ),
  margin_mm: onlyOf(
    withAliases(
      length(MARGIN_MM_MAX)
        .optional()
        .describe(`n_up, tiles: white edge of the paper, in which marks lie. Default ${MARGIN_MM}.`),
      'margin',
    ),
    ...['n_up', 'tiles'],
  ),
  creep_mm: onlyOf(
    withAliases(
      length(CREEP_MM_MAX)
        .optional()
        .describe(
          'booklet: how far the innermost pages are moved to the fold, as thick booklets need. Default 0.',
        ),
      'creep',
    ),
    'booklet',
  ),
  overlap_mm: onlyOf(
    withAliases(
      length(OVERLAP_MM_MAX).optional().describe(`tiles: strip for glue. Default ${OVERLAP_MM}.`),
      'overlap',
    ),
    'tiles',
  ),
});

const cutShape = z.object({
  offset_mm: withAliases(
    length(CUT_OFFSET_MM_MAX, CUT_OFFSET_MM_MIN)
      .default(2)
      .describe(
        'From the edge of the image outwards; negative: into the image, so that no bare edge is left.',
      ),
    'offset',
    'distance_mm',
    'border_mm',
  ),
  border: withCoercion(
    z
      .enum(['bare', 'extend'])
      .default('bare')
      .describe(
        'Between image and cut: bare material, or the colours of the edge, which go on beyond the cut.',
      ),
    enumSynonyms({
      white: 'bare',
      none: 'bare',
      paper: 'bare',
      bleed: 'extend',
      color: 'extend',
      colour: 'extend',
    }),
  ),
  smoothing_mm: withAliases(
    length(CUT_SMOOTHING_MM_MAX)
      .default(0.2)
      .describe('Radius to which inner corners are rounded. Gaps narrower than twice of it are closed.'),
    'smoothing',
    'smooth_mm',
  ),
  islands: z
    .enum(['separate', 'join'])
    .default('separate')
    .describe('Parts that lie apart: each is cut out, or all as one with bridges between them.'),
  holes: z
    .enum(['ignore', 'cut'])
    .default('ignore')
    .describe('cut: holes of 3 mm and more after the offset are cut out too.'),
});

export const layoutFields = {
  layout: withAliases(
    shownAs(
      layoutShape
        .optional()
        .describe(
          'Several pieces on paper, always as one PDF: n_up, booklet or tiles, such as {"kind": "n_up", "sheet": "a4"}. Each has the size product_size; absent, that of the SVG or PDF (own).',
        ),
      {
        type: 'object',
        description: '{kind n_up|booklet|tiles, sheet a4|320x450, images, copies}',
      },
    ),
    ...['imposition', 'impose', 'arrangement'],
  ),
  cut: withAliases(
    withCoercion(
      shownAs(
        cutShape
          .optional()
          .describe(
            'A sticker: a contour cut around what is opaque, in the spot colour CutContour, always as a PDF, such as {"offset_mm": 2}. What is cut out has the size product_size; absent, that of the SVG or PDF with the offset.',
          )
          .meta({ title: 'Contour cut' }),
        { type: 'object', description: '{offset_mm, border bare|extend}' },
      ),
      (sent) => (sent === true || sent === 'true' ? {} : undefined),
    ),
    ...['contour', 'cut_contour', 'contour_cut', 'die_cut', 'kiss_cut', 'cutline'],
  ),
};

type Layout = z.output<typeof layoutShape>;
type Cut = z.output<typeof cutShape>;

interface Laid<Size> {
  readonly layout?: Layout | undefined;
  readonly cut?: Cut | undefined;
  readonly product_size?: Size | 'own' | undefined;
}

/** Whether the output is a layout, which is a PDF, with the size of the art as default. */
export const isLaidOut = <Size>({ layout, cut, product_size }: Laid<Size>): boolean =>
  layout !== undefined || cut !== undefined || product_size === 'own';

/** Rejects incompatible fields. */
export function refuseMisfits<Size>({ layout, cut }: Laid<Size>, problems: z.RefinementCtx): void {
  const refuse = (path: string[], message: string, input: unknown) =>
    problems.addIssue({ code: 'custom', path, message, input });
  if (!layout) return;
  for (const [name, schema] of Object.entries(layoutShape.shape)) {
    const [kinds, value] = [kindsOf(schema), layout[name as keyof Layout]];
    if (value === undefined || kinds.length === 0 || kinds.includes(layout.kind)) continue;
    refuse(['layout', name], `belongs to ${kinds.join(' and ')}; leave it out of ${layout.kind}`, value);
  }
  if (cut && layout.kind !== 'n_up')
    refuse(['cut'], `is for a single sticker or n_up; leave it out with layout ${layout.kind}`, cut);
}

/** The layout for the engine. */
export function layoutOf(layout: Layout): LayoutOptions {
  const paper = layout.sheet === undefined ? undefined : paperOf(layout.sheet);
  const { margin_mm: marginMm = MARGIN_MM, overlap_mm: overlapMm = OVERLAP_MM } = layout;
  if (layout.kind === 'booklet') return { kind: 'booklet', paperMm: paper, creepMm: layout.creep_mm ?? 0 };
  const paperMm = paper ?? PAPERS[DEFAULT_PAPER]!;
  if (layout.kind === 'tiles') return { kind: 'tiles', paperMm, overlapMm, marginMm };
  return { kind: 'n_up', paperMm, copies: layout.copies, gapMm: layout.gap_mm, marginMm };
}

export const imagesOf = (layout: Layout | undefined): readonly SourceImage[] =>
  (layout?.images ?? []) as readonly SourceImage[];

export const cutOf = ({ offset_mm, smoothing_mm, islands, holes, border }: Cut): CutOptions => ({
  offsetMm: offset_mm,
  smoothingMm: smoothing_mm,
  islands,
  cutsHoles: holes === 'cut',
  border,
});

const count = z.int().min(0);
const mm = z.number().min(0);
const sizeMm = z.object({ width: mm, height: mm });
const side = z.array(z.int().min(1).nullable());

export const layoutAnswers = {
  layout: z
    .object({
      kind: z.enum(KINDS),
      pages: count.max(LAYOUT_PAGES_MAX).describe('Of the file.'),
      sheets: count.describe('Of paper.'),
      paper_mm: sizeMm,
      columns: count.optional(),
      rows: count.optional(),
      per_sheet: count.optional(),
      copies: z.array(count).optional().describe('Of each piece.'),
      turned: z.boolean().optional().describe('Pieces lie across, as more fit then.'),
      order: z
        .array(z.object({ front: side, back: side }))
        .optional()
        .describe('Pages on each sheet, left to right; null is blank.'),
      blank_pages: count.optional(),
      overlap_mm: mm.optional(),
      print_as: z.string().describe('How to print and finish it.'),
    })
    .optional(),
  cut: z
    .object({
      offset_mm: z.number(),
      size_mm: sizeMm.describe('Of what is cut out.'),
      paths: count,
      nodes: count,
      holes: count,
    })
    .optional()
    .describe('Of the first sticker.'),
};

const PRINT_AS: Readonly<Record<(typeof KINDS)[number], string>> = {
  n_up: 'Print at actual size and cut along the marks.',
  booklet:
    'Print at actual size on both sides, turned over on the short edge. Lay the sheets into each other, the first outside, fold and staple them in the fold, then cut.',
  tiles: 'Print at actual size (100 %), on one side.',
};

const round = (value: number): number => Math.round(value * 100) / 100;
const rounded = ({ width, height }: { width: number; height: number }) => ({
  width: round(width),
  height: round(height),
});

/** The layout as response fields. */
export function layoutAnswer(
  { layout, cut }: Pick<PrintedLayout, 'layout' | 'cut'>,
  wanted: { readonly cut?: Cut | undefined },
) {
  return {
    ...(layout && {
      layout: {
        kind: layout.kind,
        pages: layout.pages,
        sheets: layout.sheets,
        paper_mm: rounded(layout.paperMm),
        ...(layout.columns !== undefined && { columns: layout.columns, rows: layout.rows! }),
        ...(layout.perSheet !== undefined && { per_sheet: layout.perSheet }),
        ...(layout.copies && { copies: [...layout.copies] }),
        ...(layout.isTurned !== undefined && { turned: layout.isTurned }),
        ...(layout.order && {
          order: layout.order.map(({ front, back }) => ({ front: [...front], back: [...back] })),
        }),
        ...(layout.blanks !== undefined && { blank_pages: layout.blanks }),
        ...(layout.overlapMm !== undefined && { overlap_mm: layout.overlapMm }),
        print_as: PRINT_AS[layout.kind],
      },
    }),
    ...(cut &&
      wanted.cut && {
        cut: {
          offset_mm: wanted.cut.offset_mm,
          size_mm: rounded(cut.sizeMm),
          paths: cut.paths,
          nodes: cut.nodes,
          holes: cut.holes,
        },
      }),
  };
}
