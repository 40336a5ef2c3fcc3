import { parseCssColor } from '../color/css_color.ts';
import type { Operation } from './operations.ts';

/** Operations that bring no colours but those of a field. */
const PLAIN: ReadonlySet<Operation['op']> = new Set([
  ...(['crop', 'trim', 'rotate', 'straighten', 'flip', 'resize', 'perspective', 'pad', 'border'] as const),
  ...(['round', 'adjust', 'sharpen', 'denoise', 'blur', 'pixelate', 'redact', 'opacity', 'flatten'] as const),
]);

/**
 * Whether an operation can work on numbers of other primaries than sRGB: it mixes colours of the picture, and what it adds is grey, whose numbers are
 * the same under the white of both.
 */
export const keepsPrimaries = (operation: Operation): boolean =>
  PLAIN.has(operation.op) &&
  [fieldOf(operation, 'color'), fieldOf(operation, 'background')].every(
    (text) => text === undefined || isGrey(text),
  );

const fieldOf = (operation: Operation, name: string): string | undefined => {
  const value = (operation as unknown as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
};

/** Words such as "edge" are no colours. */
function isGrey(text: string): boolean {
  const color = parseCssColor(text);
  return color === undefined || (color[0] === color[1] && color[1] === color[2]);
}
