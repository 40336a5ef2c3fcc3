import { quickBoxMean } from '../pixels/box_mean.ts';
import { halve } from '../pixels/halve.ts';
import type { Plane } from '../pixels/plane.ts';
import { type Found, findPlacements } from './find_placement.ts';
import { findEnlarged, findTurns, findUpright } from './find_turns.ts';
import { findViews } from './find_views.ts';
import { wholeCells } from './mark_frame.ts';
import { HEADER_CHECK_BITS, MESSAGE_CHECK_BITS } from './message_class.ts';
import { type AlignedFrame, AS_WRITTEN, align, type Placement } from './placement.ts';
import { PATHS } from './polar_decoder.ts';
import { type MarkReading, readMark } from './read_mark.ts';
import { sharpenPlacement } from './sharpen_placement.ts';
import { spectrumOf } from './spectrum.ts';
import { CELL_PX } from './wavelet.ts';

export interface FoundMark extends MarkReading {
  readonly placement: Placement;
  /** The picture as it was read. */
  readonly aligned: AlignedFrame;
}

/**
 * Phases of the pilot that agree less than so many standard deviations do so by chance: of unmarked pictures the best of
 * all places reaches 5 and 6. Marks that were cut by a quarter and compressed reach 9 to 25.
 */
const PHASES_MIN = 6;
/** From here on a mark is there: it is read at once, and looked for harder where that fails. */
const PHASES_SURE = 8;
/** Placements that are read, of those that are sure and of the best of all. */
const PLACEMENTS_READ = 3;

/** Checks of one detection, at most: readings × steps × classes × spreads × paths, and readings × steps × paths. */
const READINGS = 1 + 2 * PLACEMENTS_READ + 1;
const CHECKS = { payload: READINGS * 3 * 23 * PATHS, id: READINGS * 3 * PATHS };
/** How probable it is that chance passes one of all checks of a detection. */
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
  const upright = alignAsWritten(frame);
  const direct = readMark(upright);
  let best: FoundMark | undefined = direct.header && { ...direct, placement: AS_WRITTEN, aligned: upright };
  if (best?.message) return best;
  if (!isMoved) return best;
  const found: Found[] = [];
  let sure = 0;
  for (const each of placementsIn(frame)) {
    const reading =
      each.score > PHASES_SURE && sure++ < PLACEMENTS_READ ? readAt(frame, each.placement) : undefined;
    if (reading?.message) return reading;
    best ??= reading;
    if (each.score > PHASES_MIN) found.push(each);
  }
  found.sort((a, b) => b.score - a.score);
  for (const { placement } of found.slice(0, PLACEMENTS_READ)) {
    const reading = readAt(frame, placement);
    if (reading?.message) return reading;
    best ??= reading;
  }
  const [surest] = found;
  if (best) return readSharpened(frame, best) ?? best;
  if (!surest || surest.score < PHASES_SURE) return undefined;
  return readAt(frame, sharpenPlacement(frame, surest.placement), true);
}

/**
 * The mark of a frame that lies as it was marked, mirrored or turned by quarters, at any place and half to twice as large: a tenth of
 * the whole search. Only where the pilot is sure, so that of frames without a mark nothing is read.
 */
export function findUprightMark(frame: Plane): FoundMark | undefined {
  const plain = whitenFrame(frame);
  const halved = halve(plain);
  const found = findUpright(spectrumOf(plain)).flatMap((candidate) => findPlacements(halved, candidate));
  for (const { placement } of found
    .filter(({ score }) => score > PHASES_SURE)
    .sort((a, b) => b.score - a.score)
    .slice(0, UPRIGHTS_READ)) {
    const reading = readAt(frame, placement);
    if (reading) return reading;
  }
  return undefined;
}

const UPRIGHTS_READ = 2;
/** How probable it is that chance passes one of the checks of an upright search. */
export const UPRIGHT_CHANCE = {
  payload: (UPRIGHTS_READ * 3 * PATHS) / 2 ** MESSAGE_CHECK_BITS,
  id: (UPRIGHTS_READ * 3 * PATHS) / 2 ** HEADER_CHECK_BITS,
} as const;

/** Where only the header can be read, what the message lacks may be parts of a pixel. */
function readSharpened(frame: Plane, { placement }: FoundMark): FoundMark | undefined {
  const reading = placement === AS_WRITTEN ? undefined : readAt(frame, sharpenPlacement(frame, placement));
  return reading?.message && reading;
}

/** Where the pilot may lie, the commonest first; each is only worked out when it is asked for. */
function* placementsIn(frame: Plane): Generator<Found> {
  const plain = whitenFrame(frame);
  const halved = halve(plain);
  for (const candidate of findTurns(spectrumOf(plain))) yield* findPlacements(halved, candidate);
  const small = whitenFrame(halve(frame));
  for (const candidate of findEnlarged(spectrumOf(small))) yield* findPlacements(small, candidate);
  for (const candidate of findViews(plain)) yield* findPlacements(halved, candidate);
}

function readAt(frame: Plane, placement: Placement, thorough = false): FoundMark | undefined {
  const aligned = align(frame, placement);
  const reading = aligned && readMark(aligned, thorough);
  return aligned && reading && (reading.message || reading.header)
    ? { ...reading, placement, aligned }
    : undefined;
}

function alignAsWritten(frame: Plane): AlignedFrame {
  const cells = wholeCells(frame);
  const grid = {
    columns: cells.width / CELL_PX,
    rows: cells.height / CELL_PX,
    firstColumn: 0,
    firstRow: 0,
  };
  return { frame: cells, grid, usable: new Uint8Array(grid.columns * grid.rows).fill(1) };
}

/**
 * Takes away what a picture shows and keeps what may be hidden in it: deviations from the surroundings, brought to the same
 * strength everywhere and bounded, so that edges do not drown plain areas.
 */
function whitenFrame(frame: Plane): Plane {
  const fine = quickBoxMean(quickBoxMean(frame, 2), 2).data;
  const size = new Float32Array(fine.length);
  for (let at = 0; at < fine.length; at++) {
    fine[at] = frame.data[at]! - fine[at]!;
    size[at] = Math.abs(fine[at]!);
  }
  const level = quickBoxMean({ ...frame, data: size }, 5).data;
  for (let at = 0; at < fine.length; at++) {
    const usual = level[at]! + 0.6;
    const bounded = Math.max(-1.6, Math.min(1.6, fine[at]! / usual));
    fine[at] = bounded * Math.min(1, 3 / usual);
  }
  return { ...frame, data: fine };
}
