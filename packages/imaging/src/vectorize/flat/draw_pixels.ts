import type { Curve } from '../fit_curve.ts';
import { findLines, ringsOf } from '../outlines.ts';
import type { ColorTable, Meetings } from './flat_colors.ts';
import type { SimpleShape } from './recognise_shape.ts';
import type { FlatShape } from './stack_flat.ts';
import { stepCurve } from './trace_flat.ts';

/** Maximum colours of an image drawn along its pixels; each is a path. */
const COLORS_MAX = 96;
/** Images of sprite size may change colour at every pixel; in larger images that is noise or dithering. */
const SPRITE_PIXELS = 64 * 64;
const UNLIKE_MAX = 0.3;
/** Maximum share of colour boundaries with a mixture between them: more are soft edges. */
const SOFT_MAX = 0.12;

/** Tests for blocks of few colours without soft edges: pixel art, diagrams, screenshots without antialiased text. */
export function isPixelArt(
  { width, height, values, counts }: ColorTable,
  { hard, steps, soft, unlike }: Meetings,
): boolean {
  if (counts.length > COLORS_MAX || counts.length < 2) return false;
  for (let id = 0; id < counts.length; id++)
    if (values[4 * id + 3] !== 255 && values[4 * id + 3] !== 0) return false;
  if (steps > 0.2 * unlike) return false;
  if (width * height > SPRITE_PIXELS && unlike > UNLIKE_MAX * width * height) return false;
  return soft <= SOFT_MAX * (hard + soft) || counts.length <= FEW_COLORS;
}

/** Soft edges take more colours than this. */
const FEW_COLORS = 6;

/**
 * Draws an image as outlines along its pixels, one shape per colour, the most frequent first. Each shape covers its own
 * pixels and those of all shapes above, so that no background shows through at any size.
 */
export function drawPixels({ width, height, values, counts, ids }: ColorTable): FlatShape[] {
  const isDrawn = (id: number): boolean => values[4 * id + 3] === 255;
  const order = [...counts.keys()].filter(isDrawn).sort((one, other) => counts[other]! - counts[one]!);
  const ranks = new Int32Array(counts.length).fill(-1);
  for (const [rank, id] of order.entries()) ranks[id] = rank;
  return order.map((core, rank) => {
    const labels = Int32Array.from(ids, (id) => (ranks[id]! >= rank ? 0 : -1));
    const outlines = outlinesOf(labels, width, height);
    const simple = outlines.length === 1 ? rectangleOf(outlines[0]!) : undefined;
    return { core, outlines, simple };
  });
}

function outlinesOf(labels: Int32Array, width: number, height: number): Curve[] {
  const lines = findLines({ width, height, labels, count: 1 });
  const [rings] = ringsOf(lines, 1);
  return rings!.map((ring) => {
    const corners: number[] = [];
    for (const { line, backwards } of ring) {
      const own = lines[line]!.corners;
      const way = backwards ? own.toReversed() : own;
      corners.push(...way.subarray(corners.length === 0 ? 0 : 1));
    }
    return stepCurve({ corners: startAtTurn(Int32Array.from(corners)) }, width);
  });
}

/** A closed path along pixel sides that starts at a corner. */
function startAtTurn(corners: Int32Array): Int32Array {
  const count = corners.length - 1;
  const turnsAt = (at: number) =>
    corners[at + 1]! - corners[at]! !== corners[at]! - corners[(at + count - 1) % count]!;
  let start = 0;
  while (start < count - 1 && !turnsAt(start)) start++;
  if (start === 0) return corners;
  return Int32Array.from({ length: count + 1 }, (_, at) => corners[(start + at) % count]!);
}

function rectangleOf(outline: Curve): SimpleShape | undefined {
  if (outline.length !== 2 + 4 * 6) return undefined;
  const xs = [0, 6, 12, 18].map((at) => outline[at]!);
  const ys = [1, 7, 13, 19].map((at) => outline[at]!);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { kind: 'rect', x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y, radius: 0 };
}
