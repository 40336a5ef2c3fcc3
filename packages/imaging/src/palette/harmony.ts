import { type Oklab, oklabOf, rgbOf } from '../pixels/oklab.ts';
import { hexOf } from './css_colors.ts';

/** Colours that go with a picture's own, as hex. */
export interface Harmony {
  /** The most vivid of the large colours, which the others are turned from. */
  readonly base: string;
  readonly complementary: string;
  readonly analogous: readonly [string, string];
  readonly triadic: readonly [string, string];
}

interface Weighed {
  readonly rgb: { readonly r: number; readonly g: number; readonly b: number };
  readonly percentage: number;
}

/** Below this chroma a colour looks grey and has no hue to turn. */
const CHROMA_MIN = 0.03;

/**
 * Harmonies by turning the hue of one colour in OKLab, lightness kept, chroma lowered until the screen has the colour.
 * Undefined for a picture of greys.
 */
export function harmonyOf(colors: readonly Weighed[]): Harmony | undefined {
  const weighed = colors.map(({ rgb, percentage }) => {
    const lab = oklabOf(rgb.r, rgb.g, rgb.b);
    const chroma = Math.hypot(lab[1], lab[2]);
    return { lab, chroma, weight: chroma * Math.sqrt(percentage) };
  });
  const [base] = weighed
    .filter(({ chroma }) => chroma >= CHROMA_MIN)
    .sort((one, other) => other.weight - one.weight);
  if (!base) return undefined;
  const turnBase = (degrees: number): string => hexOf(fitToSrgb(turn(base.lab, degrees)));
  return {
    base: turnBase(0),
    complementary: turnBase(180),
    analogous: [turnBase(-30), turnBase(30)],
    triadic: [turnBase(120), turnBase(240)],
  };
}

function turn([lightness, a, b]: Oklab, degrees: number): Oklab {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [lightness, a * cos - b * sin, a * sin + b * cos];
}

const STEPS = 24;
/** How far clipping may move a colour before its chroma is lowered instead. */
const CLIPPED_MAX = 0.01;

/** A colour as 0xRRGGBB, its chroma lowered until sRGB has it; lightness and hue stay. */
function fitToSrgb([lightness, a, b]: Oklab): number {
  for (let step = STEPS; step > 0; step -= 1) {
    const wanted: Oklab = [lightness, (a * step) / STEPS, (b * step) / STEPS];
    const color = rgbOf(wanted);
    const found = oklabOf(color >> 16, (color >> 8) & 255, color & 255);
    if (Math.hypot(...wanted.map((value, axis) => value - found[axis]!)) < CLIPPED_MAX) return color;
  }
  return rgbOf([lightness, 0, 0]);
}
