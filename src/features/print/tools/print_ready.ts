import { randomUUID } from 'node:crypto';
import { IMAGE_PIXELS_MAX } from '@atelier/imaging/codecs/limits.ts';
import { LAYOUT_PIECES_MAX } from '@atelier/imaging/print/limits.ts';
import {
  planSheet,
  type SheetOptions,
  sheetPixels as sheetPixelsOf,
} from '@atelier/imaging/print/plan_sheet.ts';
import { z } from 'zod';
import { BASE64_COPIES } from '../../../config/limits.ts';
import type { LaidOutFile } from '../../../core/workers/run_layout.ts';
import type { PrintedFile } from '../../../core/workers/run_print.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { briefly, shownAs } from '../../definitions/brief.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { engineAnswer, fileAnswer, imageAnswer, imageField, outputField } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/images_in.ts';
import { pagesField, pagesIn } from '../../definitions/pages_field.ts';
import {
  linkAnswer,
  metadataAnswer,
  metadataOf,
  passthroughFields,
  passthroughOf,
} from '../../definitions/passthrough_answer.ts';
import { FREE } from '../../definitions/price.ts';
import { type QualityAnswer, qualityAnswer } from '../../definitions/quality_answer.ts';
import {
  enumSynonyms,
  inMillimetres,
  inUnit,
  isText,
  sidesIn,
  withAliases,
  withCoercion,
  withDerivation,
} from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import {
  BASE64_ANSWER_BYTES_MAX,
  BLEED_MM_MAX,
  SHEET_PIXELS_MAX,
  SHEET_SIDE_MM_MAX,
  SHEET_SIDE_MM_MIN,
} from '../../definitions/tool_limits.ts';
import type { Services } from '../../services.ts';
import {
  cutOf,
  imagesOf,
  isLaidOut,
  layoutAnswer,
  layoutAnswers,
  layoutFields,
  layoutOf,
  refuseMisfits,
} from './layout_fields.ts';
import { foreseeResolution, type PrintedSheet, preflight, preflightAnswer } from './preflight.ts';
import { DEFAULT_PRESS, intentField, PRESSES_BRIEF, PRESSES_TEXT, pressField } from './press_fields.ts';

/** Aliases of the sides of a sheet. */
const SIDE_NAMES = {
  width: ['width', 'width_mm', 'trim_width', 'trim_width_mm'],
  height: ['height', 'height_mm', 'trim_height', 'trim_height_mm'],
};
const MILLIMETRES: Readonly<Record<string, number>> = {
  mm: 1,
  cm: 10,
  in: 25.4,
  inch: 25.4,
  inches: 25.4,
  '"': 25.4,
};

/** Derives the fields of a size such as "100x150mm"; 24 × 36 inches has a name. */
function sheetMeant(sent: unknown): Record<string, unknown> | undefined {
  const { width, height, unit = '' } = sidesIn(sent) ?? {};
  const each = MILLIMETRES[unit];
  if (!width || !height || !each) return undefined;
  if (each === 25.4 && width === 24 && height === 36) return { product_size: 'poster_24x36' };
  return { product_size: 'custom', custom_width_mm: width * each, custom_height_mm: height * each };
}

/** Derives the custom size, if both sides are given without a named size. */
const customWhere =
  (other: string) =>
  (sent: unknown, beside: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined =>
    beside.product_size === undefined && beside[other] !== undefined
      ? {
          product_size: 'custom',
          [other === 'custom_width_mm' ? 'custom_height_mm' : 'custom_width_mm']: sent,
        }
      : undefined;

/** Warns of sides that a named size ignores. */
function warnOfIdle(
  wanted: {
    readonly product_size: string;
    readonly custom_width_mm?: number | undefined;
    readonly custom_height_mm?: number | undefined;
  },
  call: { warn(text: string): void },
): void {
  if (wanted.product_size === 'custom') return;
  for (const name of ['custom_width_mm', 'custom_height_mm'] as const)
    if (wanted[name] !== undefined)
      call.warn(`${name} is without effect: product_size is ${wanted.product_size}.`);
}

/** Sheet sizes in mm, portrait. */
const PRODUCT_SIZES = {
  a4: { width: 210, height: 297 },
  a3: { width: 297, height: 420 },
  letter: { width: 215.9, height: 279.4 },
  poster_24x36: { width: 609.6, height: 914.4 },
} as const;

const MM_PER_INCH = 25.4;

const SHEET_SIZES = [
  ...(Object.keys(PRODUCT_SIZES) as (keyof typeof PRODUCT_SIZES)[]),
  'custom',
  'own',
] as const;

const DEFAULT_SIZE = 'a4';

interface Sized {
  readonly product_size: (typeof SHEET_SIZES)[number];
  readonly custom_width_mm?: number | undefined;
  readonly custom_height_mm?: number | undefined;
}

/** Sides in mm. */
interface Sides {
  readonly width: number;
  readonly height: number;
}

/** Trimmed sides of a sheet; undefined for the size of the file, which is not known yet. */
function trimOf({ product_size, custom_width_mm, custom_height_mm }: Sized): Sides | undefined {
  if (product_size === 'own') return undefined;
  return product_size === 'custom'
    ? { width: custom_width_mm!, height: custom_height_mm! }
    : PRODUCT_SIZES[product_size];
}

/** Approximate pixels of a sheet with bleed. */
function sheetPixels(trim: Sides, { bleed_mm, dpi }: { bleed_mm: number; dpi: number }): number {
  const [width, height] = [trim.width, trim.height].map(
    (side) => ((side + 2 * bleed_mm) / MM_PER_INCH) * dpi,
  );
  return Math.round(width! * height!);
}

/** The call with its defaults. */
const withDefaults = <Wanted extends Parameters<typeof isLaidOut<string>>[0]>(wanted: Wanted) => ({
  ...wanted,
  product_size: (wanted.product_size ?? (isLaidOut(wanted) ? 'own' : DEFAULT_SIZE)) as Sized['product_size'],
  ...(isLaidOut(wanted) && { output_format: 'pdf' as const }),
});

const sizeField = z.enum(SHEET_SIZES).meta({ title: 'Size' });
/** Not a schema default, because the default with a layout or cut is the size of the file. */
const optionalSize = sizeField.optional().meta({ default: DEFAULT_SIZE, title: 'Size' });
const dpiField = z.union([z.literal(150), z.literal(300), z.literal(600)]).meta({ title: 'Pixels an inch' });
const formatField = z.enum(['tiff', 'pdf']);
const mm = z
  .number()
  .min(0)
  .max(10 * SHEET_SIDE_MM_MAX);
const sizeMm = z.object({ width: mm, height: mm });
const customSide = (axis: string) =>
  shownAs(
    withCoercion(
      z
        .number()
        .min(SHEET_SIDE_MM_MIN)
        .max(SHEET_SIDE_MM_MAX)
        .optional()
        .describe(`${axis} after trimming, in millimetres. Required when product_size is custom.`),
      inMillimetres,
    ),
    { type: 'number' },
  );

const input = z
  .object({
    image: imageField,
    product_size: withAliases(
      withDerivation(
        withCoercion(optionalSize, enumSynonyms({ us_letter: 'letter', '24x36': 'poster_24x36' })),
        sheetMeant,
      ),
      ...['size', 'paper_size', 'page_size', 'sheet_size', 'paper', 'page_format', 'custom_size'],
    ),
    custom_width_mm: withAliases(
      withDerivation(customSide('Width'), customWhere('custom_height_mm')),
      ...SIDE_NAMES.width,
    ),
    custom_height_mm: withAliases(
      withDerivation(customSide('Height'), customWhere('custom_width_mm')),
      ...SIDE_NAMES.height,
    ),
    dpi: withAliases(withCoercion(dpiField.default(300), inUnit('dpi', 'ppi')), 'resolution', 'ppi'),
    bleed_mm: briefly(
      withCoercion(
        z
          .number()
          .min(0)
          .max(BLEED_MM_MAX)
          .default(3)
          .describe('Beyond the trim on every side, filled from the picture.'),
        inMillimetres,
      ),
      '',
    ),
    crop_marks: briefly(
      z
        .boolean()
        .default(true)
        .describe('In the bleed of a TIFF; in a PDF outside it, with register targets.'),
      '',
    ),
    output_format: withAliases(
      briefly(
        formatField
          .default('tiff')
          .describe(
            'pdf follows PDF/X-4; text and vectors of an SVG or a PDF stay live in it, and what an SVG calls CutContour, White or data-spot="Name" is a plate of its own.',
          )
          .meta({ title: 'Format' }),
        'pdf: live vectors',
      ),
      ...['format', 'file_type', 'file_format'],
    ),
    orientation: briefly(
      z
        .enum(['auto', 'portrait', 'landscape', 'as_given'])
        .default('auto')
        .describe('auto: the way the picture lies; a custom size stays as given unless named.'),
      '',
    ),
    fit: briefly(
      z
        .enum(['cover', 'contain'])
        .optional()
        .describe(
          'cover cuts what is over; contain keeps the whole picture and leaves margins. Absent: contain for drawings and transparent pictures, else cover.',
        ),
      '',
    ),
    profile: briefly(
      pressField
        .default(DEFAULT_PRESS)
        .describe(`The printing condition: ${PRESSES_TEXT}.`)
        .meta({ title: 'Printing condition' }),
      PRESSES_BRIEF,
    ),
    pages: pagesField(
      'Of a PDF or TIFF: the page, such as 2; with n_up or booklet several in their order, such as 1-3,5. Absent: the first; all of a PDF with n_up or booklet.',
      'Of a PDF: 2 or 1-3,5.',
    ),
    ...layoutFields,
    intent: shownAs(intentField.default('perceptual').meta({ title: 'Colours the inks cannot reach' }), {
      type: 'string',
    }),
    output: withDerivation(outputField.clone(), (sent, { output_format: format }) =>
      format === undefined && isText(sent, /^\.?(pdf|tiff?)$/i) ? { output_format: sent } : undefined,
    ),
    ...passthroughFields,
  })
  .superRefine((wanted, problems) => {
    for (const name of ['custom_width_mm', 'custom_height_mm'] as const) {
      const value = wanted[name];
      if (wanted.product_size !== 'custom' || value !== undefined) continue;
      const message = `must be a number of millimetres from ${SHEET_SIDE_MM_MIN} to ${SHEET_SIDE_MM_MAX}, as product_size is custom`;
      problems.addIssue({ code: 'custom', path: [name], message, input: value });
    }
    refuseMisfits(wanted, problems);
    refuseSeveralPages(wanted, problems);
    const { width, height } = trimOf(withDefaults(wanted)) ?? {};
    // Pieces of a layout are checked with their images: vectors have no pixels.
    if (!(width && height) || isLaidOut(wanted)) return;
    const pixels = sheetPixels({ width, height }, wanted);
    if (pixels <= SHEET_PIXELS_MAX) return;
    const message = `must be lower for this size: the sheet would have ${Math.ceil(pixels / 1e6)} million pixels, and at most ${SHEET_PIXELS_MAX / 1e6} million are made`;
    problems.addIssue({ code: 'custom', path: ['dpi'], message, input: wanted.dpi });
  });

export const printReady = defineTool({
  name: 'print_ready',
  title: 'Prepare for print',
  category: 'creative',
  toolset: 'print',
  summary:
    'Make a file a printer accepts: CMYK TIFF or PDF/X-4 at exact size with bleed, marks, preflight; stickers with cut, n-up, booklets, tiled posters.',
  instead: { mockup_image: 'to see it on a product' },
  words:
    'print file, pdf or tiff for the printer, printing press, bleed, trim, crop marks, cut lines, poster, flyer, postcard, brochure, business card, paper size, a4, a3, dpi, 300 dpi, preflight, can it be printed, send to the print shop, magazine, copy shop, enough pixels for a print, make a print pdf with bleed, cmyk tiff at 300 dpi with crop marks, print this as a poster, is the resolution good enough for printing, cm, inches, greeting card, invitation, sticker sheet, pdf/x, printing house, prepress, photo print in 10 x 15, book cover, banner to be printed, leaflet, sheet, wedding invitation, ticket, bookmark, label, packaging, menu, certificate, calendar, vinyl cover, photo book, us letter, sra3, dtp, output for a print service, vistaprint, margins, safe area, home printer, contour cut, cut contour, kiss cut, die cut sticker, cut line around a picture, plotter, vinyl sticker, sticker with white border, several on one sheet, 10 up business cards, n-up, nup, gang run, step and repeat, imposition, impose pages, saddle stitch, stapled booklet, zine, brochure from pdf, fold and staple, creep, tile a poster, poster over several a4 sheets, print large on small paper, overlap to glue',
  price: FREE,
  input,
  output: z.object({
    file_b64: z.string().optional().describe('The sheet as base64; absent with output "url".'),
    width: imageAnswer.width.describe('Pixels, bleed included.'),
    height: imageAnswer.height,
    ...fileAnswer,
    product_size: sizeField,
    dpi: dpiField,
    output_format: formatField,
    trim_mm: sizeMm,
    bleed_mm: mm,
    sheet_mm: sizeMm.describe('Trim and bleed.'),
    orientation: z.enum(['portrait', 'landscape', 'square']),
    crop_marks: z.boolean().describe('Whether marks were drawn.'),
    kept_share: z.number().min(0).max(1).describe('Part of the picture inside the trim.'),
    profile: z.string(),
    profile_name: z.string().describe('What the embedded ICC profile calls itself.'),
    color_mode: z.literal('CMYK'),
    preview: z
      .object({ ...fileAnswer, width: imageAnswer.width, height: imageAnswer.height })
      .optional()
      .describe('Of a PDF: the page with its marks, as the inks look on this paper.'),
    live: z.boolean().describe('Text and vectors stayed live. False: pixels.'),
    pages: z
      .object({ used: z.array(z.int().min(1)), of: z.int().min(2) })
      .optional()
      .describe('Printed, of a file with several.'),
    ...layoutAnswers,
    spot_colors: z.array(z.string()).optional().describe('Plates beside CMYK, such as CutContour.'),
    preflight: preflightAnswer,
    ...metadataAnswer,
    ...qualityAnswer,
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: EXAMPLE_PNG_B64, product_size: 'custom', custom_width_mm: 90, custom_height_mm: 55, dpi: 150 },
    { image: EXAMPLE_PNG_B64, product_size: 'a4', output_format: 'pdf', output: 'url' },
  ],
  next: ({ preflight: { checks } }, { image }) => [
    ...checks.flatMap(({ check, mend }) =>
      check === 'resolution' && mend
        ? [
            {
              action: mend.action,
              tool: mend.endpoint.split('/').at(-1)!,
              why: `Brings the sheet to ${mend.gives}`,
              params: mend.params,
            },
          ]
        : [],
    ),
    {
      action: 'Show it as a product',
      tool: 'mockup_image',
      why: 'A picture of the finished thing, before it is printed',
      params: { image: handleIn(image), product: 'poster' },
    },
  ],
  async run(
    { image, output, keep, keep_location, ...sent },
    {
      pixels,
      results,
      pressProfiles,
      catalogue,
    }: Pick<Services, 'pixels' | 'results' | 'pressProfiles' | 'catalogue'>,
    call,
  ) {
    const wanted = withDefaults(sent);
    const press = await pressProfiles.find(wanted.profile, 'profile');
    warnOfIdle(wanted, call);
    const type = wanted.output_format === 'pdf' ? 'application/pdf' : 'image/tiff';
    const images = imagesOf(wanted.layout);
    const { made: printed, ...file } = await results.make<Printed>(type, (path) =>
      makeFile(
        { image, images, wanted, path, press, carry: passthroughOf({ keep, keep_location }) },
        pixels,
        call,
      ),
    );
    const { preview: page } = printed;
    const preview = page && (await results.keep(page.bytes, PREVIEW_TYPE));
    for (const note of printed.notes) call.warn(note);
    if (wanted.crop_marks && !printed.hasMarks)
      call.warn(
        'No crop marks were drawn: a TIFF has them in the bleed, and bleed_mm is 0. A PDF has room for them.',
      );
    const isTooLong = output === 'base64' && file.sizeBytes > BASE64_ANSWER_BYTES_MAX;
    if (isTooLong) call.warn('The sheet is too large to be sent as base64; result_url has it.');
    const isSent = output === 'base64' && !isTooLong;
    return {
      ...(isSent && { file_b64: await base64Of(results, file.handle) }),
      ...answer(printed, wanted),
      ...metadataOf(printed.metadata),
      content_type: type,
      size_bytes: file.sizeBytes,
      ...linkAnswer(file),
      ...(preview && {
        preview: {
          ...linkAnswer(preview),
          content_type: PREVIEW_TYPE,
          size_bytes: page.bytes.length,
          width: page.width,
          height: page.height,
        },
      }),
      preflight: await preflight(printed, { catalogue, results, image, wanted, images }),
    };
  },
});

const PREVIEW_TYPE = 'image/webp';

interface PrintFileRequest {
  readonly image: SourceImage;
  /** Further images of the layout. */
  readonly images: readonly SourceImage[];
  readonly wanted: AnswerOptions;
  readonly path: string;
  readonly press: Awaited<ReturnType<Services['pressProfiles']['find']>>;
  readonly carry: ReturnType<typeof passthroughOf>;
}

/** Makes a sheet, or a layout of several pieces. */
function makeFile(
  { image, images, wanted, path, press, carry }: PrintFileRequest,
  pixels: Services['pixels'],
  call: CallContext,
): Promise<Printed> {
  const { output_format: format, layout, cut, intent } = wanted;
  const { fit, orientation, trimMm, bleedMm, dpi } = sheetOf(wanted);
  const common = {
    bytes: image.bytes,
    bleedMm,
    dpi,
    fit,
    orientation,
    hasMarks: wanted.crop_marks,
    press,
    carry,
    rendering: { intent, blackPointCompensation: intent === 'relative' },
    software: 'Atelier',
    createdAt: `${new Date().toISOString().slice(0, 19)}Z`,
    documentId: randomUUID(),
    path,
  };
  const pages = pageNumbers(wanted.pages);
  // A selected page may be larger than the first, which alone was measured.
  const mayGrow = pages !== undefined || image.format === 'pdf';
  const own = mayGrow ? IMAGE_PIXELS_MAX : image.width * image.height;
  const held = images.reduce((sum, { width, height }) => sum + width * height, BAND_PIXELS + own);
  if (isLaidOut(wanted) || !trimMm)
    return pixels.run(
      'layout',
      {
        ...common,
        images: images.map(({ bytes }) => bytes),
        pages,
        trimMm,
        layout: layout && layoutOf(layout),
        cut: cut && cutOf(cut),
        title: TITLES[layout?.kind ?? 'single'],
      },
      { pixels: held + LAYOUT_PIXELS, ...call },
    );
  const title = `Print sheet ${trimMm.width} × ${trimMm.height} mm`;
  const { deadlineMs, jobDeadlineMs } = call;
  return pixels.run(
    'print',
    { ...common, trimMm, format, title, page: pages?.[0], deadlineMs, jobDeadlineMs },
    { pixels: held, ...call },
  );
}

/** Page numbers in order; undefined: all. */
function pageNumbers(text: string | undefined): readonly number[] | undefined {
  const numbers = pagesIn(text, LAYOUT_PIECES_MAX);
  return numbers === 'all' ? undefined : numbers;
}

/** Rejects several pages for sheets and posters. */
function refuseSeveralPages(
  {
    pages,
    layout,
  }: { readonly pages?: string | undefined; readonly layout?: { readonly kind: string } | undefined },
  problems: z.RefinementCtx,
): void {
  if (pages === undefined || /^\s*\d+\s*$/.test(pages)) return;
  if (layout && layout.kind !== 'tiles') return;
  const message =
    'must be one page, such as 2: a sheet has one. Send layout {"kind": "n_up"} or "booklet" for several';
  problems.addIssue({ code: 'custom', path: ['pages'], message, input: pages });
}

const TITLES = {
  single: 'Print sheet',
  n_up: 'Print sheet of several pieces',
  booklet: 'Booklet',
  tiles: 'Poster in parts',
} as const;

type SheetFields = Pick<z.output<typeof input>, 'bleed_mm' | 'dpi' | 'fit' | 'orientation'> & Sized;

type SheetOfAnySize = Omit<SheetOptions, 'trimMm'> & { readonly trimMm: Sides | undefined };

function sheetOf({ bleed_mm: bleedMm, dpi, fit, orientation, ...sized }: SheetFields): SheetOfAnySize {
  const isAsGiven = sized.product_size === 'custom' && orientation === 'auto';
  return { trimMm: trimOf(sized), bleedMm, dpi, fit, orientation: isAsGiven ? 'as_given' : orientation };
}

/**
 * Whether an image has enough pixels for the requested sheet, before it is made; undefined for invalid parameters.
 * @param handle of the image, for suggested fixes
 */
export function foreseeSheet(
  params: Readonly<Record<string, unknown>>,
  { picture, handle, catalogue }: { picture: Sides; handle: string; catalogue: Services['catalogue'] },
):
  | { readonly check: ReturnType<typeof foreseeResolution>; readonly dpi: number; readonly trimMm: Sides }
  | undefined {
  const { success, data } = input.safeParse(params);
  if (!success) return undefined;
  const { image: _, output: _output, keep: _keep, keep_location: _location, ...sent } = data;
  const wanted = withDefaults(sent);
  const { trimMm, ...sheet } = sheetOf(wanted);
  if (!trimMm) return undefined;
  const plan = planSheet(picture, { ...sheet, trimMm });
  const check = foreseeResolution({ plan, picture }, { catalogue, handle, wanted });
  return { check, dpi: Math.round(plan.effectiveDpi), trimMm: plan.trimMm };
}

type AnswerOptions = Omit<
  z.output<typeof input>,
  'image' | 'output' | 'keep' | 'keep_location' | 'product_size'
> &
  Sized;
type Printed = PrintedSheet & {
  readonly live?: { readonly spots: readonly string[] };
  /** Spot colours of a layout. */
  readonly spots?: readonly string[];
  readonly layout?: LaidOutFile['layout'];
  readonly cut?: LaidOutFile['cut'];
  readonly notes: readonly string[];
  readonly preview?: PrintedFile['preview'];
  readonly metadata: PrintedFile['metadata'];
  readonly hasMarks: boolean;
  readonly pages?: PrintedFile['pages'];
  readonly profile: string;
  readonly quality?: QualityAnswer;
  readonly engine: { name: string; version: string };
};

/** Pixels in memory for the sheet, which is processed in bands and written to disk. */
const BAND_PIXELS = 4e6;
/** Pixels in memory for outline search, distance maps and the assembly of a layout. */
const LAYOUT_PIXELS = 24e6;

async function base64Of(results: Services['results'], handle: string): Promise<string> {
  const { bytes } = await results.open(handle.replace('result:', ''), { copies: BASE64_COPIES });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function answer({ plan, ...printed }: Printed, wanted: AnswerOptions) {
  // The natural size of a drawing is in points.
  const [width, height] = [plan.trimMm.width, plan.trimMm.height].map(
    (mm) => Math.round(mm * 1000) / 1000,
  ) as [number, number];
  const spots = printed.spots ?? printed.live?.spots;
  const paper = printed.layout?.paperMm;
  return {
    ...(paper ? sheetPixelsOf(paper, 0, wanted.dpi) : plan.sheet),
    ...layoutAnswer(printed, wanted),
    product_size: wanted.product_size,
    dpi: wanted.dpi,
    output_format: wanted.output_format,
    trim_mm: { width, height },
    bleed_mm: plan.bleedMm,
    sheet_mm: { width: width + 2 * plan.bleedMm, height: height + 2 * plan.bleedMm },
    orientation:
      width === height
        ? ('square' as const)
        : width > height
          ? ('landscape' as const)
          : ('portrait' as const),
    crop_marks: printed.hasMarks,
    kept_share: Math.round(1e4 * plan.keptShare) / 1e4,
    profile: wanted.profile,
    profile_name: printed.profile,
    color_mode: 'CMYK' as const,
    live: printed.live !== undefined,
    ...(printed.pages && { pages: { used: [...printed.pages.used], of: printed.pages.of } }),
    ...(spots && { spot_colors: [...spots] }),
    ...(printed.quality && { quality: printed.quality }),
    engine: printed.engine,
    degraded: false,
  };
}
