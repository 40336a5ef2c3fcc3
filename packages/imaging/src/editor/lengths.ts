import type { Size } from '../pixels/plane.ts';
import type { Part } from '../resample/resample.ts';
import { invalidOperation } from './refuse.ts';

/** Pixels, or text with a unit: "12%", "5mm", "1in", "20px". */
export type Length = number | string;

const UNITS: Readonly<Record<string, number>> = { mm: 25.4, cm: 2.54, in: 1, pt: 72, pc: 6, q: 101.6 };

/** The format that `resolveLength` parses. */
export const LENGTH_PATTERN =
  /^\s*([+-]?(?:\d{1,7}(?:\.\d{1,9})?|\.\d{1,9}))\s*(?:(px|%|mm|cm|in|pt|pc|q)\s*)?$/i;

/**
 * Converts a length to pixels, not rounded.
 * @param whole length of 100 %, px
 * @throws EngineError invalid_input for other text
 */
export function resolveLength(length: Length, { whole, dpi }: { whole: number; dpi: number }): number {
  if (typeof length === 'number') return length;
  const [, number, unit = 'px'] = LENGTH_PATTERN.exec(length) ?? [];
  if (number === undefined)
    throw invalidOperation(
      `"${length.slice(0, 40)}" is not a length. Send pixels (120), "12%", "5mm" or "1in".`,
    );
  if (unit === '%') return (Number(number) / 100) * whole;
  const perInch = UNITS[unit.toLowerCase()];
  return perInch === undefined ? Number(number) : (Number(number) / perInch) * dpi;
}

export interface Box {
  readonly x: Length;
  readonly y: Length;
  readonly width: Length;
  readonly height: Length;
}

/** A box in pixels, not rounded and not clipped. */
export function resolveBox({ x, y, width, height }: Box, canvas: Size, dpi: number): Part {
  return {
    left: resolveLength(x, { whole: canvas.width, dpi }),
    top: resolveLength(y, { whole: canvas.height, dpi }),
    width: resolveLength(width, { whole: canvas.width, dpi }),
    height: resolveLength(height, { whole: canvas.height, dpi }),
  };
}

/** The nearest box of whole pixels: rounds its edges, not its sides. */
export function wholeBox({ left, top, width, height }: Part): Part {
  const [x, y] = [Math.round(left), Math.round(top)];
  return { left: x, top: y, width: Math.round(left + width) - x, height: Math.round(top + height) - y };
}

/** The part of a box inside the canvas; with sides of 0 if there is none. */
export function clipBox({ left, top, width, height }: Part, canvas: Size): Part {
  const [x, y] = [Math.min(canvas.width, Math.max(0, left)), Math.min(canvas.height, Math.max(0, top))];
  return {
    left: x,
    top: y,
    width: Math.max(0, Math.min(canvas.width, left + width) - x),
    height: Math.max(0, Math.min(canvas.height, top + height) - y),
  };
}

export const GRAVITIES = [
  'centre',
  'north',
  'northeast',
  'east',
  'southeast',
  'south',
  'southwest',
  'west',
  'northwest',
] as const;
export type Gravity = (typeof GRAVITIES)[number];

/** Fractions of the free space on the left and at the top. */
export function sharesOf(gravity: Gravity): readonly [across: number, down: number] {
  const across = gravity.endsWith('west') ? 0 : gravity.endsWith('east') ? 1 : 0.5;
  const down = gravity.startsWith('north') ? 0 : gravity.startsWith('south') ? 1 : 0.5;
  return [across, down];
}

/** Position of a box of a given size, `margin` pixels from the edges it is aligned with. */
export function placeBy(gravity: Gravity, size: Size, canvas: Size, margin = 0): Part {
  const [across, down] = sharesOf(gravity);
  const place = (share: number, free: number) =>
    share * free + (share === 0 ? margin : share === 1 ? -margin : 0);
  return {
    left: Math.round(place(across, canvas.width - size.width)),
    top: Math.round(place(down, canvas.height - size.height)),
    width: size.width,
    height: size.height,
  };
}

/** Aspect ratio as a number, from "16:9", "16/9", "1.5" or 1.5. */
export function aspectOf(aspect: number | string): number {
  const [, width, height = '1'] =
    /^\s*(\d{1,6}(?:\.\d{1,6})?)\s*(?:[:/x×]\s*(\d{1,6}(?:\.\d{1,6})?)\s*)?$/.exec(String(aspect)) ?? [];
  const value = Number(width) / Number(height);
  if (!(value >= 0.001 && value <= 1000))
    throw invalidOperation(`aspect ${String(aspect).slice(0, 20)} is not a ratio. Send "16:9" or 1.5.`);
  return value;
}
