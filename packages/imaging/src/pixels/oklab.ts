import { linearToSrgb, srgbToLinear } from './srgb_transfer.ts';

/** Lightness 0–1, green–red, blue–yellow. Equal distances look about equally different; 0.02 is just noticeable. */
export type Oklab = readonly [lightness: number, a: number, b: number];

/**
 * OKLab of an 8-bit sRGB colour.
 * Source: Björn Ottosson, "A perceptual color space for image processing", 2020.
 */
export function oklabOf(red: number, green: number, blue: number): Oklab {
  const r = srgbToLinear(red / 255);
  const g = srgbToLinear(green / 255);
  const b = srgbToLinear(blue / 255);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** The nearest 8-bit sRGB colour as 0xRRGGBB; channels outside the gamut are clipped. */
export function rgbOf([lightness, a, b]: Oklab): number {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = linearToSrgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = linearToSrgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = linearToSrgb(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return (Math.round(red) << 16) | (Math.round(green) << 8) | Math.round(blue);
}

/** ΔE_OK: Euclidean distance. */
export function oklabDistance(one: Oklab, other: Oklab): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}
