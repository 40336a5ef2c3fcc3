import type { Raster } from '../pixels/raster.ts';
import { createCoverage } from '../vectorize/coverage.ts';
import type { Typeface } from './typeface.ts';

/** Line segments per curve of a letter: up to 100 px, the deviation is below a tenth of a pixel. */
const CURVE_LINES = 8;

/**
 * Sets one line of text as coverage, without any installed font.
 * @param size height of the em in pixels
 * @returns one byte per pixel, 0 to 255; from the ascender to the descender of the typeface, as wide as the advance of the text
 */
export function setLine(text: string, typeface: Typeface, size: number): Raster {
  const scale = size / typeface.unitsPerEm;
  const above = Math.ceil(typeface.ascender * scale);
  const height = above + Math.ceil(-typeface.descender * scale);
  const width = Math.max(1, Math.ceil(typeface.getAdvanceWidth(text, size)));
  const {
    left,
    top,
    width: across,
    height: down,
    shares,
  } = createCoverage(width, height)(outlinesOf(typeface.getPath(text, 0, above, size).commands));
  const data = new Uint8Array(width * height);
  for (let y = 0; y < down; y += 1)
    for (let x = 0; x < Math.min(across, width - left); x += 1)
      data[(top + y) * width + left + x] = Math.round(255 * shares[y * across + x]!);
  return { width, height, channels: 1, data };
}

type Commands = ReturnType<Typeface['getPath']>['commands'];

/** Closed polygons of points x, y, x, y …, with curves as short line segments. */
export function outlinesOf(commands: Commands): number[][] {
  const outlines: number[][] = [];
  let points: number[] = [];
  for (const command of commands) {
    if (command.type === 'Z') continue;
    if (command.type === 'M') {
      points = [];
      outlines.push(points);
    }
    const [x0, y0] = points.slice(-2) as [number, number];
    for (let line = 1; line < CURVE_LINES; line += 1) {
      const t = line / CURVE_LINES;
      if (command.type === 'Q') points.push(...quadraticAt(x0, y0, command, t));
      if (command.type === 'C') points.push(...cubicAt(x0, y0, command, t));
    }
    points.push(command.x, command.y);
  }
  return outlines;
}

interface Quadratic {
  readonly x1: number;
  readonly y1: number;
  readonly x: number;
  readonly y: number;
}

const quadraticAt = (x0: number, y0: number, { x1, y1, x, y }: Quadratic, t: number): [number, number] => {
  const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
  return [a * x0 + b * x1 + c * x, a * y0 + b * y1 + c * y];
};

interface Cubic extends Quadratic {
  readonly x2: number;
  readonly y2: number;
}

function cubicAt(x0: number, y0: number, { x1, y1, x2, y2, x, y }: Cubic, t: number): [number, number] {
  const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
  return [a * x0 + b * x1 + c * x2 + d * x, a * y0 + b * y1 + c * y2 + d * y];
}
