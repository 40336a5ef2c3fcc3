import { srgbToLinear } from '../pixels/srgb_transfer.ts';

export interface Rgb {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

/** Relative luminance of an 8-bit sRGB colour. WCAG 2.2, "relative luminance" */
const luminanceOf = ({ r, g, b }: Rgb): number =>
  0.2126 * srgbToLinear(r / 255) + 0.7152 * srgbToLinear(g / 255) + 0.0722 * srgbToLinear(b / 255);

/** 1 for equal colours, 21 for black on white. WCAG 2.2, "contrast ratio" */
export function contrastRatio(one: Rgb, other: Rgb): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Minimum ratios of WCAG 2.2, success criteria 1.4.3 and 1.4.6; the last applies to large text. */
const LEVELS = [
  ['AAA', 7],
  ['AA', 4.5],
  ['AA large', 3],
] as const;

export type ContrastLevel = (typeof LEVELS)[number][0];

export interface ContrastPair<Color> {
  readonly text: Color;
  readonly background: Color;
  readonly ratio: number;
  readonly level: ContrastLevel;
}

/**
 * Pairs of colours with readable contrast, highest contrast first; the darker colour is the text.
 * @returns only pairs that reach at least one level
 */
export function contrastPairs<Color extends { readonly rgb: Rgb }>(
  colors: readonly Color[],
): ContrastPair<Color>[] {
  const pairs = colors.flatMap((one, at) => colors.slice(at + 1).map((other) => [one, other] as const));
  return pairs
    .flatMap(([one, other]) => {
      const ratio = contrastRatio(one.rgb, other.rgb);
      const level = LEVELS.find(([, least]) => ratio >= least)?.[0];
      const isFirstDark = luminanceOf(one.rgb) <= luminanceOf(other.rgb);
      const [text, background] = isFirstDark ? [one, other] : [other, one];
      return level ? [{ text, background, ratio, level }] : [];
    })
    .sort((one, other) => other.ratio - one.ratio);
}
