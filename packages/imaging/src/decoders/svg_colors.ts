import { parseCssColor } from '../color/css_color.ts';

/** Where an SVG names a colour: an attribute, or a declaration of CSS. */
const COLORS =
  /\b((?:fill|stroke|color|stop-color|flood-color|lighting-color)\s{0,20}[:=]\s{0,20}["']?\s{0,20})(rebeccapurple\b|[a-z-]{3,12}\([^()"';]{1,200}\))/gi;
const UNREAD_MAX = 5;

/**
 * Colours of CSS Color 4 in the words of CSS 2, as resvg reads no others and draws them black: rebeccapurple, rgb(255 0 0 / 50%), hwb, lab, oklch.
 * @returns also the functions of those that are not known here either
 */
export function plainSvgColors(text: string): { readonly text: string; readonly unread: readonly string[] } {
  const unread = new Set<string>();
  const plain = text.replace(COLORS, (whole, before: string, sent: string) => {
    if (/^url\(/i.test(sent)) return whole;
    const color = parseCssColor(sent);
    if (!color) {
      if (unread.size < UNREAD_MAX) unread.add(sent.slice(0, sent.indexOf('(')));
      return whole;
    }
    const [red, green, blue] = color.slice(0, 3).map((value) => Math.round(255 * value));
    return `${before}rgba(${red},${green},${blue},${color[3]})`;
  });
  return { text: plain, unread: [...unread] };
}
