import type { Planes } from './planes.ts';

/** A level border across the picture, as a horizon, a shore or the edge of a table makes. */
export interface Horizon {
  /** Part of the height, from the top. */
  readonly height: number;
  /** Part of the width along which both sides differ in the same way. */
  readonly steadiness: number;
  readonly confidence: number;
}

const FROM = 0.12;
/** Part of the height that is compared above and below. */
const BAND = 0.05;
/** Difference between the two sides, in hundredths of OKLab. */
const DIFFERENCE_MIN = 9;
const STEADINESS_MIN = 0.86;
/** In steps of the band: the rest of the picture must not change as much. */
const ALONE = 1.5;

/** The row where what lies above differs most from what lies below, in the same way along nearly the whole width. */
export function findHorizon({ width, height, lightness, a, b }: Planes): Horizon | undefined {
  const band = Math.max(2, Math.round(BAND * height));
  if (height < 6 * band || width < 24) return undefined;
  const sums = [lightness, a, b].map((plane, axis) => columnSums(plane, width, height, axis === 0 ? 1 : 100));
  const rows = Array.from({ length: height }, (_, row) =>
    row < FROM * height || row > (1 - FROM) * height
      ? 0
      : strengthAt(sums, { width, height, row, band }).strength,
  );
  const best = rows.indexOf(Math.max(...rows));
  if (rows[best]! < DIFFERENCE_MIN) return undefined;
  const { steadiness } = strengthAt(sums, { width, height, row: best, band });
  const rival = Math.max(0, ...rows.filter((_, row) => Math.abs(row - best) > 2 * band));
  if (steadiness < STEADINESS_MIN || rows[best]! < ALONE * rival) return undefined;
  if (!isSharp(sums, { width, height, row: best, band })) return undefined;
  return {
    height: best / height,
    steadiness,
    confidence: Math.min(0.9, steadiness * 0.6 + Math.min(0.3, rows[best]! / 120)),
  };
}

/** Sums from the top of each column: row r of column x at r · width + x holds what lies above row r. */
function columnSums(plane: Float32Array, width: number, height: number, scale: number): Float64Array {
  const sums = new Float64Array((height + 1) * width);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      sums[(y + 1) * width + x] = sums[y * width + x]! + scale * plane[y * width + x]!;
  return sums;
}

interface Place {
  readonly width: number;
  readonly height: number;
  readonly row: number;
  readonly band: number;
}

/** Length of the mean difference between both sides, and the part of the columns that differ like it. */
function strengthAt(sums: readonly Float64Array[], { width, row, band }: Place) {
  const [above, here, below] = [(row - band) * width, row * width, (row + band) * width];
  const difference = (plane: Float64Array, x: number) =>
    (2 * plane[here + x]! - plane[above + x]! - plane[below + x]!) / band;
  const mean = sums.map((plane) => {
    let sum = 0;
    for (let x = 0; x < width; x++) sum += difference(plane, x);
    return sum / width;
  });
  const size = Math.hypot(...mean);
  let alike = 0;
  for (let x = 0; x < width; x++) {
    let along = 0;
    for (let axis = 0; axis < sums.length; axis++) along += difference(sums[axis]!, x) * mean[axis]!;
    if (along > 0.4 * size * size) alike++;
  }
  return { strength: size, steadiness: alike / width };
}

/** A step and no slope: half of the difference lies within a third of the band. */
function isSharp(sums: readonly Float64Array[], place: Place): boolean {
  const narrow = Math.max(1, Math.round(place.band / 3));
  return strengthAt(sums, { ...place, band: narrow }).strength > 0.6 * strengthAt(sums, place).strength;
}
