import { EngineError } from '../errors/engine_error.ts';
import { straighten } from './curve.ts';
import { type CutMeasures, cutSheets } from './cut_sheets.ts';
import type { Strokes } from './draw_strokes.ts';
import { STRAIGHT_POINTS_MAX } from './limits.ts';
import type { Physical, Sheet, SheetSize } from './sheet_size.ts';
import { type LineMeasures, strokeSheets } from './stroke_sheets.ts';
import { writeDxf } from './write_dxf.ts';
import { writeLayeredSvg } from './write_layered_svg.ts';
import { hex, nodesOf, type Shape } from './write_svg.ts';
import { writeVectorPdf } from './write_vector_pdf.ts';

export interface SheetMeasures {
  readonly widthMm: number;
  readonly heightMm: number;
  /** Colours of the layers, the lowest first. */
  readonly layers: readonly string[];
  readonly cut?: CutMeasures;
  /** Of a stencil: the parts that would have fallen out, and the bridges that hold them. */
  readonly bridges?: { readonly islands: number; readonly bridges: number };
  readonly lines?: LineMeasures;
}

/**
 * A drawing in millimetres, one layer a colour: shapes of ink, or lines to cut in the order of cutting.
 * @throws EngineError unsuitable_image where the kerf would take everything away
 */
export function writeSheets(shapes: readonly Shape[], size: SheetSize, physical: Physical) {
  const isCut = physical.purpose === 'cut';
  const drawn: Sheet[] = shapes.map(({ fill, outlines }) => ({
    color: hex('color' in fill ? fill.color : fill.stops[0]!),
    outlines: outlines.map(size.toMm),
    drawn: isCut ? 'lines' : 'areas',
  }));
  if (physical.kerfMm > 0 || physical.bridgeMm > 0 || physical.format === 'dxf')
    refuseManyPoints(drawn, size);
  const { sheets, notes, ...measures } = isCut
    ? cutSheets(drawn, size, physical)
    : { sheets: drawn, notes: [] };
  return {
    ...writeFiles(sheets, size, physical),
    notes,
    sheets: { ...measuresOf(sheets, size), ...measures },
  };
}

/** Lines along the middle of strokes in millimetres, and areas beside them, in the order of drawing. */
export function writeStrokes(pens: readonly Strokes[], size: SheetSize, physical: Physical) {
  const { sheets, lines } = strokeSheets(pens, size, physical);
  if (physical.format === 'dxf') refuseManyPoints(sheets, size);
  return { ...writeFiles(sheets, size, physical), notes: [], sheets: { ...measuresOf(sheets, size), lines } };
}

const measuresOf = (sheets: readonly Sheet[], { widthMm, heightMm }: SheetSize) => ({
  widthMm,
  heightMm,
  layers: sheets.map(({ color }) => color),
});

function writeFiles(sheets: readonly Sheet[], size: SheetSize, physical: Physical) {
  const { format } = physical;
  return {
    svg: writeLayeredSvg(sheets, size, physical),
    ...(format === 'dxf' && { file: Buffer.from(writeDxf(sheets, size, physical)) }),
    ...(format === 'pdf' && { file: writeVectorPdf(sheets, size, physical) }),
    pathCount: sheets.reduce(
      (sum, { outlines, drawn }) => sum + (drawn === 'lines' ? outlines.length : 1),
      0,
    ),
    nodeCount: sheets.reduce((sum, { outlines }) => sum + nodesOf(outlines), 0),
  };
}

/** Curves become several straight pieces each, so that the bound on their nodes says little. */
function refuseManyPoints(drawn: readonly Sheet[], { toleranceMm }: SheetSize): void {
  let points = 0;
  for (const { outlines } of drawn)
    for (const outline of outlines) {
      points += straighten(outline, toleranceMm / 3).length / 2;
      if (points > STRAIGHT_POINTS_MAX)
        throw new EngineError(
          'unsuitable_image',
          `In straight pieces, as kerf_mm, bridges and DXF need them, the drawing has more than ${STRAIGHT_POINTS_MAX} points. Raise filter_speckle, lower color_precision, or send a smoother picture.`,
        );
    }
}
