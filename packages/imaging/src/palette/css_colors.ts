export interface Hsl {
  /** 0–360, 0–100, 0–100, to one decimal: precise enough to restore the same 8-bit colour. */
  readonly h: number;
  readonly s: number;
  readonly l: number;
}

/** `#rrggbb` for 0xRRGGBB. */
export const hexOf = (color: number): string => `#${color.toString(16).padStart(6, '0')}`;

/** Hue, saturation and lightness of 0xRRGGBB as CSS defines them. */
export function hslOf(color: number): Hsl {
  const [r, g, b] = [color >> 16, (color >> 8) & 255, color & 255].map((byte) => byte / 255) as [
    number,
    number,
    number,
  ];
  const most = Math.max(r, g, b);
  const range = most - Math.min(r, g, b);
  const lightness = most - range / 2;
  if (range === 0) return { h: 0, s: 0, l: roundToTenths(100 * lightness) };
  const sixth = most === r ? (g - b) / range + 6 : most === g ? (b - r) / range + 2 : (r - g) / range + 4;
  return {
    h: roundToTenths((60 * sixth) % 360) % 360,
    s: roundToTenths((100 * range) / (1 - Math.abs(2 * lightness - 1))),
    l: roundToTenths(100 * lightness),
  };
}

const roundToTenths = (value: number): number => Math.round(10 * value) / 10;
