import type { Point } from './places.ts';
import { blurPlane, gradientOf, type Planes } from './planes.ts';

export interface FocalPoint extends Point {
  /** Salience relative to the strongest point, 0 to 1. */
  readonly strength: number;
}

export interface Focus {
  /** Most salient points, strongest first; empty in a plain image. */
  readonly points: readonly FocalPoint[];
  /** Share of all salience around the first point, 0 to 1. */
  readonly concentration: number;
  /** Centre of visual weight. */
  readonly centre: Point;
  readonly balance: 'balanced' | 'heavier on the left' | 'heavier on the right';
  readonly verticalBalance: 'even' | 'heavier above' | 'heavier below';
  readonly weightLeft: number;
  readonly weightTop: number;
  /** The intersection of thirds at the first point, if any. */
  readonly third?: { readonly name: string; readonly distance: number };
  readonly isCentred: boolean;
}

const POINTS_MAX = 4;
/** Minimum distance between two points, relative to the sides. */
const APART = 0.22;
/** Radius of the surround, in standard deviations of the smoothing. */
const SURROUND = 10;
/** Standard deviation of the central weighting, relative to the sides. */
const CENTRAL = 0.7;
/** Excluded margin at each edge, relative to the sides. */
const RIM = 0.05;
const ON_THIRD = 0.09;
const UNEVEN = 0.57;

/** Measures focal points and the distribution of visual weight. */
export function measureFocus(planes: Planes): Focus {
  const { width, height } = planes;
  const salience = salienceOf(planes);
  const points = peaksOf(salience, width, height);
  const { centre, left, top, total } = weighSalience(salience, width, height);
  const [weightLeft, weightTop] = total > 0 ? [left / total, top / total] : [0.5, 0.5];
  const [first] = points;
  const third = first && thirdAt(first);
  return {
    points,
    concentration: first ? concentrationAt(salience, width, height, first) : 0,
    centre,
    balance: sideOf(weightLeft, 'heavier on the left', 'balanced', 'heavier on the right'),
    verticalBalance: sideOf(weightTop, 'heavier above', 'even', 'heavier below'),
    weightLeft,
    weightTop,
    ...(third && { third }),
    isCentred: first !== undefined && Math.hypot(first.x - 0.5, first.y - 0.5) < 0.1,
  };
}

const sideOf = <T>(part: number, more: T, even: T, less: T): T =>
  part > UNEVEN ? more : part < 1 - UNEVEN ? less : even;

/**
 * Salience: the colour difference of each pixel from its surroundings plus local contrast, both smoothed to the size of typical objects, with
 * slightly less weight towards the edges. Sources: Itti, Koch and Niebur, "A model of saliency-based visual attention", 1998 (centre and surround);
 * Tatler, "The central fixation bias", 2007.
 */
function salienceOf({ width, height, lightness, a, b }: Planes): Float32Array {
  const sigma = Math.max(1, 0.012 * Math.max(width, height));
  const [light, green, blue] = [lightness, a, b].map((plane) => {
    const smooth = blurPlane(plane, width, height, sigma);
    const around = blurPlane(smooth, width, height, SURROUND * sigma);
    return smooth.map((value, at) => value - around[at]!);
  }) as [Float32Array, Float32Array, Float32Array];
  const steps = blurPlane(gradientOf(lightness, width, height).size, width, height, 2 * sigma);
  const out = new Float32Array(lightness.length);
  for (let at = 0; at < out.length; at++) {
    // Math.hypot is many times slower.
    const far = Math.sqrt((light[at]! / 100) ** 2 + 9 * green[at]! ** 2 + 9 * blue[at]! ** 2);
    const x = ((at % width) + 0.5) / width - 0.5;
    const y = (Math.floor(at / width) + 0.5) / height - 0.5;
    out[at] = (far + steps[at]! / 40) * Math.exp(-(x * x + y * y) / (2 * CENTRAL * CENTRAL));
  }
  const wide = blurPlane(out, width, height, 2.5 * sigma);
  const sorted = wide.filter((_, at) => at % 7 === 0).sort();
  // The median is treated as background.
  const ground = sorted[sorted.length >> 1] ?? 0;
  return wide.map((value) => (value - ground < 0.004 ? 0 : value - ground));
}

/** Local maxima that are apart from each other and from the edges, where reproductions show frames and canvas edges. */
function peaksOf(salience: Float32Array, width: number, height: number): FocalPoint[] {
  const left = clearRim(salience, width, height);
  const found: FocalPoint[] = [];
  while (found.length < POINTS_MAX) {
    const at = left.reduce((best, value, index) => (value > left[best]! ? index : best), 0);
    const value = left[at] ?? 0;
    if (value < 0.02 || (found.length > 0 && value < 0.45 * salience[placeIn(found[0]!, width, height)]!))
      break;
    const point = middleOf(salience, { width, height, at });
    const strength = found.length === 0 ? 1 : value / salience[placeIn(found[0]!, width, height)]!;
    found.push({ ...point, strength: Math.min(1, strength) });
    clearAround(left, width, height, point, {
      x: ((at % width) + 0.5) / width,
      y: (Math.floor(at / width) + 0.5) / height,
    });
  }
  return found;
}

function clearRim(salience: Float32Array, width: number, height: number): Float32Array {
  const [across, down] = [Math.round(RIM * width), Math.round(RIM * height)];
  return salience.map((value, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return x < across || y < down || x >= width - across || y >= height - down ? 0 : value;
  });
}

const placeIn = ({ x, y }: Point, width: number, height: number): number =>
  Math.min(height - 1, Math.floor(y * height)) * width + Math.min(width - 1, Math.floor(x * width));

/** Mean position of similarly strong pixels around a peak: the centre of the object instead of a point on its edge. */
function middleOf(
  salience: Float32Array,
  { width, height, at }: { width: number; height: number; at: number },
): Point {
  const [column, row] = [at % width, Math.floor(at / width)];
  const reach = Math.round(0.1 * Math.max(width, height));
  let [sumX, sumY, weight] = [0, 0, 0];
  for (let y = Math.max(0, row - reach); y <= Math.min(height - 1, row + reach); y++)
    for (let x = Math.max(0, column - reach); x <= Math.min(width - 1, column + reach); x++) {
      const value = salience[y * width + x]! - 0.6 * salience[at]!;
      if (value <= 0) continue;
      sumX += value * (x + 0.5);
      sumY += value * (y + 0.5);
      weight += value;
    }
  return { x: sumX / weight / width, y: sumY / weight / height };
}

function clearAround(plane: Float32Array, width: number, height: number, ...points: Point[]): void {
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const isNear = points.some(
        (point) => ((x + 0.5) / width - point.x) ** 2 + ((y + 0.5) / height - point.y) ** 2 < APART ** 2,
      );
      if (isNear) plane[y * width + x] = 0;
    }
}

function weighSalience(salience: Float32Array, width: number, height: number) {
  let [sumX, sumY, total, left, top] = [0, 0, 0, 0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const value = salience[y * width + x]!;
      const [partX, partY] = [(x + 0.5) / width, (y + 0.5) / height];
      sumX += value * partX;
      sumY += value * partY;
      total += value;
      left += partX < 0.5 ? value : partX === 0.5 ? value / 2 : 0;
      top += partY < 0.5 ? value : partY === 0.5 ? value / 2 : 0;
    }
  const centre = total > 0 ? { x: sumX / total, y: sumY / total } : { x: 0.5, y: 0.5 };
  return { centre, left, top, total };
}

function concentrationAt(salience: Float32Array, width: number, height: number, { x, y }: Point): number {
  let [near, all] = [0, 0];
  for (let at = 0; at < salience.length; at++) {
    const [partX, partY] = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height];
    all += salience[at]!;
    if ((partX - x) ** 2 + (partY - y) ** 2 < 0.04) near += salience[at]!;
  }
  return all > 0 ? near / all : 0;
}

function thirdAt({ x, y }: Point): { name: string; distance: number } | undefined {
  const [column, row] = [x < 0.5 ? 1 / 3 : 2 / 3, y < 0.5 ? 1 / 3 : 2 / 3];
  const distance = Math.hypot(x - column, y - row);
  if (distance > ON_THIRD) return undefined;
  return { name: `${row < 0.5 ? 'upper' : 'lower'} ${column < 0.5 ? 'left' : 'right'}`, distance };
}
