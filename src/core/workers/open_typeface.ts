import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { joinTypefaces } from '@atelier/imaging/typography/join_typefaces.ts';
import { openTypeface, type Typeface } from '@atelier/imaging/typography/typeface.ts';

const require = createRequire(import.meta.url);

/** Atkinson Hyperlegible, designed for distinguishable letters (Braille Institute, OFL-1.1). */
const FILES = {
  regular: require.resolve(
    '@fontsource/atkinson-hyperlegible/files/atkinson-hyperlegible-latin-400-normal.woff',
  ),
  bold: require.resolve(
    '@fontsource/atkinson-hyperlegible/files/atkinson-hyperlegible-latin-700-normal.woff',
  ),
} as const;
const opened = new Map<keyof typeof FILES, Typeface>();

/** Typeface of sheets; stays open for the next one. */
export function typefaceOf(weight: keyof typeof FILES): Typeface {
  const found = opened.get(weight) ?? openTypeface(readFileSync(FILES[weight]));
  opened.set(weight, found);
  return found;
}

/** Manrope (OFL-1.1): covers the official languages of the EU, including Greek and Cyrillic. */
const LABEL_FILES = [
  require.resolve('@fontsource/manrope/files/manrope-latin-700-normal.woff'),
  require.resolve('@fontsource/manrope/files/manrope-latin-ext-700-normal.woff'),
  require.resolve('@fontsource/manrope/files/manrope-greek-700-normal.woff'),
  require.resolve('@fontsource/manrope/files/manrope-cyrillic-700-normal.woff'),
] as const;
let ofLabels: Typeface | undefined;

/** Typeface of labels on images. */
export function labelTypeface(): Typeface {
  const [latin, ...others] = LABEL_FILES;
  const open = (file: string): Typeface => openTypeface(readFileSync(file));
  ofLabels ??= joinTypefaces([open(latin), ...others.map(open)]);
  return ofLabels;
}
