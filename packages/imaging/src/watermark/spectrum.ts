import { quickBoxMean } from '../pixels/box_mean.ts';
import type { Plane } from '../pixels/plane.ts';
import { type Complex, complexOf, transformSquare } from './fourier.ts';

export const SPECTRUM_SIDE = 512;
const WINDOWS_MAX = 4;
/** A frequency may count for so many times its surroundings: single ones belong to the picture itself. */
export const POWER_MAX = 14;

/**
 * How far the power of each frequency of a frame stands out from that of its neighbours, 1 where it does not; averaged
 * over overlapping windows (P. Welch, 1967). Frequencies in cycles per 512 pixels, row by row, negative ones at the end.
 */
export function spectrumOf(frame: Plane): Float32Array {
  const side = SPECTRUM_SIDE;
  const longer = Math.max(frame.width, frame.height);
  const count = Math.min(WINDOWS_MAX, 1 + Math.ceil((longer - side) / (side / 2)));
  const starts = Array.from({ length: count }, (_, window) =>
    count === 1 ? 0 : Math.round(((longer - side) * window) / (count - 1)),
  );
  const power = new Float32Array(side * side);
  for (let window = 0; window < count; window += 2) {
    const square = complexOf(side * side);
    addWindow(frame, placeOf(frame, starts[window]!), square.real);
    if (window + 1 < count) addWindow(frame, placeOf(frame, starts[window + 1]!), square.imaginary);
    transformSquare(square, side);
    addPower(square, side, power);
  }
  const usual = quickBoxMean({ width: side, height: side, data: power }, 6).data;
  for (let at = 0; at < power.length; at++) power[at] = Math.min(POWER_MAX, power[at]! / (usual[at]! + 1e-6));
  return power;
}

interface WindowPlace {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

/** A window `start` pixels along the longer side of a frame. */
const placeOf = ({ width, height }: Plane, start: number): WindowPlace => ({
  ...(width > height ? { left: start, top: 0 } : { left: 0, top: start }),
  side: SPECTRUM_SIDE,
});

const FADES = new Map<number, Float32Array>();

function fadeOf(side: number): Float32Array {
  const known = FADES.get(side);
  if (known) return known;
  const fade = Float32Array.from(
    { length: side },
    (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / side),
  );
  FADES.set(side, fade);
  return fade;
}

/** Writes a square of the frame, faded out to its borders (Hann), row by row into `target`. */
export function addWindow(
  { width, height, data }: Plane,
  { left, top, side }: WindowPlace,
  target: Float32Array,
): void {
  const [columns, rows] = [Math.min(side, width - left), Math.min(side, height - top)];
  const [across, down] = [fadeOf(columns), fadeOf(rows)];
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++)
      target[y * side + x] = down[y]! * across[x]! * data[(y + top) * width + x + left]!;
  }
}

/** Adds the power of two real squares, transformed as the parts of one: half of what a frequency and its opposite hold. */
export function addPower({ real, imaginary }: Complex, side: number, power: Float32Array): void {
  const last = side - 1;
  for (let y = 0, at = 0; y < side; y++) {
    const opposite = (-y & last) * side;
    for (let x = 0; x < side; x++, at++) {
      const other = opposite + (-x & last);
      const here = real[at]! * real[at]! + imaginary[at]! * imaginary[at]!;
      const there = real[other]! * real[other]! + imaginary[other]! * imaginary[other]!;
      power[at]! += (here + there) / 2;
    }
  }
}
