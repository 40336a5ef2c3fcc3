import type { Tone } from './measure_tone.ts';
import { cellName, type Side, sideName } from './places.ts';
import { blurPlane, type Planes, quantile } from './planes.ts';

export interface Light {
  /** Direction of the light on an object; undefined if shading shows none. */
  readonly from?: Direction;
  /** Direction in which the whole image gets lighter, due to light, sky or snow. */
  readonly lighterTowards?: Direction;
  readonly brightest: string;
  readonly darkest: string;
  /** Mean L* of each ninth, row by row from the upper left. */
  readonly tonalMap: readonly number[];
  readonly quality: 'even' | 'soft' | 'contrasty' | 'spotlit' | 'silhouetted';
  readonly qualityConfidence: number;
}

export interface Direction {
  readonly side: Side;
  /** Clockwise from the right, as seen in the image. */
  readonly degrees: number;
  readonly confidence: number;
}

const PLAIN_L = 1;

/**
 * Estimates the direction and hardness of light from shading.
 * @param figure pixels of one object on a plain ground: only there is a gradient taken for shading. In a whole scene it may be sky, mist or floor.
 */
export function measureLight(planes: Planes, tone: Tone, figure: Int32Array | undefined): Light {
  const { width, height, lightness } = planes;
  const sigma = Math.max(1, 0.015 * Math.max(width, height));
  const smooth = blurPlane(lightness, width, height, sigma);
  const from = figure && shadingOf(smooth, width, figure);
  const lighterTowards = riseOf(lightness, width, height);
  const areas = areasOf(smooth, width, height);
  return {
    ...(from && { from }),
    ...(lighterTowards && { lighterTowards }),
    brightest: areas.brightest,
    darkest: areas.darkest,
    tonalMap: areas.means,
    ...qualityOf(tone),
  };
}

/** Minimum agreement of the gradients on an object, and minimum variance explained by a plane. */
const AGREEMENT_MIN = 0.4;
const SLOPE_EXPLAINS_MIN = 0.5;
/** L* from one side of an object to the other. */
const SHADE_MIN = 15;

/**
 * Direction in which an object gets lighter: the mean of the brightness gradient, in which steep steps have little weight because they are edges, not
 * shading. Source: Pentland, "Finding the illuminant direction", 1982, with the weights of a robust mean (Geman and McClure).
 */
function shadingOf(smooth: Float32Array, width: number, figure: Int32Array): Light['from'] {
  const slopes = slopesOn(smooth, width, figure);
  if (slopes.length < 64) return undefined;
  const typical = Math.max(
    0.05,
    quantile(
      slopes.map(({ size }) => size).sort((one, other) => one - other),
      0.5,
    ),
  );
  let [sumX, sumY, all] = [0, 0, 0];
  for (const { x, y, size } of slopes) {
    const weight = 1 / (1 + (size / (2 * typical)) ** 2) ** 2;
    sumX += weight * x;
    sumY += weight * y;
    all += weight * size;
  }
  const agreement = Math.hypot(sumX, sumY) / Math.max(all, 1e-9);
  if (agreement < AGREEMENT_MIN || typical * Math.sqrt(figure.length) < SHADE_MIN) return undefined;
  const plane = planeThrough(figure, (at) => [at % width, Math.floor(at / width), smooth[at]!]);
  const alike = (sumX * plane.x + sumY * plane.y) / Math.hypot(sumX, sumY) / Math.hypot(plane.x, plane.y);
  if (plane.explains < SLOPE_EXPLAINS_MIN || alike < 0.7) return undefined;
  return directionOf(sumX, sumY, Math.min(0.9, 0.3 + agreement));
}

interface Slope {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

function slopesOn(smooth: Float32Array, width: number, figure: Int32Array): Slope[] {
  const slopes: Slope[] = [];
  for (const at of figure) {
    const x = (smooth[at + 1]! - smooth[at - 1]!) / 2;
    const y = (smooth[at + width]! - smooth[at - width]!) / 2;
    const size = Math.sqrt(x * x + y * y);
    if (size > 0.02) slopes.push({ x, y, size });
  }
  return slopes;
}

const directionOf = (x: number, y: number, confidence: number): Direction => {
  const degrees = (Math.atan2(y, x) * 180) / Math.PI;
  return { side: sideName(degrees), degrees: Math.round((degrees + 360) % 360), confidence };
};

/** Least-squares plane through points, and the share of their variance it explains. */
function planeThrough(
  pixels: Int32Array,
  pointAt: (pixel: number) => readonly [x: number, y: number, value: number],
) {
  let [count, sumX, sumY, sum] = [0, 0, 0, 0];
  let [xx, yy, xy, xv, yv, vv] = [0, 0, 0, 0, 0, 0];
  for (const pixel of pixels) {
    const [x, y, value] = pointAt(pixel);
    count++;
    sumX += x;
    sumY += y;
    sum += value;
    xx += x * x;
    yy += y * y;
    xy += x * y;
    xv += x * value;
    yv += y * value;
    vv += value * value;
  }
  const about = (product: number, one: number, other: number) => product - (one * other) / count;
  const [XX, YY, XY] = [about(xx, sumX, sumX), about(yy, sumY, sumY), about(xy, sumX, sumY)];
  const [XV, YV, VV] = [about(xv, sumX, sum), about(yv, sumY, sum), about(vv, sum, sum)];
  const determinant = XX * YY - XY * XY;
  if (determinant < 1e-6) return { x: 0, y: 0, explains: 0 };
  const [x, y] = [(XV * YY - YV * XY) / determinant, (YV * XX - XV * XY) / determinant];
  return { x, y, explains: VV > 0 ? (x * XV + y * YV) / VV : 0 };
}

/** Minimum share of the variance of a strongly smoothed image that a plane explains. */
const PLANE_MIN = 0.7;
const RISE_MIN = 14;
/** Sampling step in pixels: no small detail remains after smoothing. */
const STEP = 4;

/** Direction in which the whole image gets lighter. */
function riseOf(lightness: Float32Array, width: number, height: number): Light['lighterTowards'] {
  const smooth = blurPlane(lightness, width, height, 0.1 * Math.max(width, height));
  const pixels = Int32Array.from({ length: Math.floor(smooth.length / STEP) }, (_, index) => STEP * index);
  const { x, y, explains } = planeThrough(pixels, (at) => [
    (at % width) / width,
    Math.floor(at / width) / height,
    smooth[at]!,
  ]);
  if (explains < PLANE_MIN || Math.hypot(x, y) < RISE_MIN) return undefined;
  return directionOf(x, y, Math.min(0.9, explains - 0.1));
}

/** The lightest and darkest ninth of the image. */
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
  if (most - least < PLAIN_L)
    return { means, brightest: 'nowhere in particular', darkest: 'nowhere in particular' };
  return { means, brightest: cellName(means.indexOf(most)), darkest: cellName(means.indexOf(least)) };
}

/** From the distribution of tones only: lit areas and shadows. */
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
