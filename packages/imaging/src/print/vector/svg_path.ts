import { type Matrix, transformPoint } from '../../preflight/content/matrix.ts';
import { writeNumber } from '../../preflight/convert/write_value.ts';

/** Operand count per path command. usvg writes only absolute commands. */
const NUMBERS: Readonly<Record<string, number>> = { M: 2, L: 2, Q: 4, C: 6, Z: 0 };

export interface PathBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Converts usvg path data to PDF operators; quadratic curves become equivalent cubic ones. Also returns the bounding
 * box of the points.
 */
export function pathOperators(data: string, matrix?: Matrix): { operators: string; box: PathBox } {
  const tokens = data.split(/[\s,]+/);
  const pieces: string[] = [];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  let [x, y] = [0, 0];
  const put = (numbers: readonly number[], operator: string): void => {
    const texts: string[] = [];
    for (let at = 0; at < numbers.length; at += 2) {
      const [px, py] = [numbers[at]!, numbers[at + 1]!];
      left = Math.min(left, px);
      right = Math.max(right, px);
      top = Math.min(top, py);
      bottom = Math.max(bottom, py);
      const [toX, toY] = matrix ? transformPoint(matrix, px, py) : [px, py];
      texts.push(writeNumber(toX), writeNumber(toY));
    }
    pieces.push(`${texts.join(' ')} ${operator}`);
  };
  for (let at = 0; at < tokens.length; ) {
    const command = tokens[at]!;
    const count = NUMBERS[command];
    at += 1;
    if (count === undefined) continue;
    const numbers = tokens.slice(at, at + count).map(Number);
    at += count;
    if (numbers.length < count || !numbers.every(Number.isFinite)) continue;
    if (command === 'Z') pieces.push('h');
    else if (command === 'M') put(numbers, 'm');
    else if (command === 'L') put(numbers, 'l');
    else if (command === 'C') put(numbers, 'c');
    else {
      const [cx, cy, toX, toY] = numbers as [number, number, number, number];
      const third = (from: number, control: number) => from + (2 / 3) * (control - from);
      put([third(x, cx), third(y, cy), third(toX, cx), third(toY, cy), toX, toY], 'c');
    }
    if (command !== 'Z') [x, y] = numbers.slice(-2) as [number, number];
  }
  return { operators: pieces.join('\n'), box: { left, top, right, bottom } };
}
