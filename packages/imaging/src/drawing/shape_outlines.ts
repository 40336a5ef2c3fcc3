import type { PathCommand } from './outline.ts';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Control point distance of a cubic curve that approximates a quarter circle to 0.03 %. */
const QUARTER = 0.552_284_75;

/** @param radius corner radius, clamped to half the shorter side */
export function rectangle({ x, y, width, height }: Box, radius = 0): PathCommand[] {
  const r = Math.max(0, Math.min(radius, width / 2, height / 2));
  const [right, bottom] = [x + width, y + height];
  if (r === 0) return polygon([x, y, right, y, right, bottom, x, bottom]);
  const k = r * (1 - QUARTER);
  return [
    { type: 'M', values: [x + r, y] },
    { type: 'L', values: [right - r, y] },
    { type: 'C', values: [right - k, y, right, y + k, right, y + r] },
    { type: 'L', values: [right, bottom - r] },
    { type: 'C', values: [right, bottom - k, right - k, bottom, right - r, bottom] },
    { type: 'L', values: [x + r, bottom] },
    { type: 'C', values: [x + k, bottom, x, bottom - k, x, bottom - r] },
    { type: 'L', values: [x, y + r] },
    { type: 'C', values: [x, y + k, x + k, y, x + r, y] },
    { type: 'Z', values: [] },
  ];
}

/** Outline of the ellipse that fills a box. */
export function ellipse({ x, y, width, height }: Box): PathCommand[] {
  const [a, b, cx, cy] = [width / 2, height / 2, x + width / 2, y + height / 2];
  const [ka, kb] = [a * QUARTER, b * QUARTER];
  return [
    { type: 'M', values: [cx + a, cy] },
    { type: 'C', values: [cx + a, cy + kb, cx + ka, cy + b, cx, cy + b] },
    { type: 'C', values: [cx - ka, cy + b, cx - a, cy + kb, cx - a, cy] },
    { type: 'C', values: [cx - a, cy - kb, cx - ka, cy - b, cx, cy - b] },
    { type: 'C', values: [cx + ka, cy - b, cx + a, cy - kb, cx + a, cy] },
    { type: 'Z', values: [] },
  ];
}

/** @param points x, y, x, y … */
export const polygon = (points: readonly number[]): PathCommand[] => [
  ...polyline(points),
  { type: 'Z', values: [] },
];

export const polyline = (points: readonly number[]): PathCommand[] =>
  Array.from({ length: points.length / 2 }, (_, at) => ({
    type: at === 0 ? 'M' : 'L',
    values: [points[2 * at]!, points[2 * at + 1]!],
  }));
