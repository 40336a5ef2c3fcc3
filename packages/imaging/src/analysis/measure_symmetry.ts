import type { Margins } from './measure_reproduction.ts';
import { blurPlane, correlation, type Planes } from './planes.ts';

export interface Symmetry {
  /** Correlation of the image with its mirror image, -1 to 1; 0 without variation. */
  readonly leftRight: number;
  readonly topBottom: number;
  readonly name: 'none' | 'approximate' | 'strong';
  readonly axis?: 'vertical' | 'horizontal' | 'both';
}

const SIDE = 48;
/** Chance similarity is more common between the upper and lower halves of a scene than between left and right. */
const APPROXIMATE = { leftRight: 0.55, topBottom: 0.7 };
const STRONG = 0.7;
/** L*: minimum variation along the mirrored direction. */
const DEVIATION_MIN = 0.8;

/**
 * Correlation of the image with its mirror images, in shapes of a twentieth to a quarter of its side, without even shading. Its inner part must
 * correlate as well, because any frame or mount is symmetric.
 */
export function measureSymmetry(planes: Planes, margins?: Margins): Symmetry {
  if (Math.min(planes.width, planes.height) < 24) return { leftRight: 0, topBottom: 0, name: 'none' };
  const [all, inner] = [likenessOf(planes), likenessOf(cutRim(planes, margins))];
  const leftRight = Math.min(all.leftRight, inner.leftRight);
  const topBottom = Math.min(all.topBottom, inner.topBottom);
  const isAcross = leftRight >= APPROXIMATE.leftRight;
  const isDown = topBottom >= APPROXIMATE.topBottom;
  if (!isAcross && !isDown) return { leftRight, topBottom, name: 'none' };
  const axis = isAcross && isDown ? 'both' : isAcross ? 'vertical' : 'horizontal';
  const best = { both: Math.min(leftRight, topBottom), vertical: leftRight, horizontal: topBottom }[axis];
  return { leftRight, topBottom, name: best >= STRONG ? 'strong' : 'approximate', axis };
}

const RIM = 0.12;
const NO_MARGINS: Margins = { top: 0, right: 0, bottom: 0, left: 0 };

function cutRim({ width, height, lightness, a, b }: Planes, margins: Margins = NO_MARGINS): Planes {
  const rim = (margin: number) => Math.min(0.4, margin + RIM);
  const [left, top] = [Math.floor(rim(margins.left) * width), Math.floor(rim(margins.top) * height)];
  const w = width - left - Math.floor(rim(margins.right) * width);
  const h = height - top - Math.floor(rim(margins.bottom) * height);
  const cut = (plane: Float32Array) =>
    Float32Array.from(
      { length: w * h },
      (_, at) => plane[(top + Math.floor(at / w)) * width + left + (at % w)]!,
    );
  return { width: w, height: h, lightness: cut(lightness), a: cut(a), b: cut(b) };
}

/** Correlations with both mirror images; 0 without variation in that direction, because layers are not mirror images. */
function likenessOf({ width, height, lightness, a, b }: Planes) {
  const planes = [lightness, a.map((value) => 150 * value), b.map((value) => 150 * value)].map((plane) =>
    shapesOf(shrinkPlane(plane, width, height)),
  );
  return {
    leftRight: mirroredLikeness(planes, 1),
    topBottom: mirroredLikeness(planes, SIDE),
  };
}

/** @param step between samples in the mirrored direction: 1 or SIDE */
function mirroredLikeness(planes: readonly Float32Array[], step: number): number {
  const across = step === 1 ? SIDE : 1;
  const [all, mirrored] = [0, 0].map(() => new Float32Array(planes.length * SIDE * SIDE)) as [
    Float32Array,
    Float32Array,
  ];
  let at = 0;
  for (const plane of planes)
    for (let line = 0; line < SIDE; line++) {
      const first = line * across;
      let sum = 0;
      for (let place = 0; place < SIDE; place++) sum += plane[first + place * step]!;
      for (let place = 0; place < SIDE; place++) {
        all[at] = plane[first + place * step]! - sum / SIDE;
        mirrored[at++] = plane[first + (SIDE - 1 - place) * step]! - sum / SIDE;
      }
    }
  return deviationOf(all) < DEVIATION_MIN ? 0 : correlation(all, mirrored);
}

/** Means of SIDE × SIDE equal parts. */
function shrinkPlane(plane: Float32Array, width: number, height: number): Float32Array {
  const out = new Float32Array(SIDE * SIDE);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const [left, right] = [
        Math.floor((x * width) / SIDE),
        Math.max(Math.floor((x * width) / SIDE) + 1, Math.ceil(((x + 1) * width) / SIDE)),
      ];
      const [top, bottom] = [
        Math.floor((y * height) / SIDE),
        Math.max(Math.floor((y * height) / SIDE) + 1, Math.ceil(((y + 1) * height) / SIDE)),
      ];
      let sum = 0;
      for (let row = top; row < bottom; row++)
        for (let column = left; column < right; column++) sum += plane[row * width + column]!;
      out[y * SIDE + x] = sum / ((right - left) * (bottom - top));
    }
  return out;
}

function shapesOf(plane: Float32Array): Float32Array {
  const fine = blurPlane(plane, SIDE, SIDE, 1.2);
  const coarse = blurPlane(plane, SIDE, SIDE, 11);
  return fine.map((value, at) => value - coarse[at]!);
}

const deviationOf = (values: Float32Array): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
