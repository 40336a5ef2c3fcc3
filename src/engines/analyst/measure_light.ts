import type { Tone } from './measure_tone.ts';
import { placeName, type Side, sideName } from './places.ts';
import { blurred, gradientOf, meanOf, type Planes } from './planes.ts';

export interface Light {
  /** Where the light seems to come from; absent where shading tells no direction. */
  readonly from?: {
    readonly side: Side;
    readonly degrees: number;
    readonly confidence: number;
    readonly by: 'shading' | 'fall-off';
  };
  readonly brightest: string;
  readonly darkest: string;
  readonly quality: 'even' | 'soft' | 'contrasty' | 'spotlit' | 'silhouetted';
  readonly qualityConfidence: number;
}

/** Below this length of the mean direction, shading points everywhere. */
const CERTAIN_ENOUGH = 0.2;
const PLAIN_L = 1;

/** Where shading says the light comes from, and how hard it falls. */
export function measureLight(planes: Planes, tone: Tone): Light {
  const { width, height, lightness } = planes;
  const sigma = Math.max(1, 0.015 * Math.max(width, height));
  const smooth = blurred(lightness, width, height, sigma);
  const from = shadingOf(smooth, width, height) ?? fallOffOf(lightness, width, height);
  const areas = areasOf(smooth, width, height);
  return {
    ...(from && { from }),
    brightest: areas.brightest,
    darkest: areas.darkest,
    ...qualityOf(tone),
  };
}

/**
 * Direction towards which surfaces grow lighter: the mean of the brightness gradient, in which steep steps count little
 * because they are borders between things and not shading. Source: Pentland, "Finding the illuminant direction", 1982,
 * with the weights of a robust mean (Geman and McClure).
 */
function shadingOf(smooth: Float32Array, width: number, height: number): Light['from'] {
  const { x, y, size } = gradientOf(smooth, width, height);
  const sloping = size.filter((value) => value > 0.02).sort();
  if (sloping.length < 64 || sloping.length < size.length / 20) return undefined;
  const typical = Math.max(0.05, sloping[sloping.length >> 1]!);
  let [sumX, sumY, all] = [0, 0, 0];
  for (const [at, steepness] of size.entries()) {
    const weight = 1 / (1 + (steepness / (2 * typical)) ** 2) ** 2;
    sumX += weight * x[at]!;
    sumY += weight * y[at]!;
    all += weight * steepness;
  }
  const agreement = Math.hypot(sumX, sumY) / Math.max(all, 1e-9);
  const travel = typical * Math.max(width, height);
  if (agreement < CERTAIN_ENOUGH || travel < 8) return undefined;
  const degrees = (Math.atan2(sumY, sumX) * 180) / Math.PI;
  return {
    side: sideName(degrees),
    degrees: Math.round((degrees + 360) % 360),
    confidence: Math.min(0.9, 0.3 + agreement),
    by: 'shading',
  };
}

/** Of the variance of a strongly smoothed picture: what a plane explains where light falls off evenly. */
const PLANE_MIN = 0.7;
const RISE_MIN = 14;

/** Direction in which the whole picture grows lighter: a plane laid through its coarsest tones by least squares. */
function fallOffOf(lightness: Float32Array, width: number, height: number): Light['from'] {
  const smooth = blurred(lightness, width, height, 0.1 * Math.max(width, height));
  const mean = meanOf(smooth);
  let [withX, withY, squareX, squareY, square] = [0, 0, 0, 0, 0];
  for (const [at, value] of smooth.entries()) {
    const x = (at % width) / width - 0.5;
    const y = Math.floor(at / width) / height - 0.5;
    withX += x * (value - mean);
    withY += y * (value - mean);
    squareX += x * x;
    squareY += y * y;
    square += (value - mean) ** 2;
  }
  const [slopeX, slopeY] = [withX / Math.max(1e-9, squareX), withY / Math.max(1e-9, squareY)];
  const explained = square > 0 ? (slopeX * withX + slopeY * withY) / square : 0;
  if (explained < PLANE_MIN || Math.hypot(slopeX, slopeY) < RISE_MIN) return undefined;
  const degrees = (Math.atan2(slopeY, slopeX) * 180) / Math.PI;
  return {
    side: sideName(degrees),
    degrees: Math.round((degrees + 360) % 360),
    confidence: Math.min(0.7, explained - 0.2),
    by: 'fall-off',
  };
}

/** The lightest and darkest ninth of the picture. */
function areasOf(smooth: Float32Array, width: number, height: number) {
  const sums = new Float64Array(9);
  const counts = new Float64Array(9);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const cell = 3 * Math.floor((3 * y) / height) + Math.floor((3 * x) / width);
      sums[cell]! += smooth[y * width + x]!;
      counts[cell]!++;
    }
  const means = Array.from(sums, (sum, cell) => (counts[cell] ? sum / counts[cell]! : 50));
  const [least, most] = [Math.min(...means), Math.max(...means)];
  const nameOf = (cell: number) => placeName({ x: (cell % 3) / 3 + 0.1, y: Math.floor(cell / 3) / 3 + 0.1 });
  if (most - least < PLAIN_L) return { brightest: 'nowhere in particular', darkest: 'nowhere in particular' };
  return { brightest: nameOf(means.indexOf(most)), darkest: nameOf(means.indexOf(least)) };
}

/** From the distribution of tones alone: what is lit and what lies in shadow. */
function qualityOf({ deviation, split, shadows, highlights, midtones, light }: Tone) {
  const sure = (margin: number) => Math.min(0.9, 0.5 + Math.max(0, margin));
  if (shadows > 0.62 && light > 45 && highlights < 0.2)
    return { quality: 'spotlit', qualityConfidence: sure(shadows - 0.62) } as const;
  if (split > 0.8 && shadows > 0.2 && highlights > 0.3 && midtones < 0.25)
    return { quality: 'silhouetted', qualityConfidence: sure(2 * (split - 0.8)) } as const;
  if (deviation > 22)
    return { quality: 'contrasty', qualityConfidence: sure((deviation - 22) / 20) } as const;
  return deviation > 9
    ? ({ quality: 'soft', qualityConfidence: sure((22 - deviation) / 30) } as const)
    : ({ quality: 'even', qualityConfidence: sure((9 - deviation) / 9) } as const);
}
