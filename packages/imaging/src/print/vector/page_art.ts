import type { Size } from '../../pixels/plane.ts';
import { createDocumentCache, interpretPage } from '../../preflight/content/interpret.ts';
import {
  type Box,
  boxAround,
  corners,
  intersection,
  type Matrix,
  transformPoint,
} from '../../preflight/content/matrix.ts';
import { ResourceConverter } from '../../preflight/convert/convert_resources.ts';
import { flateStream } from '../../preflight/convert/flate_stream.ts';
import { NewDocument, TooManyObjects } from '../../preflight/convert/new_document.ts';
import type { PressColors } from '../../preflight/convert/press_colors.ts';
import { fontChanges } from '../../preflight/fonts/font_notes.ts';
import { FontReplacer, plainFontName } from '../../preflight/fonts/replace_fonts.ts';
import { STAGE_NS } from '../../preflight/limits.ts';
import { PdfDocument } from '../../preflight/pdf/document.ts';
import { PdfReadError } from '../../preflight/pdf/lexer.ts';
import { contentOf, mediaOf, type PdfPage, readPages, trimOf } from '../../preflight/pdf/pages.ts';
import { Name, nameOf, type PdfDictionary, type PdfValue } from '../../preflight/pdf/values.ts';
import { paintedBox } from '../../preflight/repair/page_bleed.ts';
import { WorkBudget, WorkBudgetExceeded } from '../../preflight/work_budget.ts';
import type { ReadFont } from '../../typography/open_fonts.ts';
import { type LiveArt, RasterisationRequired } from './live_art.ts';
import { boxValues } from './print_document.ts';

/** Work budget of the first page converted, and of each further page. */
const CONVERT_NS = { first: 4e9, further: 0.25e9 };

/** Pages of a PDF, opened for conversion into another file. */
export interface PdfPages {
  readonly count: number;
  /** Trim sizes of the pages read, after rotation, in points. */
  readonly sizes: readonly Size[];
  /**
   * Returns the area that viewers show, which may exceed the trim, from the lower left corner of the trim.
   * @param index from 0
   */
  shown(index: number): Box;
  /**
   * Converts a page.
   * @param index from 0
   * @throws RasterisationRequired if the page would not print as displayed: missing fonts, annotations
   */
  art(index: number): Promise<LiveArt>;
}

/** Resources for converting pages. */
export interface PageResources {
  readonly colors: PressColors;
  /** Substitutes for fonts that are not embedded. */
  readonly readFont: ReadFont;
}

/**
 * Converts a PDF page to a form XObject in the inks of a printing condition, with live text and vectors.
 * @param index from 0
 * @throws RasterisationRequired if the page would not print as displayed: encryption, missing fonts, layers, annotations
 */
export async function pageArt(bytes: Uint8Array, tools: PageResources, index = 0): Promise<LiveArt> {
  return openPages(bytes, tools, new NewDocument()).art(index);
}

/**
 * Opens a PDF whose pages become form XObjects of `made`. Shared resources are converted once.
 * @throws RasterisationRequired for files whose pages cannot stay live: encrypted, layered, broken
 */
export function openPages(
  bytes: Uint8Array,
  { colors, readFont }: PageResources,
  made: NewDocument,
): PdfPages {
  return withRasterisationReason(() => {
    const document = new PdfDocument(bytes, new WorkBudget(STAGE_NS.structure + CONVERT_NS.first));
    if (document.isEncrypted) throw new RasterisationRequired('it is encrypted');
    const root = document.dictionary(document.trailer.get('Root'));
    if (root?.has('OCProperties')) throw new RasterisationRequired('it has layers, which may be hidden');
    const { pages, count } = readPages(document);
    if (pages.length === 0) throw new RasterisationRequired('it has no readable page');
    const importing = made.importing(document);
    const fonts = new FontReplacer(document, importing, readFont);
    const converter = new ResourceConverter(document, importing, colors, fonts);
    return {
      count,
      sizes: pages.map((page) => uprightTrim(page).size),
      shown: (index) => {
        const page = pages[index]!;
        const box = (page.crop && intersection(page.crop, mediaOf(page))) ?? mediaOf(page);
        return boxAround(corners(uprightTrim(page).upright, box))!;
      },
      async art(index) {
        if (index > 0) document.work.allow(CONVERT_NS.further);
        const page = pages[index];
        if (!page) throw new RasterisationRequired(`only the first ${pages.length} of its pages are read`);
        try {
          return await liveArt(document, page, { converter, fonts, made: importing });
        } catch (error) {
          throw toRasterisationReason(error);
        }
      },
    };
  });
}

function withRasterisationReason<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toRasterisationReason(error);
  }
}

function toRasterisationReason(error: unknown): unknown {
  if (error instanceof PdfReadError) return new RasterisationRequired('its structure is broken');
  if (error instanceof WorkBudgetExceeded || error instanceof TooManyObjects)
    return new RasterisationRequired('it has too many objects or operators');
  return error;
}

async function liveArt(
  document: PdfDocument,
  page: PdfPage,
  {
    converter,
    fonts,
    made,
  }: { readonly converter: ResourceConverter; readonly fonts: FontReplacer; readonly made: NewDocument },
): Promise<LiveArt> {
  rejectAnnotations(document, page);
  const { spots, missing } = inspectContent(document, page);
  const { data } = contentOf(document, page);
  const { data: content, resources } = await converter.content(data, { resources: page.resources, depth: 0 });
  // Shared objects are converted once: an object left unconverted on an earlier page may also be on this one.
  const [left] = converter.converted.left;
  if (left !== undefined) throw new RasterisationRequired(`it has ${left}`);
  const notes = replaceMissingFonts(fonts, missing);
  const { upright, size } = uprightTrim(page);
  const entries: PdfDictionary = new Map<string, PdfValue>([
    ['Type', new Name('XObject')],
    ['Subtype', new Name('Form')],
    ['BBox', boxValues(mediaOf(page))],
    ['Resources', resources],
  ]);
  const group = page.dictionary.get('Group');
  if (group !== undefined) entries.set('Group', converter.group(group));
  const reach = paintedBox(document, page);
  return {
    made,
    art: flateStream(entries, content),
    upright,
    ...size,
    reach: reach && boxAround(corners(upright, reach))!,
    spots,
    notes,
  };
}

/**
 * Embeds substitutes for the missing fonts of a page.
 * @returns the changes
 * @throws RasterisationRequired if a font cannot be replaced
 */
function replaceMissingFonts(fonts: FontReplacer, missing: ReadonlySet<string>): string[] {
  fonts.writeFonts();
  const { replaced, left } = fonts.outcome;
  for (const name of missing)
    if (left.has(name) || !replaced.has(name))
      throw new RasterisationRequired(
        `its font ${name} is not embedded and was not replaced: ${left.get(name) ?? 'some of its text is unknown'}`,
      );
  return fontChanges({ replaced: new Map([...replaced].filter(([name]) => missing.has(name))), left });
}

/**
 * Returns the matrix that makes a page upright with the lower left corner of its trim at the origin, and the trim size.
 */
function uprightTrim(page: PdfPage): { readonly upright: Matrix; readonly size: Size } {
  const trim = intersection(trimOf(page), mediaOf(page)) ?? mediaOf(page);
  const upright = uprightMatrix(page, trim);
  const { left, right, bottom, top } = boxAround(corners(upright, trim))!;
  return { upright, size: { width: right - left, height: top - bottom } };
}

/** From page units to points, upright, from the lower left corner of the trim. */
function uprightMatrix({ rotate, userUnit: unit }: PdfPage, trim: Box): Matrix {
  const turned: Record<number, Matrix> = {
    0: [unit, 0, 0, unit, 0, 0],
    90: [0, -unit, unit, 0, 0, 0],
    180: [-unit, 0, 0, -unit, 0, 0],
    270: [0, unit, -unit, 0, 0, 0],
  };
  const matrix = turned[rotate]!;
  const box = boxAround(corners(matrix, trim))!;
  const [x, y] = transformPoint(matrix, 0, 0);
  return [matrix[0], matrix[1], matrix[2], matrix[3], x - box.left, y - box.bottom];
}

/** Rejects annotations, which viewers show in addition to the content. */
function rejectAnnotations(document: PdfDocument, page: PdfPage): void {
  const kinds = document
    .list(page.dictionary.get('Annots'))
    .map((one) => nameOf(document.get(document.dictionary(one), 'Subtype')));
  if (kinds.some((kind) => kind !== 'Link' && kind !== 'Popup'))
    throw new RasterisationRequired('it has annotations or form fields');
}

/** Collects the spot colours and the fonts that are not embedded. @throws RasterisationRequired for faulty content */
function inspectContent(document: PdfDocument, page: PdfPage): { spots: string[]; missing: Set<string> } {
  const spots = new Set<string>();
  const missing = new Set<string>();
  const problems = new Set<string>();
  interpretPage(document, page, {
    shared: createDocumentCache(),
    onProblem: (text) => problems.add(`its content ${text}`),
    onMark: ({ paint, font, isInvisible, kind }) => {
      for (const ink of paint.space.inks ?? paint.space.base?.inks ?? [])
        if (!/^(All|None|Cyan|Magenta|Yellow|Black)$/.test(ink)) spots.add(ink);
      if (kind !== 'text' || isInvisible) return;
      if (!font) problems.add('its text has no font');
      else if (!font.isEmbedded || font.isFileEmpty) missing.add(plainFontName(font.name));
    },
  });
  const [first] = problems;
  if (first !== undefined) throw new RasterisationRequired(first);
  return { spots: [...spots], missing };
}
