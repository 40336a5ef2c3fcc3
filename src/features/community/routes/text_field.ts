import { z } from 'zod';

/** Text that must be there, of at most `charactersMax` visible characters. Line breaks stay only with `lines`. */
export const textField = (charactersMax: number, { lines = false } = {}) =>
  visibleTextField(charactersMax, lines)
    .refine((text) => text.length > 0, 'must not be empty')
    .meta({ minLength: 1, maxLength: charactersMax });

/** As `textField`, and may be absent or empty. */
export const optionalText = (charactersMax: number, { lines = false } = {}) =>
  visibleTextField(charactersMax, lines).meta({ maxLength: charactersMax }).default('');

/** Counted in code points, as JSON Schema counts, and after what cannot be seen is removed. */
const visibleTextField = (charactersMax: number, lines: boolean) =>
  z
    .string()
    .transform((text) => visibleText(lines ? text : text.replace(/[\r\n\t\u2028\u2029]+/g, ' ')))
    .refine(
      (text) => [...text].length <= charactersMax,
      `must be text of at most ${charactersMax} characters`,
    );

/**
 * The text without control, zero-width and other invisible characters, in which instructions or look-alike names can be
 * hidden. Kept: what joins emoji, and the joiners that spelling needs in Arabic and Indic scripts.
 */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(INVISIBLE, (_, kept?: string) => kept ?? '')
    .trim();
}

const scripts = [
  'Arab',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
  'Mong',
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
const LETTER = `[[${scripts}]&&[\\p{L}\\p{M}]]`;

const KEPT = [
  '(?<=\\p{Emoji})[\\uFE0E\\uFE0F]',
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
  `(?<=${LETTER})[\\u200C\\u200D](?=${LETTER})`,
].join('|');

const INVISIBLE = new RegExp(
  `(${KEPT})|[[\\p{Cc}\\p{Noncharacter_Code_Point}\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB]--[\\n\\t]]`,
  'gv',
);
