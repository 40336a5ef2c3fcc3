import { EngineError } from '../errors/engine_error.ts';
import { straighten } from './curve.ts';
import type { Curve } from './fit_curve.ts';
import { STRAIGHT_POINTS_MAX } from './limits.ts';
import { type Offset, offsetKerf } from './offset_kerf.ts';
import { orderCuts, travelThrough } from './order_cuts.ts';
import type { Physical, Sheet, SheetSize } from './sheet_size.ts';
import { writeDxf } from './write_dxf.ts';
import { writeLayeredSvg } from './write_layered_svg.ts';
import { hex, nodesOf, type Shape } from './write_svg.ts';

export interface SheetMeasures {
  readonly widthMm: number;
  readonly heightMm: number;
  /** Colours of the layers, the lowest first. */
  readonly layers: readonly string[];
  readonly cut?: CutMeasures;
}

export interface CutMeasures {
  readonly kerfMm: number;
  /** How far straight pieces may pass from the curves they stand for; 0 where curves are curves. */
  readonly toleranceMm: number;
  readonly cutMm: number;
  /** The way between outlines, in the order they were found and in that of the file. */
  readonly travelFoundMm: number;
  readonly travelMm: number;
}

/**
 * A drawing in millimetres, one layer a colour: shapes of ink, or lines to cut in the order of cutting.
 * @throws EngineError unsuitable_image where the kerf would take everything away
 */
export function writeSheets(shapes: readonly Shape[], size: SheetSize, physical: Physical) {
  const drawn = shapes.map(({ fill, outlines }) => ({
    color: hex('color' in fill ? fill.color : fill.stops[0]!),
    outlines: outlines.map(size.toMm),
  }));
  if (physical.kerfMm > 0 || physical.format === 'dxf') refuseManyPoints(drawn, size);
  const { sheets, notes, cut } =
    physical.purpose === 'cut' ? cutSheets(drawn, size, physical) : { sheets: drawn, notes: [] };
  const { widthMm, heightMm } = size;
  const layers = sheets.map(({ color }) => color);
  return {
    svg: writeLayeredSvg(sheets, size, physical),
    ...(physical.format === 'dxf' && { dxf: writeDxf(sheets, size, physical) }),
    pathCount: cut ? sheets.reduce((sum, { outlines }) => sum + outlines.length, 0) : sheets.length,
    nodeCount: sheets.reduce((sum, { outlines }) => sum + nodesOf(outlines), 0),
    notes,
    sheets: { widthMm, heightMm, layers, ...(cut && { cut }) },
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
          `In straight pieces, as kerf_mm and DXF need them, the drawing has more than ${STRAIGHT_POINTS_MAX} points. Raise filter_speckle, lower color_precision, or send a smoother picture.`,
        );
    }
}

const ORIGIN = [0, 0] as const;

function cutSheets(drawn: readonly Sheet[], size: SheetSize, { kerfMm, format }: Physical) {
  const moved = kerfMm > 0 ? drawn.map(({ outlines }) => offsetKerf(outlines, kerfMm, size)) : [];
  refuseWideKerf(moved, kerfMm);
  const found = drawn.map((sheet, index) => ({
    ...sheet,
    ...(moved[index] && { outlines: moved[index].outlines }),
  }));
  let [travelFoundMm, travelMm] = [0, 0];
  const sheets = found.map(({ color, outlines }) => {
    // Each layer is a sheet of its own, which the tool comes to from the origin.
    travelFoundMm += travelThrough(outlines, ORIGIN);
    const path = orderCuts(outlines, ORIGIN);
    travelMm += path.travel;
    return { color, outlines: path.outlines };
  });
  const cut: CutMeasures = {
    kerfMm,
    toleranceMm: kerfMm > 0 || format === 'dxf' ? size.toleranceMm : 0,
    cutMm: round(
      sheets.flatMap(({ outlines }) => outlines).reduce((sum, outline) => sum + lengthOf(outline, size), 0),
    ),
    travelFoundMm: round(travelFoundMm),
    travelMm: round(travelMm),
  };
  return { sheets, cut, notes: kerfNotes(moved, kerfMm) };
}

function refuseWideKerf(moved: readonly Offset[], kerfMm: number): void {
  if (moved.length === 0 || moved.some(({ parts, narrowParts }) => narrowParts < parts)) return;
  throw new EngineError(
    'unsuitable_image',
    `Every part of the drawing is narrower than the kerf of ${kerfMm} mm, so nothing would be left of it. Ask for a larger width_mm, or lower kerf_mm to what the tool really takes away.`,
  );
}

function kerfNotes(moved: readonly Offset[], kerfMm: number): string[] {
  const sum = (of: (offset: Offset) => number): number => moved.reduce((all, offset) => all + of(offset), 0);
  const counted = (count: number, noun: string, [one, many]: readonly [string, string]): string[] =>
    count === 0 ? [] : [count === 1 ? `1 ${noun} ${one}` : `${count} ${noun}s ${many}`];
  const told = [
    ...counted(
      sum(({ narrowParts }) => narrowParts),
      'part',
      ['is narrower', 'are narrower'],
    ),
    ...counted(
      sum(({ lostHoles }) => lostHoles),
      'hole',
      ['is narrower and was left out', 'are narrower and were left out'],
    ),
    ...counted(
      sum(({ joinedParts }) => joinedParts),
      'part',
      ['lies nearer to another and became one with it', 'lie nearer to another and became one with it'],
    ),
  ];
  return told.length === 0 ? [] : [`The kerf is ${kerfMm} mm: ${told.join('; ')}.`];
}

function lengthOf(outline: Curve, { toleranceMm }: SheetSize): number {
  const points = straighten(outline, toleranceMm);
  let length = 0;
  for (let at = 2; at < points.length; at += 2)
    length += Math.hypot(points[at]! - points[at - 2]!, points[at + 1]! - points[at - 1]!);
  return length;
}

const round = (length: number): number => Math.round(length * 10) / 10;
