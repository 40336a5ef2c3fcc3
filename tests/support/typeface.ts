import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openTypeface } from '@atelier/imaging/typography/typeface.ts';

const FILE = '@fontsource/atkinson-hyperlegible/files/atkinson-hyperlegible-latin-400-normal.woff';

/** A typeface with Latin letters. */
export const typeface = openTypeface(readFileSync(createRequire(import.meta.url).resolve(FILE)));
