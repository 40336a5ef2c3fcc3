import { EngineError } from '../errors/engine_error.ts';
import { bridgeIslands } from './bridge_islands.ts';
import { type Offset, offsetKerf } from './offset_kerf.ts';
import { orderCuts, travelThrough } from './order_cuts.ts';
import { lengthMm, type Physical, roundMm, type Sheet, type SheetSize } from './sheet_size.ts';

const ORIGIN = [0, 0] as const;

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
 * Sheets of closed outlines with room for the tool, in the order of cutting.
 * @throws EngineError unsuitable_image where the kerf would take everything away
 */
export function cutSheets(
  outlined: readonly Sheet[],
  size: SheetSize,
  { kerfMm, bridgeMm, format }: Physical,
) {
  const stencils =
    bridgeMm > 0 ? outlined.map(({ outlines }) => bridgeIslands(outlines, bridgeMm, size)) : [];
  const drawn = outlined.map((sheet, index) => ({
    ...sheet,
    outlines: stencils[index]?.outlines ?? sheet.outlines,
  }));
  const moved =
    kerfMm > 0 ? drawn.map(({ outlines }) => offsetKerf(outlines, kerfMm, size, bridgeMm > 0)) : [];
  refuseWideKerf(moved, kerfMm);
  const found = drawn.map((sheet, index) => ({
    ...sheet,
    ...(moved[index] && { outlines: moved[index].outlines }),
  }));
  let [travelFoundMm, travelMm] = [0, 0];
  const sheets = found.map(({ outlines, ...sheet }) => {
    // Each layer is a sheet of its own, which the tool comes to from the origin.
    travelFoundMm += travelThrough(outlines, ORIGIN);
    const path = orderCuts(outlines, ORIGIN);
    travelMm += path.travel;
    return { ...sheet, outlines: path.outlines };
  });
  const cut: CutMeasures = {
    kerfMm,
    toleranceMm: kerfMm > 0 || bridgeMm > 0 || format === 'dxf' ? size.toleranceMm : 0,
    cutMm: roundMm(
      sheets.flatMap(({ outlines }) => outlines).reduce((sum, outline) => sum + lengthMm(outline, size), 0),
    ),
    travelFoundMm: roundMm(travelFoundMm),
    travelMm: roundMm(travelMm),
  };
  const bridges = {
    islands: stencils.reduce((sum, { islands }) => sum + islands, 0),
    bridges: stencils.reduce((sum, own) => sum + own.bridges, 0),
  };
  return { sheets, cut, ...(bridgeMm > 0 && { bridges }), notes: kerfNotes(moved, kerfMm) };
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
