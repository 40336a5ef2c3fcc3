import { findHorizon, type Horizon } from './find_horizon.ts';
import { findPattern, type Pattern } from './find_pattern.ts';
import { findTextLines } from './find_text.ts';
import { placeName } from './places.ts';
import { blurred, type Planes } from './planes.ts';

/** What can be said of the subject without knowing what things are. */
export interface Subject {
  readonly horizon?: Horizon;
  readonly pattern?: Pattern;
  /** Lines of marks as small and regular as writing. */
  readonly textLines: number;
  /** One thing before a plain ground, and where it lies. */
  readonly figure?: { readonly place: string; readonly share: number; readonly confidence: number };
}

/** @param fine the picture at up to 640 pixels @param coarse half of it */
export function measureSubject(fine: Planes, coarse: Planes): Subject {
  const horizon = findHorizon(coarse);
  const pattern = findPattern(coarse);
  const figure = figureOn(coarse);
  return {
    ...(horizon && { horizon }),
    ...(pattern && { pattern }),
    textLines: findTextLines(fine),
    ...(figure && { figure }),
  };
}

const RIM = 0.04;
const UNLIKE = 0.13;
/** OKLab: a rim within this of one colour is plain. */
const PLAIN = 0.07;

/** A rim of one colour nearly all around, and something else within it. */
function figureOn({ width, height, lightness, a, b }: Planes): Subject['figure'] {
  if (Math.min(width, height) < 24) return undefined;
  const smooth = [lightness.map((value) => value / 100), a, b].map((plane) =>
    blurred(plane, width, height, 1),
  );
  const rim = Math.max(1, Math.round(RIM * Math.min(width, height)));
  const isRim = (x: number, y: number) => x < rim || y < rim || x >= width - rim || y >= height - rim;
  const rimPixels: number[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (isRim(x, y)) rimPixels.push(y * width + x);
  const ground = smooth.map((plane) => medianAt(plane, rimPixels));
  const distance = (at: number) => Math.hypot(...smooth.map((plane, axis) => plane[at]! - ground[axis]!));
  const unlike = (at: number) => distance(at) > UNLIKE;
  const plainRim = rimPixels.filter((at) => distance(at) < PLAIN).length / rimPixels.length;
  if (plainRim < 0.9) return undefined;
  let [sumX, sumY, count] = [0, 0, 0];
  for (let at = 0; at < lightness.length; at++) {
    if (!unlike(at)) continue;
    sumX += at % width;
    sumY += Math.floor(at / width);
    count++;
  }
  const share = count / lightness.length;
  if (share < 0.004 || share > 0.75) return undefined;
  const place = placeName({ x: (sumX / count + 0.5) / width, y: (sumY / count + 0.5) / height });
  return { place, share, confidence: Math.min(0.9, plainRim - 0.1) };
}

function medianAt(plane: Float32Array, places: readonly number[]): number {
  const values = places.map((at) => plane[at]!).sort((one, other) => one - other);
  return values[values.length >> 1]!;
}
