/** sRGB transfer function: encoded sample to linear light, both 0 to 1. IEC 61966-2-1 */
export const srgbToLinear = (sample: number): number =>
  sample <= 0.04045 ? sample / 12.92 : ((sample + 0.055) / 1.055) ** 2.4;

/** Linear light of each 8-bit sRGB sample. */
export const LINEAR = Float64Array.from({ length: 256 }, (_, byte) => srgbToLinear(byte / 255));

/** Inverse sRGB transfer function: linear light to an unrounded sample, clipped to 0 to 255. */
export function linearToSrgb(light: number): number {
  const sample = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
  return 255 * Math.min(1, Math.max(0, sample));
}
