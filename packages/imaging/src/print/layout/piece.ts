import type { Size } from '../../pixels/plane.ts';
import type { Box, Matrix } from '../../preflight/content/matrix.ts';
import { pointsOf, transformPoint } from '../../preflight/content/matrix.ts';
import { flateStream } from '../../preflight/convert/flate_stream.ts';
import type { NewDocument } from '../../preflight/convert/new_document.ts';
import { writeNumber } from '../../preflight/convert/write_value.ts';
import { Name, type PdfDictionary, type PdfValue, type Reference } from '../../preflight/pdf/values.ts';
import type { Curve } from '../../vectorize/fit_curve.ts';
import type { LiveArt } from '../vector/live_art.ts';
import { placeArt } from '../vector/place_art.ts';
import { boxValues, parsePdfValue } from '../vector/print_document.ts';

/** A piece as form XObject, with the lower left corner of its trim at the origin. */
export interface PieceForm {
  readonly form: Reference;
  readonly spots: readonly string[];
}

/** Cut contour of a sticker, and the layer under its artwork. */
export interface PieceCut {
  /** In millimetres from the lower left corner of the trim. */
  readonly curves: readonly Curve[];
  /** Scale in millimetres per unit of the artwork, and position of its lower left corner. */
  readonly placement: { readonly scale: number; readonly x: number; readonly y: number };
  /** Edge colours of the artwork, extended beyond the cut. */
  readonly extendedColors?: { readonly image: Reference; readonly at: Box } | undefined;
}

interface PieceOptions {
  readonly made: NewDocument;
  readonly sizeMm: Size;
  readonly bleedMm: number;
  readonly fit: 'cover' | 'contain';
  readonly cut?: PieceCut | undefined;
}

/** Spot colour of the cut contour. Alternate colour: magenta. */
const CUT_SPACE =
  '[/Separation /CutContour /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 0 0] /N 1 >>]';
const CUT_NAME = 'CutContour';
/** Line width that cutting software expects. */
const CUT_WIDTH_PT = 0.25;

/** Writes artwork as a piece: fitted to its trim, with bleed and cut contour. */
export function makePiece(live: LiveArt, { made, sizeMm, bleedMm, fit, cut }: PieceOptions): PieceForm {
  const [width, height, beyond] = [sizeMm.width, sizeMm.height, bleedMm].map(pointsOf) as [
    number,
    number,
    number,
  ];
  const trim: Box = { left: 0, bottom: 0, right: width, top: height };
  const bleed: Box = { left: -beyond, bottom: -beyond, right: width + beyond, top: height + beyond };
  const placement = cut && {
    scale: pointsOf(cut.placement.scale),
    x: pointsOf(cut.placement.x),
    y: pointsOf(cut.placement.y),
  };
  const { forms, content } = placeArt(live, { fit, trim, bleed, media: bleed, placement });
  const resources: PdfDictionary = new Map<string, PdfValue>([['XObject', forms]]);
  const pieces = [content];
  if (cut?.extendedColors) {
    forms.set('Under', cut.extendedColors.image);
    pieces.unshift(imageAt('Under', cut.extendedColors.at));
  }
  if (cut) {
    const over = new Map<string, PdfValue>([
      ['OP', true],
      ['op', true],
      ['OPM', 1],
    ]);
    resources.set('ColorSpace', new Map([['Cut', parsePdfValue(CUT_SPACE)]]));
    resources.set('ExtGState', new Map([['Over', over]]));
    pieces.push(`q /Over gs /Cut CS 1 SCN ${CUT_WIDTH_PT} w 1 j 1 J\n${cut.curves.map(pathOf).join('')}Q\n`);
  }
  const form = made.add(
    flateStream(
      new Map<string, PdfValue>([
        ['Type', new Name('XObject')],
        ['Subtype', new Name('Form')],
        ['BBox', boxValues(bleed)],
        ['Resources', resources],
      ]),
      Buffer.from(pieces.join(''), 'latin1'),
    ),
  );
  return { form, spots: cut ? [...live.spots, CUT_NAME] : live.spots };
}

const imageAt = (name: string, { left, bottom, right, top }: Box): string =>
  `q ${[right - left, 0, 0, top - bottom, left, bottom].map((mm) => writeNumber(pointsOf(mm))).join(' ')} cm /${name} Do Q\n`;

/** Operators of one closed curve. */
function pathOf(curve: Curve): string {
  const at = (index: number): string => writeNumber(pointsOf(curve[index]!));
  const pieces = [`${at(0)} ${at(1)} m\n`];
  for (let from = 2; from < curve.length; from += 6) {
    const isStraight = Number.isNaN(curve[from]);
    const numbers = isStraight ? [from + 4, from + 5] : [0, 1, 2, 3, 4, 5].map((step) => from + step);
    pieces.push(`${numbers.map(at).join(' ')} ${isStraight ? 'l' : 'c'}\n`);
  }
  return `${pieces.join('')}s\n`;
}

/** From piece to paper coordinates, both in the same unit. */
export const placedMatrix = (
  { x, y, isTurned }: { readonly x: number; readonly y: number; readonly isTurned: boolean },
  height: number,
): Matrix => (isTurned ? [0, 1, -1, 0, x + height, y] : [1, 0, 0, 1, x, y]);

/** Transforms a curve by a matrix. */
export function transformCurve(curve: Curve, matrix: Matrix): Curve {
  const moved: Curve = [];
  for (let at = 0; at < curve.length; at += 2)
    moved.push(...transformPoint(matrix, curve[at]!, curve[at + 1]!));
  return moved;
}
