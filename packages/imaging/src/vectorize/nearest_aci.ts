import { oklabDistance, oklabOf } from '../pixels/oklab.ts';

/** Shares of full brightness that a hue of the AutoCAD colour index comes in, darker by every second number. */
const VALUES = [1, 0.65, 0.5, 0.3, 0.15];
const GREYS = [51, 91, 132, 173, 214, 255];

/** Index and 8-bit channels: seven plain colours, 24 hues in ten kinds each, six greys. */
const INDEX = [
  [1, [255, 0, 0]],
  [2, [255, 255, 0]],
  [3, [0, 255, 0]],
  [4, [0, 255, 255]],
  [5, [0, 0, 255]],
  [6, [255, 0, 255]],
  [7, [255, 255, 255]],
  // 7 is black on a light ground.
  [7, [0, 0, 0]],
  ...Array.from({ length: 240 }, (_, at) => [at + 10, hueOf(at)] as const),
  ...GREYS.map((grey, at) => [250 + at, [grey, grey, grey]] as const),
] as const;

/** The number of the AutoCAD colour index (1 to 255) that looks most like a colour such as #bc4749 or #fff. */
export function nearestAci(color: string): number {
  const digits = color.slice(1).length === 3 ? color.slice(1).replace(/./g, '$&$&') : color.slice(1);
  const channel = (at: number): number => Number.parseInt(digits.slice(at, at + 2), 16);
  const lab = oklabOf(channel(0), channel(2), channel(4));
  const distances = INDEX.map(([, [red, green, blue]]) => oklabDistance(lab, oklabOf(red!, green!, blue!)));
  return INDEX[distances.indexOf(Math.min(...distances))]![0];
}

function hueOf(at: number): readonly number[] {
  const [hue, kind] = [Math.floor(at / 10) / 4, at % 10];
  const value = 255 * VALUES[kind >> 1]!;
  return [5, 3, 1].map((offset) => {
    const place = (offset + hue) % 6;
    const full = 1 - Math.max(0, Math.min(place, 4 - place, 1));
    // Odd numbers are half as saturated.
    return value * (kind % 2 === 0 ? full : (1 + full) / 2);
  });
}
