import type { Size } from '../pixels/plane.ts';
import { createCoverage } from './coverage.ts';
import { flattenCurve } from './curve.ts';
import type { Strokes } from './draw_strokes.ts';
import type { VisibleParts } from './visible_parts.ts';

/** What is seen of pens' strokes, each line drawn with a round pen of its width, later pens over earlier ones. */
export function strokeCover(pens: readonly Strokes[], size: Size): VisibleParts {
  const open = new Float32Array(size.width * size.height).fill(1);
  const starts = new Int32Array(pens.length + 1);
  const [pixels, shares]: [number[], number[]] = [[], []];
  const lists = pens.map((pen) => coverOf(pen, size)).toReversed();
  const seen = lists.map((cover) => {
    const own: { pixel: number; share: number }[] = [];
    for (const [pixel, share] of cover.entries()) {
      if (share * open[pixel]! <= SHARE_MIN) continue;
      own.push({ pixel, share: share * open[pixel]! });
      open[pixel]! *= 1 - share;
    }
    return own;
  });
  for (const [pen, own] of seen.toReversed().entries()) {
    for (const { pixel, share } of own) {
      pixels.push(pixel);
      shares.push(share);
    }
    starts[pen + 1] = pixels.length;
  }
  return { starts, pixels: Int32Array.from(pixels), shares: Float32Array.from(shares) };
}

/** Less than this is not seen in eight bits. */
const SHARE_MIN = 1 / 1024;

function coverOf({ lines, widths, areas }: Strokes, { width, height }: Size): Float32Array {
  const cover = new Float32Array(width * height);
  const filled = createCoverage(width, height)(areas.map(flattenCurve));
  for (let row = 0; areas.length > 0 && row < filled.height; row++)
    for (let column = 0; column < Math.min(filled.width, width - filled.left); column++)
      cover[(filled.top + row) * width + filled.left + column] = filled.shares[row * filled.width + column]!;
  for (const [index, line] of lines.entries()) {
    const points = flattenCurve(line);
    const stamp = (x: number, y: number): void =>
      stampDisc(cover, { width, height }, [x, y], widths[index]! / 2);
    for (let at = 2; at < points.length; at += 2) {
      const [x, y] = [points[at - 2]!, points[at - 1]!];
      const [dx, dy] = [points[at]! - x, points[at + 1]! - y];
      const steps = Math.max(1, Math.ceil(2 * Math.hypot(dx, dy)));
      for (let step = 0; step <= steps; step++) stamp(x + (step / steps) * dx, y + (step / steps) * dy);
    }
  }
  return cover;
}

/** Covers what a disc covers of each pixel, where that is more than what is covered already. */
function stampDisc(
  cover: Float32Array,
  { width, height }: Size,
  [x, y]: readonly [number, number],
  radius: number,
): void {
  const reach = radius + 0.5;
  const right = Math.min(width - 1, Math.floor(x + reach - 0.5));
  const bottom = Math.min(height - 1, Math.floor(y + reach - 0.5));
  for (let row = Math.max(0, Math.ceil(y - reach - 0.5)); row <= bottom; row++)
    for (let column = Math.max(0, Math.ceil(x - reach - 0.5)); column <= right; column++) {
      const share = Math.min(1, reach - Math.hypot(column + 0.5 - x, row + 0.5 - y));
      const at = row * width + column;
      if (share > cover[at]!) cover[at] = share;
    }
}
