import { type InkMask, inkDepth } from './ink_depth.ts';
import type { CentreLine } from './place_middle.ts';

/** Ink as lines where it is narrow, and as areas where it is wide. */
export interface SplitInk {
  readonly lines: readonly CentreLine[];
  /** 0 for a pixel of the areas, -1 for others. */
  readonly labels: Int32Array;
}

/** A line that leaves a wide area and is shorter than so many of its widths belongs to the area: it is a corner. */
const CORNER_WIDTHS = 1.5;

/** How much of the ink is wide: as far as a disc of `radius` pixels gets in it. */
export function wideShare(mask: InkMask, radius: number): { wide: number; all: number } {
  const count = (pixels: Uint8Array): number => pixels.reduce((sum, is) => sum + is, 0);
  return { wide: count(wideInk(mask, radius)), all: count(mask.ink) };
}

/** Divides ink by how wide it is: areas are where a disc of `radius` pixels fits, with their corners. */
export function splitWide(mask: InkMask, lines: readonly CentreLine[], radius: number): SplitInk {
  const wide = wideInk(mask, radius);
  const kept = lines.flatMap((line) => outsideOf(line, wide, mask.across));
  const drawn = stampLines(kept, mask);
  const areas = growInto(wide, mask, drawn);
  const labels = new Int32Array(mask.width * mask.height).fill(-1);
  for (let y = 0, pixel = 0; y < mask.height; y++)
    for (let x = 0; x < mask.width; x++, pixel++)
      if (areas[(y + 1) * mask.across + x + 1] === 1) labels[pixel] = 0;
  return { lines: kept, labels };
}

/** A place that is wide only just is the swelling of a stroke: somewhere an area is deeper than the radius by this share, and this many pixels. */
const DEEPER = 1.4;
const DEEPER_PX = 1;

/** The ink that discs of a radius cover which lie in it wholly (its morphological opening), where it is not a swelling of strokes. */
function wideInk(mask: InkMask, radius: number): Uint8Array {
  const depths = inkDepth(mask);
  const far = (radius + 0.5) ** 2;
  const shallow = Uint8Array.from(depths, (depth) => (depth < far ? 1 : 0));
  if (!shallow.includes(0)) return new Uint8Array(shallow.length);
  const ways = inkDepth({ ...mask, ink: shallow });
  const opened = Uint8Array.from(mask.ink, (is, pixel) => (is === 1 && ways[pixel]! <= far ? 1 : 0));
  const deep: number[] = [];
  for (const [pixel, depth] of depths.entries())
    if (depth >= (Math.max(DEEPER * radius, radius + DEEPER_PX) + 0.5) ** 2) deep.push(pixel);
  return spread(deep, opened, mask.across);
}

/** The runs of a line outside of wide ink. */
function outsideOf(line: CentreLine, wide: Uint8Array, across: number): CentreLine[] {
  const { points, widths } = line;
  const count = points.length / 2;
  const isWide = (index: number): boolean =>
    wide[Math.floor(points[2 * index + 1]! + 1) * across + Math.floor(points[2 * index]! + 1)] === 1;
  const runs: CentreLine[] = [];
  for (let from = 0; from < count; ) {
    let to = from;
    while (to < count && !isWide(to)) to++;
    if (from === 0 && to === count) return [line];
    let width = 1;
    for (const own of widths.subarray(from, to)) if (own > width) width = own;
    if (to - from > Math.max(2, CORNER_WIDTHS * width))
      runs.push({ points: points.slice(2 * from, 2 * to), widths: widths.slice(from, to) });
    from = to + 1;
  }
  return runs;
}

/** The pixels that lines cover at their widths, and one pixel round them. */
function stampLines(lines: readonly CentreLine[], { across, ink }: InkMask): Uint8Array {
  const drawn = new Uint8Array(ink.length);
  const down = ink.length / across;
  for (const { points, widths } of lines) {
    let reach = 1;
    for (const [index, width] of widths.entries()) {
      if (!Number.isNaN(width)) reach = width / 2 + 1;
      const [x, y] = [points[2 * index]! + 0.5, points[2 * index + 1]! + 0.5];
      for (let row = Math.max(0, Math.ceil(y - reach)); row <= Math.min(down - 1, y + reach); row++)
        for (
          let column = Math.max(0, Math.ceil(x - reach));
          column <= Math.min(across - 1, x + reach);
          column++
        )
          if ((column - x) ** 2 + (row - y) ** 2 <= reach ** 2) drawn[row * across + column] = 1;
    }
  }
  return drawn;
}

/** Wide ink with the ink beside it that no line draws. */
function growInto(wide: Uint8Array, { across, ink }: InkMask, drawn: Uint8Array): Uint8Array {
  const front: number[] = [];
  for (const [pixel, is] of wide.entries()) if (is === 1) front.push(pixel);
  return spread(
    front,
    Uint8Array.from(ink, (is, pixel) => is & (wide[pixel]! | (1 - drawn[pixel]!))),
    across,
  );
}

/** The pixels that can be reached from some within others. */
function spread(front: number[], within: Uint8Array, across: number): Uint8Array {
  const reached = new Uint8Array(within.length);
  for (const pixel of front) reached[pixel] = 1;
  for (let next = 0; next < front.length; next++)
    for (const step of [1, -1, across, -across]) {
      const pixel = front[next]! + step;
      if (within[pixel] !== 1 || reached[pixel] === 1) continue;
      reached[pixel] = 1;
      front.push(pixel);
    }
  return reached;
}
