import type { Raster } from '../../pixels/raster.ts';
import { cornersOf, type Rectangle } from './min_area_rectangle.ts';

/** Height of the recogniser's input, and its minimum width: shorter lines are padded. */
export const STRIP_HEIGHT_PX = 48;
const STRIP_WIDTH_PX_MIN = 320;
/** Longer lines are compressed to 60 times their height. */
const STRIP_WIDTH_PX_MAX = 2880;
/** Maximum samples per axis for an output pixel of large letters. */
const SAMPLES_MAX = 8;

/** A line as input of the recogniser: blue, green and red planes from −1 to 1, zero to the right of `inkWidth`. */
export interface Strip {
  readonly data: Float32Array;
  readonly width: number;
  readonly inkWidth: number;
}

/**
 * Extracts a line from an image, rotated upright and scaled to the recogniser's height; large letters are averaged.
 * @param picture RGB or grey
 */
export function straighten(picture: Raster, line: Rectangle): Strip {
  const scale = line.height / STRIP_HEIGHT_PX;
  const inkWidth = Math.min(STRIP_WIDTH_PX_MAX, Math.max(8, Math.ceil(line.width / scale)));
  const width = Math.max(STRIP_WIDTH_PX_MIN, inkWidth);
  const data = new Float32Array(3 * width * STRIP_HEIGHT_PX);
  const [origin, right, , down] = cornersOf(line);
  const step = {
    x: { x: (right.x - origin.x) / inkWidth, y: (right.y - origin.y) / inkWidth },
    y: { x: (down.x - origin.x) / STRIP_HEIGHT_PX, y: (down.y - origin.y) / STRIP_HEIGHT_PX },
  };
  const samples = Math.min(SAMPLES_MAX, Math.max(1, Math.round(scale)));
  const color = new Float32Array(3);
  for (let row = 0; row < STRIP_HEIGHT_PX; row++)
    for (let column = 0; column < inkWidth; column++) {
      color.fill(0);
      for (let sample = 0; sample < samples ** 2; sample++) {
        const across = column + ((sample % samples) + 0.5) / samples;
        const below = row + (Math.floor(sample / samples) + 0.5) / samples;
        addSample(picture, color, {
          x: origin.x + across * step.x.x + below * step.y.x - 0.5,
          y: origin.y + across * step.x.y + below * step.y.y - 0.5,
        });
      }
      for (let plane = 0; plane < 3; plane++)
        data[(plane * STRIP_HEIGHT_PX + row) * width + column] = color[2 - plane]! / samples ** 2 / 127.5 - 1;
    }
  return { data, width, inkWidth };
}

/** Adds a bilinear sample; samples outside repeat the edge. */
function addSample(
  { data, width, height, channels }: Raster,
  into: Float32Array,
  { x, y }: { readonly x: number; readonly y: number },
): void {
  const left = Math.floor(x);
  const top = Math.floor(y);
  for (let corner = 0; corner < 4; corner++) {
    const [right, below] = [corner % 2, corner >> 1];
    const weight = (right ? x - left : 1 - x + left) * (below ? y - top : 1 - y + top);
    const column = Math.min(width - 1, Math.max(0, left + right));
    const row = Math.min(height - 1, Math.max(0, top + below));
    const at = channels * (row * width + column);
    for (let channel = 0; channel < 3; channel++)
      into[channel]! += weight * data[at + (channels < 3 ? 0 : channel)]!;
  }
}
