import type { Strokes } from './draw_strokes.ts';
import { orderLines, travelOf } from './order_lines.ts';
import { lengthMm, type Physical, roundMm, type Sheet, type SheetSize } from './sheet_size.ts';
import { hex } from './write_svg.ts';

/** Of lines along the middle of strokes. */
export interface LineMeasures {
  /** How far straight pieces may pass from the curves they stand for; 0 where curves are curves. */
  readonly toleranceMm: number;
  readonly drawnMm: number;
  /** The way without drawing between lines, in the order they were found and in that of the file. */
  readonly travelFoundMm: number;
  readonly travelMm: number;
}

/** Lasers' programs tell settings by colour: black is filled, blue is a line that does not cut through. */
const SCORE = '#00f';
const ORIGIN = [0, 0] as const;

/** Sheets of areas, and of lines in the order of drawing, each from the origin. */
export function strokeSheets(pens: readonly Strokes[], size: SheetSize, { purpose, format }: Physical) {
  let [drawnMm, travelFoundMm, travelMm] = [0, 0, 0];
  const sheets = pens.flatMap(({ color, lines, areas }): Sheet[] => {
    const found = lines.map(size.toMm);
    const { outlines, travel } = orderLines(found, ORIGIN);
    travelFoundMm += travelOf(found, ORIGIN);
    travelMm += travel;
    drawnMm += outlines.reduce((sum, line) => sum + lengthMm(line, size), 0);
    const name = hex(color);
    const lineName = purpose === 'engrave' && pens.length === 1 ? SCORE : name;
    return [
      { color: name, outlines: areas.map(size.toMm), drawn: 'areas' as const },
      { color: lineName, outlines, drawn: 'lines' as const },
    ].filter((sheet) => sheet.outlines.length > 0);
  });
  const lines: LineMeasures = {
    toleranceMm: format === 'dxf' ? size.toleranceMm : 0,
    drawnMm: roundMm(drawnMm),
    travelFoundMm: roundMm(travelFoundMm),
    travelMm: roundMm(travelMm),
  };
  return { sheets, lines };
}
