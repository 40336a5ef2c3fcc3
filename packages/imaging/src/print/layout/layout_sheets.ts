import { applyLink, type ColorLink } from '../../color/color_link.ts';
import { EngineError } from '../../errors/engine_error.ts';
import type { NewPackets } from '../../metadata/containers/new_packets.ts';
import type { Size } from '../../pixels/plane.ts';
import { NewDocument, TooManyObjects } from '../../preflight/convert/new_document.ts';
import { PressColors as DrawingColors } from '../../preflight/convert/press_colors.ts';
import { preflightFile } from '../../preflight/preflight_file.ts';
import type { Finding } from '../../preflight/types.ts';
import { withMeasuredInk } from '../inspect_inks.ts';
import { LAYOUT_PIECES_MAX, LAYOUT_PIXELS_MAX, PRINT_FILE_BYTES_MAX } from '../limits.ts';
import { MM_PER_INCH, planSheet, type SheetOptions, type SheetPlan } from '../plan_sheet.ts';
import { artPixels, type PressColors, type PrintedSheet } from '../print_sheet.ts';
import type { Sink } from '../sheet_file.ts';
import type { LiveArt } from '../vector/live_art.ts';
import { type CutOptions, cutPiece, type Sticker } from './cut_piece.ts';
import { layeredPixels } from './layered_pixels.ts';
import { measurePiece, PIECES_MEASURED_MAX, renderTrim } from './measure_pieces.ts';
import { makePiece, type PieceForm } from './piece.ts';
import { type BookletOptions, planBooklet } from './plan_booklet.ts';
import { type NUpOptions, type Pieces, planNUp } from './plan_n_up.ts';
import { planSingle } from './plan_single.ts';
import { planTiles, type TilesOptions } from './plan_tiles.ts';
import { layoutPreview, type PiecePreview } from './preview.ts';
import { imageArt, inkImage } from './raster_art.ts';
import { type OpenedFile, openSources, type Source, type SourceResources } from './sources.ts';
import { type LayoutPlan, type LayoutReport, sizeText, swapSides } from './types.ts';
import { writeLayout } from './write_layout.ts';

export type LayoutOptions = NUpOptions | BookletOptions | TilesOptions;

export interface LayoutSheetsRequest {
  /** Files in the order of the request. */
  readonly files: readonly Uint8Array[];
  /** Pages of the first file if it is a PDF or TIFF, from 1. Default: all pages of a PDF, the first of a TIFF. */
  readonly pages?: readonly number[] | undefined;
  /** Trim size of each piece. Default: the size of the drawing or page. */
  readonly trimMm?: Size | undefined;
  readonly bleedMm: number;
  /** Images of a higher resolution are downsampled to this. */
  readonly dpi: number;
  readonly fit?: SheetOptions['fit'];
  readonly orientation: SheetOptions['orientation'];
  readonly hasMarks: boolean;
  /** Absent: a single piece on its own page. */
  readonly layout?: LayoutOptions | undefined;
  readonly cut?: CutOptions | undefined;
  readonly software: string;
  readonly title: string;
  readonly createdAt: string;
  readonly documentId: string;
  readonly carried?: NewPackets | undefined;
}

/** Colour conversions of a printing condition. In drawings, neutral colours become black only. */
export interface LayoutColors extends PressColors {
  readonly drawings: ColorLink;
}

export interface PrintedLayout extends PrintedSheet {
  /** Spot colours, one plate each. */
  readonly spots: readonly string[];
  readonly layout?: LayoutReport | undefined;
  readonly cut?: CutReport | undefined;
  /** Pages used of the first file, from 1, if it has several. */
  readonly pages?: { readonly used: readonly number[]; readonly of: number } | undefined;
}

interface CutReport {
  readonly sizeMm: Size;
  readonly paths: number;
  readonly nodes: number;
  readonly holes: number;
}

/** A piece ready for placement. */
interface LayoutPiece {
  readonly source: Source;
  readonly form: PieceForm;
  readonly plan: SheetPlan;
  readonly isLive: boolean;
  readonly sticker?: Sticker | undefined;
}

type OnProgress = (fraction: number, message: string) => void;

const ENGINE = { name: 'atelier_print', version: '1' } as const;
/** A larger file is streamed and not preflighted, which would hold it whole. */
const CHECKED_BYTES_MAX = 96 * 1024 * 1024;
/** Tolerance for page sizes to count as equal. */
const SAME_MM = 0.6;
const SAME_RATIO = 1.01;

/**
 * Imposes pieces on paper as PDF/X-4: stickers with their cut contour, n-up sheets, booklets and tiled posters. Text
 * and vectors stay live where possible.
 * @throws EngineError invalid_input, unsuitable_image, undecodable_image, image_too_large
 */
export async function layoutSheets(
  request: LayoutSheetsRequest,
  colors: LayoutColors,
  resources: SourceResources,
  onProgress: OnProgress = () => {},
): Promise<{ readonly printed: PrintedLayout; write(sink: Sink): void }> {
  try {
    return await createLayout(request, colors, resources, onProgress);
  } catch (error) {
    if (error instanceof TooManyObjects)
      throw new EngineError(
        'unsuitable_image',
        'The pages have too many objects for a layout. Send fewer or simpler pages.',
      );
    throw error;
  }
}

async function createLayout(
  request: LayoutSheetsRequest,
  colors: LayoutColors,
  resources: SourceResources,
  onProgress: OnProgress,
) {
  const made = new NewDocument();
  const opened = await openFiles(request, { made, colors: new DrawingColors(colors.drawings), resources });
  const { sources, notes } = usedSources(opened.sources, request);
  onProgress(0.1, 'Files read');
  const sizeMm = pieceSize(sources, request);
  const stickers = await stickersOf(sources, sizeMm, request);
  const trimMm = sizeMm ?? stickers[0]!.sizeMm;
  // Planned before rendering, so that impossible layouts are rejected early.
  const plan = planOf(request, {
    count: sources.length,
    sizeMm: trimMm,
    bleedMm: request.bleedMm,
    hasMarks: request.hasMarks,
    hasContours: request.cut !== undefined,
  });
  const context: LayoutContext = { made, colors, trimMm, request, notes, spent: { pixels: 0 } };
  const pieces = await piecesOf(sources, stickers, context, onProgress);
  const measured = await measuredPieces(pieces, context);
  onProgress(0.8, 'Inks measured');
  const preview = await previewOf(plan, { pieces, measured, context });
  const forms = pieces.map(({ form }) => form);
  const document = writeLayout(
    made,
    { ...request, condition: colors.condition },
    { pages: plan.pages, pieces: forms, sizeMm: trimMm },
  );
  const bytes = context.spent.pixels * 4 <= CHECKED_BYTES_MAX ? made.write(document) : undefined;
  const { findings, inkPercent } = bytes ? await preflightLayout(bytes) : { findings: [], inkPercent: 0 };
  onProgress(0.95, 'File checked');
  const report = reportOf({ pieces, measured, findings, inkPercent });
  const printed: PrintedLayout = {
    ...report,
    hasMarks: plan.pages.some(({ marks }) => marks.length > 0),
    notes: [...new Set([...notes, ...plan.notes])],
    preview,
    layout: request.layout && plan.report,
    pages: usedPages(opened.pages, sources.length),
    engine: ENGINE,
  };
  return {
    printed,
    write(sink: Sink): void {
      const bounded = boundedSink(sink);
      if (bytes) bounded.write(bytes);
      else made.writeTo(bounded, document);
    },
  };
}

async function piecesOf(
  sources: readonly Source[],
  stickers: readonly (Sticker | undefined)[],
  context: LayoutContext,
  onProgress: OnProgress,
): Promise<LayoutPiece[]> {
  const pieces: LayoutPiece[] = [];
  for (const [at, source] of sources.entries()) {
    pieces.push(await pieceOf(source, stickers[at], context));
    onProgress(0.1 + (0.5 * (at + 1)) / sources.length, `Piece ${at + 1} of ${sources.length}`);
  }
  return pieces;
}

async function openFiles(
  { files, pages: wanted }: LayoutSheetsRequest,
  { made, colors, resources }: { made: NewDocument; colors: DrawingColors; resources: SourceResources },
): Promise<OpenedFile> {
  const sources: Source[] = [];
  let first: OpenedFile['pages'] | undefined;
  for (const [at, file] of files.entries()) {
    const name = at === 0 ? 'image' : `layout.images.${at - 1}`;
    const pagesMax = LAYOUT_PIECES_MAX - sources.length;
    const pages = at === 0 ? wanted : undefined;
    const opened = await openSources(file, name, { made, colors, resources, pagesMax, pages });
    first ??= opened.pages;
    sources.push(...opened.sources);
  }
  return { sources, pages: first! };
}

/** Omitted for single-page files. */
const usedPages = ({ used, of }: OpenedFile['pages'], pieces: number): PrintedLayout['pages'] =>
  of > 1 ? { used: used.slice(0, pieces), of } : undefined;

/** A poster and a single sheet use one piece only. */
function usedSources(
  sources: readonly Source[],
  { layout }: LayoutSheetsRequest,
): { sources: readonly Source[]; notes: string[] } {
  if (layout && layout.kind !== 'tiles') return { sources, notes: [] };
  const notes =
    sources.length > 1
      ? [`Only the first of ${sources.length} pages is printed. To print another page, send pages.`]
      : [];
  return { sources: sources.slice(0, 1), notes };
}

/** Size of every piece. Undefined if the first sticker decides. @throws EngineError invalid_input */
function pieceSize(
  sources: readonly Source[],
  { trimMm, fit, cut, orientation }: LayoutSheetsRequest,
): Size | undefined {
  const [first] = sources;
  if (trimMm) {
    if (!fit && !cut) rejectMixedSizes(sources);
    return oriented(trimMm, first!.size, orientation);
  }
  const without = sources.find(({ sizeMm }) => !sizeMm);
  if (without)
    throw invalid(
      'product_size',
      `${without.name} is an image without a physical size. Send product_size "custom" with custom_width_mm and custom_height_mm.`,
    );
  if (cut) return undefined;
  if (!fit) rejectMixedSizes(sources);
  return first!.sizeMm!;
}

function oriented(trim: Size, art: Size, orientation: LayoutSheetsRequest['orientation']): Size {
  const isLandscape = orientation === 'auto' ? art.width > art.height : orientation === 'landscape';
  if (orientation === 'as_given' || (orientation === 'auto' && art.width === art.height)) return trim;
  return isLandscape === trim.width >= trim.height ? trim : swapSides(trim);
}

/** Pages of different sizes would be scaled differently. */
function rejectMixedSizes(sources: readonly Source[]): void {
  const sized = sources.filter(({ sizeMm }) => sizeMm);
  const [first] = sized;
  const other = sized.find(({ sizeMm }) => {
    const [one, two] = [first!.sizeMm!, sizeMm!];
    return Math.abs(one.width - two.width) > SAME_MM || Math.abs(one.height - two.height) > SAME_MM;
  });
  if (!other) return;
  throw invalid(
    'fit',
    `Pages have different sizes: ${first!.name} is ${sizeText(first!.sizeMm!)}, ${other.name} is ${sizeText(other.sizeMm!)}. Send fit "contain" to place each whole, or "cover" to fill each piece.`,
  );
}

async function stickersOf(
  sources: readonly Source[],
  sizeMm: Size | undefined,
  { cut, bleedMm }: LayoutSheetsRequest,
): Promise<(Sticker | undefined)[]> {
  if (!cut) return sources.map(() => undefined);
  const stickers: Sticker[] = [];
  // Without a requested size, all stickers have the size of the first.
  for (const source of sources)
    stickers.push(await cutPiece(source, cut, { sizeMm: sizeMm ?? stickers[0]?.sizeMm, bleedMm }));
  return stickers;
}

/** A single piece on its own page has no report. */
function planOf(
  { layout }: LayoutSheetsRequest,
  pieces: Pieces,
): Omit<LayoutPlan, 'report'> & Partial<LayoutPlan> {
  if (!layout) return planSingle(pieces);
  if (layout.kind === 'n_up') return planNUp(layout, pieces);
  return layout.kind === 'booklet' ? planBooklet(layout, pieces) : planTiles(layout, pieces);
}

interface LayoutContext {
  readonly made: NewDocument;
  readonly colors: LayoutColors;
  readonly trimMm: Size;
  readonly request: LayoutSheetsRequest;
  readonly notes: string[];
  readonly spent: { pixels: number };
}

async function pieceOf(
  source: Source,
  sticker: Sticker | undefined,
  context: LayoutContext,
): Promise<LayoutPiece> {
  const { made, trimMm, request, notes } = context;
  const live = await source.live?.();
  if (typeof live === 'string')
    notes.push(
      `${source.name} was rasterised because ${live}. Correct this to keep its text and vectors live.`,
    );
  if (sticker && typeof live === 'object' && live.spots.includes('CutContour'))
    throw invalid(
      'cut',
      'The drawing already has a CutContour. Omit cut, or remove that contour from the drawing.',
    );
  const isLive = typeof live === 'object';
  if (isLive) notes.push(...live.notes);
  const { fit, isWhole } = fitOf(source, context, isLive);
  const plan = sticker
    ? stickerPlan(source, sticker, context)
    : planSheet(source.size, { ...request, trimMm, fit, orientation: 'as_given' });
  const art = isLive ? live : await rasterArt(source, { plan, sticker, context });
  if (isWhole && !sticker)
    notes.push(
      `${source.name} differs in aspect ratio from ${sizeText(trimMm)}: it is placed whole, with margins. Send fit "cover" to fill the piece.`,
    );
  const extendedColors = sticker?.extendedColors && {
    image: await inkImage(sticker.extendedColors.raster, { link: context.colors.fromSrgb, made }),
    at: sticker.extendedColors.at,
  };
  const cut = sticker && { curves: sticker.curves, placement: sticker.placement, extendedColors };
  const form = makePiece(art, { made, sizeMm: trimMm, bleedMm: request.bleedMm, fit, cut });
  return { source, form, plan: { ...plan, fit }, isLive, sticker };
}

/**
 * Returns the requested fit. By default, drawings of another aspect ratio are placed whole and images fill their piece.
 */
function fitOf(
  source: Source,
  { request, trimMm }: LayoutContext,
  isLive: boolean,
): { fit: 'cover' | 'contain'; isWhole: boolean } {
  if (request.fit) return { fit: request.fit, isWhole: false };
  const ratio = (source.size.width * trimMm.height) / (source.size.height * trimMm.width);
  const isAlike = Math.max(ratio, 1 / ratio) <= SAME_RATIO;
  const isWhole = !isAlike && (isLive || source.live !== undefined);
  return { fit: isWhole ? 'contain' : 'cover', isWhole };
}

/** Adapts the sheet plan of a sticker for the report. */
function stickerPlan(source: Source, { placement }: Sticker, { request, trimMm }: LayoutContext): SheetPlan {
  const plan = planSheet(source.size, { ...request, trimMm, fit: 'contain', orientation: 'as_given' });
  return {
    ...plan,
    effectiveDpi: MM_PER_INCH / placement.scale,
    keptShare: 1,
    pictureBleedMm: { x: 0, y: 0 },
  };
}

/** Renders an image, or a drawing that cannot stay live, at no more than the requested resolution. */
async function rasterArt(
  source: Source,
  { plan, sticker, context }: { plan: SheetPlan; sticker: Sticker | undefined; context: LayoutContext },
): Promise<LiveArt> {
  const { made, colors, request, spent } = context;
  const unitsPerInch = sticker ? MM_PER_INCH / sticker.placement.scale : plan.effectiveDpi;
  const reduced = Math.min(1, request.dpi / unitsPerInch);
  const wanted = source.live
    ? {
        width: (source.size.width * request.dpi) / unitsPerInch,
        height: (source.size.height * request.dpi) / unitsPerInch,
      }
    : source.size;
  const isLayered = sticker?.extendedColors !== undefined;
  const drawn = await source.render(wanted, isLayered);
  const within = {
    width: Math.ceil(drawn.size.width * reduced),
    height: Math.ceil(drawn.size.height * reduced),
  };
  spent.pixels += Math.min(1, reduced * reduced) * drawn.size.width * drawn.size.height;
  if (spent.pixels > LAYOUT_PIXELS_MAX)
    throw new EngineError(
      'image_too_large',
      `The images of this layout have more than ${LAYOUT_PIXELS_MAX / 1e6} million pixels at ${request.dpi} dpi. Send a lower dpi, or fewer or smaller images.`,
      {
        errors: [
          {
            field: 'dpi',
            code: 'too_large',
            message: 'too many pixels at this resolution',
            got: request.dpi,
          },
        ],
      },
    );
  const shrunk = reduced < 1 ? within : undefined;
  const placed = { made, ...source.size, shown: drawn.area };
  if (isLayered) {
    const { raster, opacity } = await layeredPixels(drawn.bytes, shrunk);
    return imageArt(await inkImage(raster, { link: colors.fromSrgb, made, opacity }), placed);
  }
  const { raster, isCmyk, profile } = await artPixels(drawn.bytes, shrunk);
  const own = isCmyk ? colors.fromCmyk(profile) : { link: colors.fromSrgb, note: undefined };
  if (own.note) context.notes.push(own.note);
  return imageArt(await inkImage(raster, { link: own.link, made }), placed);
}

/** Renders a preview of the first pages on the paper of the printing condition. */
function previewOf(
  { pages }: Pick<LayoutPlan, 'pages'>,
  {
    pieces,
    measured,
    context,
  }: { pieces: readonly LayoutPiece[]; measured: readonly PrintedSheet[]; context: LayoutContext },
) {
  const previews = pieces.map(
    ({ sticker }, at): PiecePreview => ({
      picture: measured[at]?.preview?.bytes,
      curves: sticker?.curves ?? [],
    }),
  );
  const { colors, trimMm: sizeMm, request } = context;
  const [r, g, b] = applyLink(colors.proof, new Uint8Array(4)) as unknown as [number, number, number];
  return layoutPreview(pages, { previews, sizeMm, bleedMm: request.bleedMm, paper: { r, g, b } });
}

/** Measures the inks of the first pieces and renders their previews. */
async function measuredPieces(
  pieces: readonly LayoutPiece[],
  { request, trimMm, colors }: LayoutContext,
): Promise<PrintedSheet[]> {
  const measured: PrintedSheet[] = [];
  for (const { source, sticker, plan, isLive } of pieces.slice(0, PIECES_MEASURED_MAX)) {
    const picture = sticker ? sticker.picture : await renderTrim(source, trimMm, request.dpi);
    const fit = sticker ? 'cover' : plan.fit;
    const { dpi, bleedMm } = request;
    const own = isLive ? { ...colors, fromSrgb: colors.drawings } : colors;
    measured.push(await measurePiece(picture, { sizeMm: trimMm, bleedMm, dpi, fit }, own));
  }
  return measured;
}

/** Preflights the file. Returns warnings, errors and the maximum total area coverage in per cent. */
async function preflightLayout(
  bytes: Uint8Array,
): Promise<{ readonly findings: readonly Finding[]; readonly inkPercent: number }> {
  const { findings, ink } = await preflightFile({ bytes, standard: 'pdfx4' });
  const told = findings.filter(({ severity }) => severity !== 'info');
  return { findings: told, inkPercent: ink.mostPercent ?? 0 };
}

/** Combines the worst value of each measurement into one report. */
function reportOf({
  pieces,
  measured,
  findings,
  inkPercent,
}: {
  readonly pieces: readonly LayoutPiece[];
  readonly measured: readonly PrintedSheet[];
  readonly findings: readonly Finding[];
  readonly inkPercent: number;
}): Omit<PrintedLayout, 'hasMarks' | 'notes' | 'engine'> {
  const pictures = pieces.filter(({ isLive }) => !isLive);
  const worst = (pictures.length > 0 ? pictures : pieces).reduce((one, other) =>
    other.plan.effectiveDpi < one.plan.effectiveDpi ? other : one,
  );
  const most = measured.reduce((one, other) =>
    other.inks.inkMaxPercent > one.inks.inkMaxPercent ? other : one,
  );
  const mean = (of: (sheet: PrintedSheet) => number): number =>
    measured.reduce((sum, sheet) => sum + of(sheet), 0) / measured.length;
  const spots = [...new Set(pieces.flatMap(({ form }) => form.spots))];
  const isLive = pictures.length === 0;
  const [sticker] = pieces.flatMap((piece) => piece.sticker ?? []);
  return {
    plan: worst.plan,
    inks: {
      ...withMeasuredInk(most.inks, inkPercent),
      inkMeanPercent: mean(({ inks }) => inks.inkMeanPercent),
      outOfGamutShare: mean(({ inks }) => inks.outOfGamutShare),
      thinShare: mean(({ inks }) => inks.thinShare),
    },
    picture: worst.source.size,
    hasTransparency: measured.some(({ hasTransparency }) => hasTransparency),
    ...(isLive && { live: { spots, findings } }),
    spots,
    ...(most.quality && { quality: most.quality }),
    ...(sticker && {
      cut: {
        sizeMm: sticker.sizeMm,
        paths: sticker.curves.length,
        nodes: sticker.report.nodes,
        holes: sticker.report.holes,
      },
    }),
  };
}

/** @throws EngineError image_too_large */
function boundedSink(sink: Sink): Sink {
  let written = 0;
  return {
    ...sink,
    write(bytes) {
      written += bytes.length;
      if (written > PRINT_FILE_BYTES_MAX)
        throw new EngineError(
          'image_too_large',
          `The file of this layout would exceed ${PRINT_FILE_BYTES_MAX / 1024 ** 2} MB. Send a lower dpi or fewer pieces.`,
        );
      sink.write(bytes);
    },
  };
}

const invalid = (field: string, message: string): EngineError =>
  new EngineError('invalid_input', message, { errors: [{ field, code: 'invalid', message }] });
