import { parseCssColor, type Rgba } from '../color/css_color.ts';
import { invalidOperation } from './refuse.ts';

export type { Rgba };

/** Parses a CSS colour. @throws OperationRefused for other text */
export function parseColor(text: string): Rgba {
  const color = parseCssColor(text);
  if (color) return color;
  throw invalidOperation(
    `"${text.slice(0, 40)}" is not a colour. Send a CSS colour: "white", "#c0ffee", "rgb(0 0 0 / 50%)", "oklch(0.7 0.1 200)", "transparent".`,
  );
}
