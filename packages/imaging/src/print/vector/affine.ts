import { IDENTITY, type Matrix } from '../../preflight/content/matrix.ts';
import { writeNumber } from '../../preflight/convert/write_value.ts';

/** Parses `matrix(a b c d e f)` as usvg writes it. Identity if absent. */
export function parseMatrix(text: string | undefined): Matrix {
  const numbers =
    /^matrix\(([^)]*)\)$/
      .exec(text ?? '')?.[1]
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  return numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as unknown as Matrix) : IDENTITY;
}

export const matrixText = (matrix: Matrix): string => matrix.map(writeMatrixNumber).join(' ');

/** Nine decimals for small values, so that a scale of 0.0001 keeps its precision. */
function writeMatrixNumber(value: number): string {
  return Math.abs(value) >= 1 || value === 0
    ? writeNumber(value)
    : value.toFixed(9).replace(/\.?0+$/, '') || '0';
}
