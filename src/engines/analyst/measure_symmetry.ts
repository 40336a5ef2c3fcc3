import type { Margins } from './measure_reproduction.ts';
import { blurred, correlation, type Planes } from './planes.ts';

export interface Symmetry {
  /** Correlation of the picture with its mirror image, -1 to 1; 0 where it does not vary. */
  readonly leftRight: number;
  readonly topBottom: number;
  readonly name: 'none' | 'approximate' | 'strong';
  readonly axis?: 'vertical' | 'horizontal' | 'both';
}

const SIDE = 48;
const [APPROXIMATE, STRONG] = [0.45, 0.7];

/**
 * How like its mirror images the picture is, in shapes of a twentieth to a quarter of its side; even shading is left out.
 * Its inner part must be as well: any frame or mount is symmetric.
 */
export function measureSymmetry(planes: Planes, margins?: Margins): Symmetry {
  if (Math.min(planes.width, planes.height) < 24) return { leftRight: 0, topBottom: 0, name: 'none' };
  const [all, inner] = [likenessOf(planes), likenessOf(withoutRim(planes, margins))];
  const leftRight = Math.min(all.leftRight, inner.leftRight);
  const topBottom = Math.min(all.topBottom, inner.topBottom);
  const best = Math.max(leftRight, topBottom);
  if (best < APPROXIMATE || inner.deviation < 0.8) return { leftRight, topBottom, name: 'none' };
  const axis =
    Math.min(leftRight, topBottom) >= APPROXIMATE
      ? 'both'
      : leftRight > topBottom
        ? 'vertical'
        : 'horizontal';
  return { leftRight, topBottom, name: best >= STRONG ? 'strong' : 'approximate', axis };
}

const RIM = 0.12;
const NO_MARGINS: Margins = { top: 0, right: 0, bottom: 0, left: 0 };

function withoutRim({ width, height, lightness, a, b }: Planes, margins: Margins = NO_MARGINS): Planes {
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

function likenessOf({ width, height, lightness, a, b }: Planes) {
  const planes = [lightness, a.map((value) => 150 * value), b.map((value) => 150 * value)].map((plane) =>
    shapesOf(squeezed(plane, width, height)),
  );
  const all = Float32Array.from(planes.flatMap((plane) => [...plane]));
  const mirrored = (place: (x: number, y: number) => number) =>
    Float32Array.from(
      planes.flatMap((plane) =>
        Array.from(plane, (_, at) => plane[place(at % SIDE, Math.floor(at / SIDE))]!),
      ),
    );
  const leftRight = correlation(
    all,
    mirrored((x, y) => y * SIDE + SIDE - 1 - x),
  );
  const topBottom = correlation(
    all,
    mirrored((x, y) => (SIDE - 1 - y) * SIDE + x),
  );
  return { leftRight, topBottom, deviation: deviationOf(all) };
}

const deviationOf = (values: Float32Array): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

/** Means of SIDE × SIDE equal parts. */
function squeezed(plane: Float32Array, width: number, height: number): Float32Array {
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
  const fine = blurred(plane, SIDE, SIDE, 1.2);
  const coarse = blurred(plane, SIDE, SIDE, 11);
  return fine.map((value, at) => value - coarse[at]!);
}
