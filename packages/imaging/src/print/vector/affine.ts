import { IDENTITY, type Matrix } from '../../preflight/content/matrix.ts';
import { writeNumber } from '../../preflight/convert/write_value.ts';

/** What usvg writes: `matrix(a b c d e f)`; the identity where there is none. */
export function matrixIn(text: string | undefined): Matrix {
  const numbers =
    /^matrix\(([^)]*)\)$/
      .exec(text ?? '')?.[1]
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  return numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as unknown as Matrix) : IDENTITY;
}

export const matrixText = (matrix: Matrix): string => matrix.map(writeMatrixNumber).join(' ');

/** Six digits, however small: a scale of 0.0001 still is one. */
function writeMatrixNumber(value: number): string {
  return Math.abs(value) >= 1 || value === 0
    ? writeNumber(value)
    : value.toFixed(9).replace(/\.?0+$/, '') || '0';
}
