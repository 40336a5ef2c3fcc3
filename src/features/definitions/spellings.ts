import type { z } from 'zod';

/**
 * What a field is also called, and what is also understood in it, where nothing else could be meant. Models write so; the
 * documents name the one proper way.
 */

const MEANINGS = new WeakMap<object, Meaning>();
const NAMES = new WeakMap<object, readonly string[]>();
const READINGS = new WeakMap<object, Reading>();
const SUGGESTIONS = new WeakMap<object, Suggested>();

/** Makes of what was sent what the field takes; undefined where that would be a guess. */
export type Reading = (sent: unknown) => unknown;
/** What a missing field can only be, by what came beside it; undefined where it could be more. */
export type Suggested = (beside: Fields) => unknown;

/** Fields that one value comes to, by what came beside it; undefined where the value is what it seems. */
export type Meaning = (sent: unknown, beside: Fields) => Fields | undefined;
type Fields = Readonly<Record<string, unknown>>;

/** A call that has one of these names, and not the field, means the field. */
export function alsoCalled<Schema extends z.ZodType>(schema: Schema, ...names: string[]): Schema {
  NAMES.set(schema, [...namesOf(schema), ...names]);
  return schema;
}

/** What the schema refuses is read so before it is refused. */
export function alsoRead<Schema extends z.ZodType>(schema: Schema, reading: Reading): Schema {
  READINGS.set(schema, reading);
  return schema;
}

/** What a call without it can only want. An error about its absence says it in `try`. */
export function suggested<Schema extends z.ZodType>(schema: Schema, suggestion: Suggested): Schema {
  SUGGESTIONS.set(schema, suggestion);
  return schema;
}

/** What was sent in it says several fields in one, or one of them otherwise: `size: "300x200"`. */
export function alsoMeans<Schema extends z.ZodType>(schema: Schema, meaning: Meaning): Schema {
  MEANINGS.set(schema, meaning);
  return schema;
}

export const namesOf = (schema: object): readonly string[] => NAMES.get(schema) ?? [];
export const meaningOf = (schema: object): Meaning | undefined => MEANINGS.get(schema);
export const suggestionOf = (schema: object): Suggested | undefined => SUGGESTIONS.get(schema);

/** That of the field, or of what its default or being optional wraps. */
export function readingOf(schema: object): Reading | undefined {
  const own = READINGS.get(schema);
  if (own || !('unwrap' in schema) || typeof schema.unwrap !== 'function') return own;
  return readingOf(schema.unwrap() as object);
}

/** A number with its unit, where that is the unit the field is in: "500px". */
export const inUnit =
  (...units: string[]): Reading =>
  (sent) => {
    const [, number, unit] =
      (typeof sent === 'string' && /^(\d{1,9}(?:\.\d{1,9})?)\s*(\D{1,3})$/.exec(sent.trim())) || [];
    return unit && units.includes(unit.toLowerCase()) ? Number(number) : undefined;
  };

/** A length in millimetres, centimetres or inches, as millimetres. */
export const inMillimetres: Reading = (sent) => {
  const [, number, unit] =
    (typeof sent === 'string' && /^\s*(\d{1,5}(?:\.\d{1,5})?)\s*(mm|cm|in|inch|inches|")\s*$/i.exec(sent)) ||
    [];
  if (!number || !unit) return undefined;
  const millimetres = { mm: 1, cm: 10 }[unit.toLowerCase()] ?? 25.4;
  return Math.round(Number(number) * millimetres * 1000) / 1000;
};

/** A share as its percentage: "50%" for 0.5. */
export const inPercent: Reading = (sent) => {
  const [, number] = (typeof sent === 'string' && /^\s*(\d{1,3}(?:\.\d{1,3})?)\s*%\s*$/.exec(sent)) || [];
  return number === undefined ? undefined : Number(number) / 100;
};

/** Two numbers of a size, "300x200", "300 × 200 px", and the unit of them, empty where none is named. */
export function sidesIn(sent: unknown): { width: number; height: number; unit: string } | undefined {
  if (typeof sent !== 'string') return undefined;
  const [, width, first = '', height, last = ''] =
    /^\D{0,20}?(\d{1,5}(?:\.\d{1,4})?)\s*(?:(px|mm|cm|in|inch|inches|")\s*)?(?:x|×|\*|by)\s*(\d{1,5}(?:\.\d{1,4})?)\s*(px|mm|cm|in|inch|inches|")?$/i.exec(
      sent.trim(),
    ) ?? [];
  const unit = last || first;
  return width && height && (!first || first === unit)
    ? { width: Number(width), height: Number(height), unit: unit.toLowerCase() }
    : undefined;
}

/** Whether a text was sent, and such a one. Nothing else is made a text: an object may say of itself how, and say it wrong. */
export const isText = (sent: unknown, pattern: RegExp): boolean =>
  typeof sent === 'string' && pattern.test(sent);

/** Other words for what the field takes; letters and digits alone are compared. */
export const inWords =
  (words: Readonly<Record<string, string>>): Reading =>
  (sent) =>
    typeof sent === 'string'
      ? Object.entries(words).find(([word]) => hasSameLetters(word, sent))?.[1]
      : undefined;

/** Whether two words differ in nothing but case, spaces and signs. */
export const hasSameLetters = (one: string, other: string): boolean =>
  lettersOf(one) !== '' && lettersOf(one) === lettersOf(other);

const CHARACTERS_COMPARED_MAX = 200;
const lettersOf = (text: string): string =>
  text.length > CHARACTERS_COMPARED_MAX ? '' : text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
