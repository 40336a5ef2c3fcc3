import { findPlacements } from './find_placement.ts';
import { findTurns } from './find_turns.ts';
import { wholeCells } from './mark_frame.ts';
import { HEADER_CHECK_BITS, MESSAGE_CHECK_BITS } from './message_class.ts';
import { type AlignedFrame, AS_WRITTEN, align, type Placement } from './placement.ts';
import type { Plane } from './plane.ts';
import { type MarkReading, readMark } from './read_mark.ts';
import { spectrumOf } from './spectrum.ts';
import { CELL_PX } from './wavelet.ts';
import { whitened } from './whiten.ts';

export interface FoundMark extends MarkReading {
  readonly placement: Placement;
}

/**
 * Tones and phases of the pilot that agree less than so many standard deviations do so by chance. Of unmarked pictures the
 * best of all places reaches 5 and 6; marks that were cut by a quarter and compressed reach 7 and 11.
 */
const TONES_MIN = 4.8;
const PHASES_MIN = 6;
/** From here on a mark is there, and is looked for in every class even where its header cannot be read. */
const PHASES_SURE = 8;

/** Checks of one detection, at most: placements × steps × classes × spreads × paths, and placements × steps × paths. */
const CHECKS = { payload: 6 * 3 * 23 * 8, id: 6 * 3 * 8 };
/** That chance passes one of all checks of a detection. */
export const CHANCE = {
  payload: CHECKS.payload / 2 ** MESSAGE_CHECK_BITS,
  id: CHECKS.id / 2 ** HEADER_CHECK_BITS,
} as const;

/**
 * Reads the mark of a frame: first as if the picture had only been resized, then wherever the pilot is found. What is
 * returned agrees with its checksums: a message, or else a header alone; undefined where there is neither.
 * @param isMoved false leaves out the search, for pictures that are known to lie as they were marked
 */
export function findMark(frame: Plane, isMoved = true): FoundMark | undefined {
  const direct = readMark(asWritten(frame));
  if (direct.message) return { ...direct, placement: AS_WRITTEN };
  let best: FoundMark | undefined = direct.header && { ...direct, placement: AS_WRITTEN };
  if (!isMoved) return best;
  let surest: Tried = { score: PHASES_SURE, placement: AS_WRITTEN };
  const plain = whitened(frame);
  for (const { map, score: tones } of findTurns(spectrumOf(plain))) {
    if (tones < TONES_MIN) break;
    const [found] = findPlacements(plain, map).sort((a, b) => b.score - a.score);
    if (!found || found.score < PHASES_MIN) continue;
    const aligned = align(frame, found.placement);
    if (!aligned) continue;
    const { placement } = found;
    const reading = readMark(aligned);
    if (reading.message) return { ...reading, placement };
    if (reading.header) best ??= { ...reading, placement };
    if (found.score > surest.score) surest = { score: found.score, placement, aligned };
  }
  if (best || !surest.aligned) return best;
  const { placement } = surest;
  const reading = readMark(surest.aligned, true);
  return reading.message && { ...reading, placement };
}

interface Tried {
  readonly score: number;
  readonly placement: Placement;
  readonly aligned?: AlignedFrame;
}

function asWritten(frame: Plane): AlignedFrame {
  const cells = wholeCells(frame);
  const grid = {
    columns: cells.width / CELL_PX,
    rows: cells.height / CELL_PX,
    firstColumn: 0,
    firstRow: 0,
  };
  return { frame: cells, grid, usable: new Uint8Array(grid.columns * grid.rows).fill(1) };
}
