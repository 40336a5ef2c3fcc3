import { parseCssColor } from '../color/css_color.ts';
import type { Operation } from './operations.ts';

/** Operations whose only own colours are those of a field. */
const PLAIN: ReadonlySet<Operation['op']> = new Set([
  ...(['crop', 'trim', 'rotate', 'straighten', 'flip', 'resize', 'perspective', 'pad', 'border'] as const),
  ...(['round', 'adjust', 'sharpen', 'denoise', 'blur', 'pixelate', 'redact', 'opacity', 'flatten'] as const),
]);

/**
 * Whether an operation can work on RGB values with other primaries than sRGB: it mixes only colours of the image, and any colour it adds is grey,
 * which has the same values with the same white point.
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

/** Keywords such as "edge" are not colours. */
function isGrey(text: string): boolean {
  const color = parseCssColor(text);
  return color === undefined || (color[0] === color[1] && color[1] === color[2]);
}
