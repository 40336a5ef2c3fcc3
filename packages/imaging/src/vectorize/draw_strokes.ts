import { EngineError } from '../errors/engine_error.ts';
import type { Raster } from '../pixels/raster.ts';
import { centreLines } from './centre_lines.ts';
import { type Curve, fitCurve } from './fit_curve.ts';
import { inkMask } from './ink_depth.ts';
import { type LineErrors, lineErrors } from './line_errors.ts';
import { type PenInk, penInks } from './pen_inks.ts';
import type { CentreLine } from './place_middle.ts';
import type { Physical } from './sheet_size.ts';
import { planSheets } from './sheets.ts';
import type { Sketch } from './sketch.ts';
import { splitWide, wideShare } from './split_wide.ts';
import { nodesOf } from './write_svg.ts';

/** What one pen or one setting of a machine draws; lengths in traced pixels. */
export interface Strokes {
  readonly color: readonly number[];
  /** Middle lines, closed where they end where they start. */
  readonly lines: readonly Curve[];
  /** How wide the ink is that each line stands for. */
  readonly widths: readonly number[];
  /** Outlines of ink too wide for a line, to be filled. */
  readonly areas: readonly Curve[];
}

export interface DrawnStrokes {
  readonly pens: readonly Strokes[];
  readonly nodeCount: number;
  readonly errors: LineErrors;
  readonly notes: readonly string[];
}

/** Strokes up to this width are lines to a laser, wider ink areas; and what is wider than this to a pen is worth a word. */
const LINE_MM_MAX = 1;
const WIDE_MM = 2;
const WIDE_SHARE = 0.1;
/** How far, in pixels, a curve may pass from the middle of its ink. */
const TOLERANCE_PX = 0.4;

/** Draws the ink of a sketch as lines along the middle of its strokes: all of it for a plotter, for engraving what is narrow. */
export function drawStrokes(sketch: Sketch, { purpose, widthMm }: Physical): DrawnStrokes {
  const pixelMm = widthMm / sketch.picture.width;
  const inks = penInks(sketch);
  const errors = lineErrors();
  let [wide, all] = [0, 0];
  const pens = inks.map((ink) => {
    const mask = inkMask(ink.shares, (pixel) => ink.labels[pixel]! >= 0);
    const lines = centreLines(mask, ink.shares);
    if (purpose === 'plot') {
      const share = wideShare(mask, WIDE_MM / pixelMm / 2);
      wide += share.wide;
      all += share.all;
      return strokesOf(ink, lines, [], errors);
    }
    const split = splitWide(mask, lines, LINE_MM_MAX / pixelMm / 2);
    return strokesOf(ink, split.lines, areaOutlines(sketch.picture, ink, split.labels), errors);
  });
  if (nodesOfPens(pens) === 0) throw new EngineError('unsuitable_image', NO_INK);
  return {
    pens: pens.filter(({ lines, areas }) => lines.length + areas.length > 0),
    nodeCount: nodesOfPens(pens),
    errors,
    notes: wide > WIDE_SHARE * all ? [wideNote(wide / all)] : [],
  };
}

const nodesOfPens = (pens: readonly Strokes[]): number =>
  pens.reduce((sum, { lines, areas }) => sum + nodesOf(lines) + nodesOf(areas), 0);

const NO_INK =
  'No ink was found to draw: the picture is of one tone, or its marks are smaller than filter_speckle or of the colour of the paper. Send a picture with dark strokes on a light ground, lower filter_speckle, or name the colours of the strokes as palette.';

const wideNote = (share: number): string =>
  `${Math.round(100 * share)} % of the ink lies in areas wider than ${WIDE_MM} mm, of which a plot has the middle line only; purpose "engrave" fills what is wide.`;

function strokesOf(
  { color }: PenInk,
  lines: readonly CentreLine[],
  areas: readonly Curve[],
  errors: LineErrors,
): Strokes {
  const curves = lines.map(({ points }) => fitCurve(points.slice(), TOLERANCE_PX));
  for (const [index, curve] of curves.entries()) errors.add(curve, lines[index]!.points);
  return { color, lines: curves, widths: lines.map(medianWidth), areas };
}

function medianWidth({ widths }: CentreLine): number {
  const told = widths.filter((width) => !Number.isNaN(width)).sort();
  return told[told.length >> 1] ?? 1;
}

function areaOutlines(picture: Raster, { color }: PenInk, labels: Int32Array): readonly Curve[] {
  if (!labels.includes(0)) return [];
  const { width, height } = picture;
  const sheets = planSheets(
    { picture, areas: { width, height, labels, count: 1 }, fills: [{ color }] },
    false,
  );
  return sheets.layers().flatMap(({ outlines }) => outlines);
}
