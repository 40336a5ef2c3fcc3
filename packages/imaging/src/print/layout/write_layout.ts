import type { Size } from '../../pixels/plane.ts';
import { type Box, pointsOf } from '../../preflight/content/matrix.ts';
import type { NewDocument } from '../../preflight/convert/new_document.ts';
import { writeNumber } from '../../preflight/convert/write_value.ts';
import type { PdfValue } from '../../preflight/pdf/values.ts';
import { matrixText } from '../vector/affine.ts';
import { clipTo } from '../vector/place_art.ts';
import {
  type DocumentPage,
  type DocumentProperties,
  parsePdfValue,
  printDocument,
} from '../vector/print_document.ts';
import { ALL_INKS_SPACE } from '../write_pdf.ts';
import { type PieceForm, placedMatrix } from './piece.ts';
import { strokeText } from './stroke_text.ts';
import type { Line, PagePlan, Rect } from './types.ts';

const MARK_WIDTH_PT = 0.25;
const LABEL_WIDTH_PT = 0.5;
const DASH_PT = 4;

/** Writes pages that draw the pieces of a plan. @returns argument of `NewDocument.write` */
export function writeLayout(
  made: NewDocument,
  request: DocumentProperties,
  { pages, pieces, sizeMm }: { pages: readonly PagePlan[]; pieces: readonly PieceForm[]; sizeMm: Size },
): Parameters<NewDocument['write']>[0] {
  const allInks = made.add(parsePdfValue(ALL_INKS_SPACE));
  const written = pages.map((page): DocumentPage => {
    const used = new Set(page.placed.map(({ piece }) => piece));
    const forms = new Map([...used].map((piece) => [`P${piece}`, pieces[piece]!.form as PdfValue]));
    const placed = page.placed.map((one) => {
      const matrix = placedMatrix(
        { x: pointsOf(one.x), y: pointsOf(one.y), isTurned: one.isTurned },
        pointsOf(sizeMm.height),
      );
      return `q ${clipTo(boxOf(one.clip))} ${matrixText(matrix)} cm /P${one.piece} Do Q\n`;
    });
    const labels = page.labels.flatMap(strokeText);
    return {
      media: boxOf({ left: 0, bottom: 0, right: page.paper.width, top: page.paper.height }),
      bleed: boxOf(page.bleed),
      trim: boxOf(page.trim),
      resources: new Map<string, PdfValue>([
        ['XObject', forms],
        ['ColorSpace', new Map([['AllInks', allInks]])],
      ]),
      content: [
        ...placed,
        strokes('/AllInks CS 1 SCN', MARK_WIDTH_PT, page.marks),
        strokes(`0 0 0 1 K [${DASH_PT} ${DASH_PT}] 0 d`, MARK_WIDTH_PT, page.dashes),
        strokes('0 0 0 1 K 1 J 1 j', LABEL_WIDTH_PT, labels),
      ].join(''),
    };
  });
  return printDocument(made, request, written);
}

function strokes(pen: string, width: number, lines: readonly Line[]): string {
  if (lines.length === 0) return '';
  const text = lines.map((line) => {
    const [x1, y1, x2, y2] = line.map((mm) => writeNumber(pointsOf(mm)));
    return `${x1} ${y1} m ${x2} ${y2} l S\n`;
  });
  return `q ${pen} ${width} w\n${text.join('')}Q\n`;
}

const boxOf = ({ left, bottom, right, top }: Rect): Box => ({
  left: pointsOf(left),
  bottom: pointsOf(bottom),
  right: pointsOf(right),
  top: pointsOf(top),
});
