import type { BlendMode } from './operations.ts';

type Separable = (under: number, over: number) => number;

const screen: Separable = (b, s) => b + s - b * s;
const hardLight: Separable = (b, s) => (s <= 0.5 ? b * 2 * s : screen(b, 2 * s - 1));

/** Compositing and Blending Level 1, section 10.1. */
const SEPARABLE: Partial<Record<BlendMode, Separable>> = {
  multiply: (b, s) => b * s,
  screen,
  overlay: (b, s) => hardLight(s, b),
  'hard-light': hardLight,
  'soft-light': softLight,
  darken: Math.min,
  lighten: Math.max,
  difference: (b, s) => Math.abs(b - s),
  exclusion: (b, s) => b + s - 2 * b * s,
  'color-dodge': (b, s) => (b === 0 ? 0 : s >= 1 ? 1 : Math.min(1, b / (1 - s))),
  'color-burn': (b, s) => (b >= 1 ? 1 : s <= 0 ? 0 : 1 - Math.min(1, (1 - b) / s)),
};

function softLight(b: number, s: number): number {
  if (s <= 0.5) return b - (1 - 2 * s) * b * (1 - b);
  const d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : Math.sqrt(b);
  return b + (2 * s - 1) * (d - b);
}

type Color = [number, number, number];

const lum = ([r, g, b]: Color): number => 0.3 * r + 0.59 * g + 0.11 * b;
const sat = (color: Color): number => Math.max(...color) - Math.min(...color);

/** Section 10.2. */
function clipColor(color: Color): Color {
  const l = lum(color);
  const [least, most] = [Math.min(...color), Math.max(...color)];
  let clipped = color;
  if (least < 0) clipped = clipped.map((value) => l + ((value - l) * l) / (l - least)) as Color;
  if (most > 1) clipped = clipped.map((value) => l + ((value - l) * (1 - l)) / (most - l)) as Color;
  return clipped;
}

const setLum = (color: Color, l: number): Color => {
  const d = l - lum(color);
  return clipColor([color[0] + d, color[1] + d, color[2] + d]);
};

function setSat(color: Color, s: number): Color {
  const [least, most] = [Math.min(...color), Math.max(...color)];
  return most > least ? (color.map((value) => ((value - least) * s) / (most - least)) as Color) : [0, 0, 0];
}

const NON_SEPARABLE: Partial<Record<BlendMode, (under: Color, over: Color) => Color>> = {
  hue: (b, s) => setLum(setSat(s, sat(b)), lum(b)),
  saturation: (b, s) => setLum(setSat(b, sat(s)), lum(b)),
  color: (b, s) => setLum(s, lum(b)),
  luminosity: (b, s) => setLum(b, lum(s)),
};

/** Composites a pixel over another, at index `at` of a row of RGBA floats, in encoded sRGB. */
export type LayPixel = (
  pixels: Float32Array,
  at: number,
  r: number,
  g: number,
  b: number,
  alpha: number,
) => void;

/** Compositing formula of the specification: the blended colour where both layers are, otherwise that of the only layer. */
export function layerOf(mode: BlendMode): LayPixel {
  const separable = SEPARABLE[mode];
  if (separable)
    return (pixels, at, r, g, b, alpha) =>
      lay(
        pixels,
        at,
        alpha,
        [r, g, b],
        [separable(pixels[at]!, r), separable(pixels[at + 1]!, g), separable(pixels[at + 2]!, b)],
      );
  const mixed = NON_SEPARABLE[mode];
  if (mixed)
    return (pixels, at, r, g, b, alpha) =>
      lay(pixels, at, alpha, [r, g, b], mixed([pixels[at]!, pixels[at + 1]!, pixels[at + 2]!], [r, g, b]));
  return layNormal;
}

const layNormal: LayPixel = (pixels, at, r, g, b, alpha) => {
  const under = (1 - alpha) * pixels[at + 3]!;
  const whole = alpha + under;
  if (whole === 0) return;
  pixels[at] = (alpha * r + under * pixels[at]!) / whole;
  pixels[at + 1] = (alpha * g + under * pixels[at + 1]!) / whole;
  pixels[at + 2] = (alpha * b + under * pixels[at + 2]!) / whole;
  pixels[at + 3] = whole;
};

function lay(pixels: Float32Array, at: number, alpha: number, own: Color, blended: Color): void {
  const below = pixels[at + 3]!;
  const whole = alpha + below * (1 - alpha);
  if (whole === 0) return;
  for (let channel = 0; channel < 3; channel += 1) {
    const color = (1 - below) * own[channel]! + below * blended[channel]!;
    pixels[at + channel] = (alpha * color + (1 - alpha) * below * pixels[at + channel]!) / whole;
  }
  pixels[at + 3] = whole;
}
