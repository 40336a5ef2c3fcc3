import { z } from 'zod';
import { alsoRead } from './spellings.ts';

/** A colour as #rrggbb or #rgb, the # may be missing. */
export const hexColorField = alsoRead(
  z.string().regex(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'must be a hex colour such as #f5f5f5'),
  hexOfCss,
);

/** A list of them is read from text with commas between. */
export const hexColorsIn = (sent: unknown): unknown =>
  typeof sent === 'string' && /^[^[\]{}()]{1,1000}$/.test(sent)
    ? sent.split(',').map((color) => hexOfCss(color) ?? color.trim())
    : undefined;

/** Of the basic names of CSS, of rgb(…) in whole samples, of a list or an object of these, and of `{hex}`. */
export function hexOfCss(sent: unknown): string | undefined {
  const samplesSent = Array.isArray(sent) ? sent : isRgb(sent) ? [sent.r, sent.g, sent.b] : undefined;
  if (samplesSent) return samplesSent.length === 3 ? hexOfCss(`rgb(${samplesSent.join(',')})`) : undefined;
  if (typeof sent === 'object' && sent !== null && 'hex' in sent) return plainHex(sent.hex);
  if (typeof sent !== 'string') return undefined;
  const word = sent.trim().toLowerCase();
  if (Object.hasOwn(CSS_NAMES, word)) return CSS_NAMES[word];
  const [, ...samples] = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(word) ?? [];
  if (samples.length === 0 || samples.some((sample) => Number(sample) > 255)) return undefined;
  return `#${samples.map((sample) => Number(sample).toString(16).padStart(2, '0')).join('')}`;
}

const isRgb = (sent: unknown): sent is { r: unknown; g: unknown; b: unknown } =>
  typeof sent === 'object' && sent !== null && 'r' in sent && 'g' in sent && 'b' in sent;

const plainHex = (sent: unknown): string | undefined =>
  typeof sent === 'string' && /^#?[0-9a-fA-F]{3,6}$/.test(sent) ? sent : undefined;

/** CSS Color Module Level 4, section 6.1, without those hardly used. */
const CSS_NAMES: Readonly<Record<string, string>> = {
  black: '#000000',
  white: '#ffffff',
  gray: '#808080',
  grey: '#808080',
  silver: '#c0c0c0',
  red: '#ff0000',
  maroon: '#800000',
  orange: '#ffa500',
  yellow: '#ffff00',
  olive: '#808000',
  lime: '#00ff00',
  green: '#008000',
  cyan: '#00ffff',
  teal: '#008080',
  blue: '#0000ff',
  navy: '#000080',
  magenta: '#ff00ff',
  purple: '#800080',
  pink: '#ffc0cb',
  brown: '#a52a2a',
};

/** Its three samples, 0 to 255. */
export function rgbOfHex(color: string): [red: number, green: number, blue: number] {
  const digits = color.replace('#', '');
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
  return [red!, green!, blue!];
}
