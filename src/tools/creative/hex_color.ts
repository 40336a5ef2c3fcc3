import { z } from 'zod';

/** A colour as #rrggbb or #rgb, the # may be missing. */
export const hexColorField = z
  .string()
  .regex(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'must be a hex colour such as #f5f5f5');

/** Its three samples, 0 to 255. */
export function rgbOfHex(color: string): [red: number, green: number, blue: number] {
  const digits = color.replace('#', '');
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
  return [red!, green!, blue!];
}
