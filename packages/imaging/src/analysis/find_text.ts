import type { Planes } from './planes.ts';

/** L*: a stroke of writing stands out from its sheet by at least this. */
const STROKE = 22;
/** Heights of a line of writing, as parts of the picture's height. */
const HEIGHTS = { min: 0.008, max: 0.12 };
/** Strokes of a line for each time its height along it. */
const STROKES = { min: 0.7, max: 4.5 };
/** Changes of a row: a line of writing has many letters. */
const CHANGES_MIN = 9;

/**
 * How many lines of marks look like writing: level strips, clear above and below, in which dark and light change as often
 * as between strokes of letters. Source: the projection profiles of document analysis (Wong, Casey and Wahl, 1982).
 */
export function findTextLines({ width, height, lightness }: Planes): number {
  if (Math.min(width, height) < 48) return 0;
  const changes = changesByRow(lightness, width, height);
  let lines = 0;
  for (const block of blocksOf(width)) {
    const strips = stripsOf(changes, width, height, block);
    const written = strips.filter(
      (strip) => isWriting(strip, height, block) && isInkOnGround(lightness, width, height, strip),
    );
    lines = Math.max(lines, sameHeight(written));
  }
  return lines >= 1 ? lines : 0;
}

interface Block {
  readonly from: number;
  readonly to: number;
}

/** The whole width, its halves and its middle: writing seldom fills the whole sheet. */
function blocksOf(width: number): Block[] {
  const at = (part: number) => Math.round(part * width);
  return [
    { from: 0, to: width },
    { from: 0, to: at(0.5) },
    { from: at(0.5), to: width },
    { from: at(0.25), to: at(0.75) },
  ];
}

/** 1 where a pixel differs strongly from the one two to its left. */
function changesByRow(lightness: Float32Array, width: number, height: number): Uint8Array {
  const changes = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 2; x < width; x++) {
      const at = y * width + x;
      const step = lightness[at]! - lightness[at - 2]!;
      const before = lightness[at - 1]! - lightness[Math.max(y * width, at - 3)]!;
      // One change for each rise or fall, however many pixels it takes.
      if (Math.abs(step) > STROKE && !(Math.abs(before) > STROKE && step * before > 0)) changes[at] = 1;
    }
  return changes;
}

interface Strip {
  readonly top: number;
  readonly height: number;
  /** First column with a change. */
  readonly left: number;
  /** Mean changes of a row. */
  readonly changes: number;
  /** Pixels from the first to the last change. */
  readonly length: number;
}

function stripsOf(changes: Uint8Array, width: number, height: number, { from, to }: Block): Strip[] {
  const strips: Strip[] = [];
  const rows = Array.from({ length: height }, (_, y) => {
    let [count, first, last] = [0, to, from];
    for (let x = from; x < to; x++) {
      if (!changes[y * width + x]) continue;
      count++;
      first = Math.min(first, x);
      last = x;
    }
    return { count, first, last };
  });
  let start = -1;
  for (let y = 0; y <= height; y++) {
    const isOn = y < height && rows[y]!.count >= 4;
    if (isOn && start < 0) start = y;
    if (isOn || start < 0) continue;
    const within = rows.slice(start, y);
    const sum = within.reduce((total, { count }) => total + count, 0);
    const left = Math.min(...within.map((row) => row.first));
    const length = Math.max(...within.map((row) => row.last)) - left;
    strips.push({ top: start, height: y - start, changes: sum / within.length, left, length });
    start = -1;
  }
  return strips;
}

function isWriting({ height, changes, length }: Strip, pictureHeight: number, { from, to }: Block): boolean {
  const part = height / pictureHeight;
  const strokes = (changes * height) / Math.max(1, length);
  return (
    part >= HEIGHTS.min &&
    part <= HEIGHTS.max &&
    height >= 5 &&
    length > Math.max(4 * height, 0.2 * (to - from)) &&
    changes >= CHANGES_MIN &&
    strokes > STROKES.min &&
    strokes < STROKES.max
  );
}

/** L*: what is nearer to the sheet than this is sheet. */
const SHEET = 8;
const INK = { min: 0.1, max: 0.45, oneSided: 0.85 };

/**
 * Ink of one kind on a sheet of one tone, and nothing but sheet above and below the line: bricks, tiles, leaves, dots of paint
 * and stars, which change as often along a row, have not all three.
 */
function isInkOnGround(
  lightness: Float32Array,
  width: number,
  height: number,
  { top, height: rows, left, length }: Strip,
): boolean {
  const tones = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, row) =>
      lightness.subarray((from + row) * width + left, (from + row) * width + left + length),
    );
  const levels = new Uint32Array(101);
  for (const row of tones(top, top + rows)) for (const tone of row) levels[Math.round(tone)]!++;
  const sum = (from: number, to: number) =>
    levels.slice(Math.max(0, from), Math.max(0, to)).reduce((total, count) => total + count, 0) /
    Math.max(1, rows * length);
  const sheet = levels.indexOf(Math.max(...levels));
  const [darker, lighter] = [sum(0, sheet - STROKE), sum(sheet + STROKE + 1, 101)];
  const ink = darker + lighter;
  const isPlain = (row: Float32Array | undefined) =>
    row === undefined ||
    row.filter((tone) => Math.abs(tone - sheet) < SHEET).length > 0.85 * Math.max(1, row.length);
  return (
    sum(sheet - SHEET, sheet + SHEET + 1) > 0.4 &&
    ink > INK.min &&
    ink < INK.max &&
    Math.max(darker, lighter) > INK.oneSided * ink &&
    isPlain(tones(Math.max(0, top - 3), Math.max(0, top - 2))[0]) &&
    isPlain(tones(top + rows + 2, Math.min(height, top + rows + 3))[0])
  );
}

/** The most strips whose heights are within a third of each other: three lines at least, for fewer may be chance. */
function sameHeight(strips: readonly Strip[]): number {
  const counts = strips.map(
    ({ height }) => strips.filter((other) => Math.abs(other.height - height) <= 0.34 * height).length,
  );
  const most = Math.max(0, ...counts);
  return most >= 3 ? most : 0;
}
