import type { Raster } from '../pixels/raster.ts';
import type { Points } from './fit_curve.ts';
import type { Line } from './outlines.ts';
import { colorAt, type Fill } from './write_svg.ts';

/** Contrast (8-bit steps) from which the mixture of two colours tells where between two pixels their border runs. */
const CONTRAST = 24;

/**
 * The points of a line more finely than pixels: in the middle of each pixel side, moved across it as far as the two
 * pixels beside it are mixed from both areas. The ends stay where lines meet, and the edge of the picture stays straight.
 */
export function placePoints(picture: Raster, line: Line, fills: readonly Fill[]): Points {
  const { corners, isLoop } = line;
  const across = picture.width + 1;
  const count = corners.length - 1;
  const middles = new Float64Array(2 * count);
  const isHard = new Uint8Array(count);
  for (let index = 0; index < count; index++) {
    const [x, y] = [corners[index]! % across, Math.floor(corners[index]! / across)];
    const [dx, dy] = stepOf(corners[index + 1]! - corners[index]!, across);
    const offset = offsetOf(picture, line, fills, { x, y, dx, dy });
    isHard[index] = offset === 0 && (line.left < 0 || line.right < 0) ? 1 : 0;
    middles[2 * index] = x + dx / 2 + offset * dy;
    middles[2 * index + 1] = y + dy / 2 - offset * dx;
  }
  smoothStairs(middles, isHard, isLoop);
  if (isLoop) return Float64Array.from([...middles, middles[0]!, middles[1]!]);
  const [first, last] = [corners[0]!, corners.at(-1)!];
  return Float64Array.from([
    first % across,
    Math.floor(first / across),
    ...middles,
    last % across,
    Math.floor(last / across),
  ]);
}

/**
 * Weighs points of ink's edge with their neighbours, one, two, one, where whole pixels are ink and whole pixels not: the
 * stairs between them are of the pixels, not of the drawing, and a curve that followed them would take more nodes.
 */
function smoothStairs(middles: Float64Array, isHard: Uint8Array, isLoop: boolean): void {
  const count = isHard.length;
  const stairs = middles.slice();
  for (let index = 0; index < count; index++) {
    if (!isLoop && (index === 0 || index === count - 1)) continue;
    const [before, after] = [(index + count - 1) % count, (index + 1) % count];
    if (isHard[before] === 0 || isHard[index] === 0 || isHard[after] === 0) continue;
    for (const axis of [0, 1])
      middles[2 * index + axis] =
        (stairs[2 * before + axis]! + 2 * stairs[2 * index + axis]! + stairs[2 * after + axis]!) / 4;
  }
}

function stepOf(difference: number, across: number): readonly [dx: number, dy: number] {
  if (difference === 1) return [1, 0];
  if (difference === -1) return [-1, 0];
  return difference === across ? [0, 1] : [0, -1];
}

interface Step {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

/** How far to the left hand, in pixels from -0.5 to 0.5, the border runs beside the pixel side it was found on. */
function offsetOf(
  picture: Raster,
  { left, right }: Line,
  fills: readonly Fill[],
  { x, y, dx, dy }: Step,
): number {
  // The pixel on the left hand of a step: above one to the right, on the right of one down.
  const [leftX, leftY] = [x + (dx + dy - 1) / 2, y + (dy - dx - 1) / 2];
  const [rightX, rightY] = [leftX - dy, leftY + dx];
  const isInside = (px: number, py: number) =>
    px >= 0 && py >= 0 && px < picture.width && py < picture.height;
  if (!isInside(leftX, leftY) || !isInside(rightX, rightY)) return 0;
  const leftAt = 4 * (leftY * picture.width + leftX);
  const rightAt = 4 * (rightY * picture.width + rightX);
  const { data: rgba } = picture;
  if (left < 0) return 0.5 * clamp(rgba[leftAt + 3]! / 127.5) - 0.5 * clamp(2 - rgba[rightAt + 3]! / 127.5);
  if (right < 0) return 0.5 * clamp(2 - rgba[leftAt + 3]! / 127.5) - 0.5 * clamp(rgba[rightAt + 3]! / 127.5);
  const one = colorAt(fills[left]!, leftX, leftY);
  const two = colorAt(fills[right]!, rightX, rightY);
  const contrast = (two[0]! - one[0]!) ** 2 + (two[1]! - one[1]!) ** 2 + (two[2]! - one[2]!) ** 2;
  const shareOf = (at: number, own: readonly number[], other: readonly number[]) => {
    let along = 0;
    for (let channel = 0; channel < 3; channel++)
      along += (rgba[at + channel]! - own[channel]!) * (other[channel]! - own[channel]!);
    return Math.min(0.5, Math.max(0, along / contrast));
  };
  if (contrast < 1) return 0;
  const offset = shareOf(leftAt, one, two) - shareOf(rightAt, two, one);
  return (offset * contrast) / (contrast + CONTRAST ** 2);
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));
