import { scaleLengths } from '../preview.ts';
import { OPERATION_FIELDS, type SentOperation } from './operation_fields.ts';

/** Scales the lengths of an operation for an image whose sides are `scale` times as long. */
export function scaleOperation(operation: SentOperation, by: { scale: number; dpi: number }): SentOperation {
  const scaled = scaleLengths(OPERATION_FIELDS[operation.op], operation, by);
  return scaled.op === 'shape' && scaled.path !== undefined
    ? { ...scaled, path: scalePath(scaled.path, by.scale) }
    : scaled;
}

/** Numbers of an arc command in an SVG path: radii, an angle, two flags and a point. */
const ARC_NUMBERS = 7;
const ARC_LENGTHS: ReadonlySet<number> = new Set([0, 1, 5, 6]);

/** SVG path data with every coordinate times `scale`. Flags of arcs must be separated from the next number. */
export function scalePath(path: string, scale: number): string {
  return path.replace(/([a-z])([^a-z]*)/gi, (_, command: string, values: string) => {
    let at = 0;
    const isArc = command.toLowerCase() === 'a';
    const scaled = values.replace(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi, (text) => {
      const isLength = !isArc || ARC_LENGTHS.has(at % ARC_NUMBERS);
      at += 1;
      return isLength ? ` ${Number(text) * scale} ` : ` ${text} `;
    });
    return `${command}${scaled}`;
  });
}
