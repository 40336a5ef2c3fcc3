import type { ColorLink } from '../../color/color_link.ts';
import { SVG_DPI } from '../../decoders/limits.ts';
import type { DecoderResources } from '../../decoders/types.ts';
import { foreignFormatOf } from '../../identify/foreign_format.ts';
import type { NewPackets } from '../../metadata/containers/new_packets.ts';
import type { Box } from '../../preflight/content/matrix.ts';
import { NewDocument } from '../../preflight/convert/new_document.ts';
import { PressColors } from '../../preflight/convert/press_colors.ts';
import type { PdfDictionary, PdfValue } from '../../preflight/pdf/values.ts';
import { preflightFile } from '../../preflight/preflight_file.ts';
import type { Finding } from '../../preflight/types.ts';
import type { ReadFont } from '../../typography/open_fonts.ts';
import { markStrokes, pageBoxes } from '../page_marks.ts';
import type { SheetPlan } from '../plan_sheet.ts';
import type { PrintCondition } from '../sheet_file.ts';
import { ALL_INKS_SPACE } from '../write_pdf.ts';
import { drawSvg } from './draw_svg.ts';
import { type LiveArt, RasterisationRequired } from './live_art.ts';
import { pageArt } from './page_art.ts';
import { placeArt } from './place_art.ts';
import { parsePdfValue, printDocument } from './print_document.ts';
import { readSvgDrawing } from './svg_drawing.ts';

export interface VectorSheetRequest {
  readonly plan: SheetPlan;
  readonly hasMarks: boolean;
  /** Page of a PDF, from 1. Default: the first. */
  readonly page?: number | undefined;
  readonly condition: PrintCondition;
  /** From sRGB to the inks of the printing condition, neutral colours in black only. */
  readonly fromSrgb: ColorLink;
  readonly software: string;
  readonly title: string;
  /** ISO 8601, whole seconds, UTC. */
  readonly createdAt: string;
  /** A UUID. */
  readonly documentId: string;
  readonly carried?: NewPackets | undefined;
}

export interface VectorSheet {
  readonly bytes: Uint8Array;
  readonly spots: readonly string[];
  /** Changes to the content, as sentences. */
  readonly notes: readonly string[];
  /** Maximum total area coverage of colours specified in inks, in per cent. */
  readonly inkPercent: number | undefined;
  /** Remaining preflight errors and warnings. */
  readonly findings: readonly Finding[];
}

const POINTS_PER_INCH = 72;

/** Tests whether a file may be printed with live text and vectors. */
export const isLiveFormat = (bytes: Uint8Array): boolean => /^(svg|pdf)$/.test(foreignFormatOf(bytes) ?? '');

/**
 * Writes a PDF/X-4 sheet on which an SVG or a PDF page keeps its text and vectors. The result is checked by the PDF/X-4
 * preflight.
 * @returns the reason why it must be rasterised, as a clause
 * @throws EngineError unsuitable_image for a rejected SVG, undecodable_image
 */
export async function vectorSheet(
  bytes: Uint8Array,
  request: VectorSheetRequest,
  resources: Pick<DecoderResources, 'readModule' | 'readFonts'> & { readonly readFont: ReadFont },
): Promise<VectorSheet | string> {
  try {
    const colors = new PressColors(request.fromSrgb);
    const isSvg = foreignFormatOf(bytes) === 'svg';
    const live = isSvg
      ? await svgArt(bytes, colors, resources)
      : await pageArt(bytes, { colors, readFont: resources.readFont }, (request.page ?? 1) - 1);
    const sheet = writeSheet(live, request);
    const { findings, ink } = await preflightFile({ bytes: sheet, standard: 'pdfx4' });
    const fault = findings.find(({ severity, rule }) => severity === 'error' && !LOW_DPI.test(rule));
    if (fault)
      throw new RasterisationRequired(`it does not conform to PDF/X-4 (${fault.message.replace(/\.$/, '')})`);
    return {
      bytes: sheet,
      spots: live.spots,
      notes: live.notes,
      inkPercent: ink.mostPercent,
      findings: findings.filter(({ severity }) => severity !== 'info'),
    };
  } catch (error) {
    if (error instanceof RasterisationRequired) return error.message;
    throw error;
  }
}

/** Image faults that rasterising the whole page would not fix. */
const LOW_DPI = /^(image_below_150_dpi|image_below_225_dpi|line_art_below_550_dpi)$/;

/** Converts an SVG to artwork. @throws RasterisationRequired, EngineError unsuitable_image, undecodable_image, image_too_large */
export async function svgArt(
  bytes: Uint8Array,
  colors: PressColors,
  resources: Pick<DecoderResources, 'readModule' | 'readFonts'>,
  made = new NewDocument(),
): Promise<LiveArt> {
  const drawing = await readSvgDrawing(bytes, resources);
  const { art, technical, spots } = await drawSvg(drawing, { colors, made });
  const unit = POINTS_PER_INCH / SVG_DPI;
  const [width, height] = [drawing.width * unit, drawing.height * unit];
  return {
    made,
    art,
    technical,
    upright: [unit, 0, 0, unit, 0, 0],
    width,
    height,
    reach: { left: 0, bottom: 0, right: width, top: height },
    spots,
    notes: [],
  };
}

function writeSheet(live: LiveArt, request: VectorSheetRequest): Uint8Array {
  const boxes = pageBoxes(request.plan, request.hasMarks);
  const [media, bleed, trim] = [boxes.media, boxes.bleed, boxes.trim].map(
    ({ x, y, width, height }): Box => ({ left: x, bottom: y, right: x + width, top: y + height }),
  ) as [Box, Box, Box];
  const { forms, content } = placeArt(live, { fit: request.plan.fit, trim, bleed, media });
  const marks = request.hasMarks ? markStrokes(request.plan, boxes) : '';
  return assembleSheet(live.made, request, { media, bleed, trim, forms, content: `${content}${marks}` });
}

interface Page {
  readonly media: Box;
  readonly bleed: Box;
  readonly trim: Box;
  readonly forms: PdfDictionary;
  readonly content: string;
}

function assembleSheet(made: NewDocument, request: VectorSheetRequest, page: Page): Uint8Array {
  const colors = new Map<string, PdfValue>([['AllInks', parsePdfValue(ALL_INKS_SPACE)]]);
  return made.write(
    printDocument(made, request, [
      {
        ...page,
        resources: new Map([
          ['XObject', page.forms],
          ['ColorSpace', colors],
        ]),
      },
    ]),
  );
}
