import { boxMean } from './box_mean.ts';
import { complexOf, transformSquare } from './fourier.ts';
import type { Plane } from './plane.ts';

export const SPECTRUM_SIDE = 512;
const WINDOWS_MAX = 4;
/** A frequency may count for so many times its surroundings: single ones belong to the picture itself. */
const POWER_MAX = 14;

/**
 * How far the power of each frequency of a frame stands out from that of its neighbours, 1 where it does not; averaged
 * over overlapping windows (P. Welch, 1967). Frequencies in cycles per 512 pixels, row by row, negative ones at the end.
 */
export function spectrumOf(frame: Plane): Float32Array {
  const side = SPECTRUM_SIDE;
  const longer = Math.max(frame.width, frame.height);
  const count = Math.min(WINDOWS_MAX, 1 + Math.ceil((longer - side) / (side / 2)));
  const power = new Float32Array(side * side);
  for (let window = 0; window < count; window++) {
    const start = count === 1 ? 0 : Math.round(((longer - side) * window) / (count - 1));
    const square = windowed(
      frame,
      frame.width > frame.height ? start : 0,
      frame.width > frame.height ? 0 : start,
    );
    transformSquare(square, side);
    for (let at = 0; at < power.length; at++)
      power[at]! += square.real[at]! * square.real[at]! + square.imaginary[at]! * square.imaginary[at]!;
  }
  const usual = boxMean({ width: side, height: side, data: power }, 6).data;
  for (let at = 0; at < power.length; at++) power[at] = Math.min(POWER_MAX, power[at]! / (usual[at]! + 1e-6));
  return power;
}

const HANN = Float32Array.from(
  { length: SPECTRUM_SIDE },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / SPECTRUM_SIDE),
);

function windowed({ width, height, data }: Plane, left: number, top: number) {
  const square = complexOf(SPECTRUM_SIDE * SPECTRUM_SIDE);
  const [columns, rows] = [Math.min(SPECTRUM_SIDE, width - left), Math.min(SPECTRUM_SIDE, height - top)];
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++)
      square.real[y * SPECTRUM_SIDE + x] = HANN[y]! * HANN[x]! * data[(y + top) * width + x + left]!;
  }
  return square;
}
