import { patches } from '../pixels/patches.ts';
import type { Plane } from '../pixels/plane.ts';

/** A connected area of a plane, as a bar that lies any way. All in pixels. */
export interface Stretch {
  /** Positions in the plane. */
  readonly pixels: Int32Array;
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
  /** Of the rectangle of the same second moments. */
  readonly length: number;
  readonly thickness: number;
  /** Mean of the plane within it. */
  readonly mean: number;
}

/** The connected areas of a plane above a level, in no order that means anything. */
export function stretches({ data, width, height }: Plane, above: number): Stretch[] {
  const found: Stretch[] = [];
  const mask = Uint8Array.from(data, (value) => (value > above ? 1 : 0));
  for (const pixels of patches(mask, width)) found.push(stretchOf(pixels.slice(), { data, width, height }));
  return found;
}

function stretchOf(pixels: Int32Array, { data, width, height }: Plane): Stretch {
  let [left, top, right, bottom] = [width, height, 0, 0];
  let [sum, sumX, sumY, sumXX, sumYY, sumXY] = [0, 0, 0, 0, 0, 0];
  for (const at of pixels) {
    const x = at % width;
    const y = (at - x) / width;
    [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    sum += data[at]!;
    sumX += x;
    sumY += y;
    sumXX += x * x;
    sumYY += y * y;
    sumXY += x * y;
  }
  const count = pixels.length;
  const [meanX, meanY] = [sumX / count, sumY / count];
  // A pixel is a square and no point: without its own twelfth a row of them would have no thickness.
  const across = sumXX / count - meanX ** 2 + 1 / 12;
  const down = sumYY / count - meanY ** 2 + 1 / 12;
  const askew = sumXY / count - meanX * meanY;
  const half = (across + down) / 2;
  const spread = Math.hypot((across - down) / 2, askew);
  return {
    pixels,
    box: { left, top, right, bottom },
    length: Math.sqrt(12 * (half + spread)),
    thickness: Math.sqrt(12 * Math.max(0, half - spread)),
    mean: sum / count,
  };
}
