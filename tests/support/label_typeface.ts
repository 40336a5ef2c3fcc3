import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { joinTypefaces } from '@atelier/imaging/typography/join_typefaces.ts';
import { openTypeface } from '@atelier/imaging/typography/typeface.ts';

const open = (script: string) =>
  openTypeface(
    readFileSync(
      createRequire(import.meta.url).resolve(`@fontsource/manrope/files/manrope-${script}-700-normal.woff`),
    ),
  );

/** A typeface with Latin, Greek and Cyrillic letters. */
export const labelTypeface = joinTypefaces([open('latin'), ...['latin-ext', 'greek', 'cyrillic'].map(open)]);
