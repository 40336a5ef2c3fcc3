import type { z } from 'zod';

/**
 * What a field is also called, and what is also understood in it, where nothing else could be meant. Models write so; the
 * documents name the one proper way.
 */

const NAMES = new WeakMap<object, readonly string[]>();
const READINGS = new WeakMap<object, Reading>();
const SUGGESTIONS = new WeakMap<object, Suggested>();

/** Makes of what was sent what the field takes; undefined where that would be a guess. */
export type Reading = (sent: unknown) => unknown;
/** What a missing field can only be, by what came beside it; undefined where it could be more. */
export type Suggested = (beside: Readonly<Record<string, unknown>>) => unknown;

/** A call that has one of these names, and not the field, means the field. */
export function alsoCalled<Schema extends z.ZodType>(schema: Schema, ...names: string[]): Schema {
  NAMES.set(schema, names);
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

export const namesOf = (schema: object): readonly string[] => NAMES.get(schema) ?? [];
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
      (typeof sent === 'string' && /^\s*(\d{1,9}(?:\.\d{1,9})?)\s*(\D{1,3}?)\s*$/.exec(sent)) || [];
    return unit && units.includes(unit.toLowerCase()) ? Number(number) : undefined;
  };

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
