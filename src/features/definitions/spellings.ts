import type { z } from 'zod';

/**
 * Aliases, coercions and derived defaults of fields. Language models often send such unambiguous variants; documentation names only
 * the canonical form.
 */

const MEANINGS = new WeakMap<object, Derivation>();
const NAMES = new WeakMap<object, readonly string[]>();
const READINGS = new WeakMap<object, Coercion>();
const SUGGESTIONS = new WeakMap<object, FieldSuggestion>();

/** Coerces a value to the type of the field; undefined where that would be a guess. */
export type Coercion = (sent: unknown) => unknown;
/** Derives a missing field from the other fields; undefined where it is ambiguous. */
export type FieldSuggestion = (beside: Fields) => unknown;

/** Derives several fields from one value and the other fields; undefined where the value has its usual meaning. */
export type Derivation = (sent: unknown, beside: Fields) => Fields | undefined;
type Fields = Readonly<Record<string, unknown>>;

/** Adds aliases to a field, which apply where the field itself is absent. */
export function withAliases<Schema extends z.ZodType>(schema: Schema, ...names: string[]): Schema {
  NAMES.set(schema, [...aliasesOf(schema), ...names]);
  return schema;
}

/** Adds a coercion, which applies to values that the schema rejects. */
export function withCoercion<Schema extends z.ZodType>(schema: Schema, reading: Coercion): Schema {
  READINGS.set(schema, reading);
  return schema;
}

/** Adds a suggestion for a missing field, which errors return in `try`. */
export function withSuggestion<Schema extends z.ZodType>(
  schema: Schema,
  suggestion: FieldSuggestion,
): Schema {
  SUGGESTIONS.set(schema, suggestion);
  return schema;
}

/** Adds a derivation of several fields from one value, such as `size: "300x200"`. */
export function withDerivation<Schema extends z.ZodType>(schema: Schema, meaning: Derivation): Schema {
  MEANINGS.set(schema, meaning);
  return schema;
}

export const aliasesOf = (schema: object): readonly string[] => NAMES.get(schema) ?? [];
export const derivationOf = (schema: object): Derivation | undefined => MEANINGS.get(schema);
export const suggestionOf = (schema: object): FieldSuggestion | undefined => SUGGESTIONS.get(schema);

/** The coercion of a field, or of the schema that a default or `optional` wraps. */
export function coercionOf(schema: object): Coercion | undefined {
  const own = READINGS.get(schema);
  if (own || !('unwrap' in schema) || typeof schema.unwrap !== 'function') return own;
  return coercionOf(schema.unwrap() as object);
}

/** Coerces a number with the unit of the field: "500px". */
export const inUnit =
  (...units: string[]): Coercion =>
  (sent) => {
    const [, number, unit] =
      (typeof sent === 'string' && /^(\d{1,9}(?:\.\d{1,9})?)\s*(\D{1,3})$/.exec(sent.trim())) || [];
    return unit && units.includes(unit.toLowerCase()) ? Number(number) : undefined;
  };

/** Coerces a length in millimetres, centimetres or inches to millimetres. */
export const inMillimetres: Coercion = (sent) => {
  const [, number, unit] =
    (typeof sent === 'string' && /^\s*(\d{1,5}(?:\.\d{1,5})?)\s*(mm|cm|in|inch|inches|")\s*$/i.exec(sent)) ||
    [];
  if (!number || !unit) return undefined;
  const millimetres = { mm: 1, cm: 10 }[unit.toLowerCase()] ?? 25.4;
  return Math.round(Number(number) * millimetres * 1000) / 1000;
};

/** Coerces a percentage to a fraction: "50%" to 0.5. */
export const inPercent: Coercion = (sent) => {
  const [, number] = (typeof sent === 'string' && /^\s*(\d{1,3}(?:\.\d{1,3})?)\s*%\s*$/.exec(sent)) || [];
  return number === undefined ? undefined : Number(number) / 100;
};

/** Parses a size such as "300x200" or "300 × 200 px"; `unit` is empty where none is given. */
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

/** Whether a value is text that matches a pattern. Objects are not converted: their `toString` may throw. */
export const isText = (sent: unknown, pattern: RegExp): boolean =>
  typeof sent === 'string' && pattern.test(sent);

/** Coerces synonyms to enum values, comparing only letters and digits. */
export const enumSynonyms =
  (words: Readonly<Record<string, string>>): Coercion =>
  (sent) =>
    typeof sent === 'string'
      ? Object.entries(words).find(([word]) => hasSameLetters(word, sent))?.[1]
      : undefined;

/** Whether two words are equal except for case, spaces and punctuation. */
export const hasSameLetters = (one: string, other: string): boolean =>
  lettersOf(one) !== '' && lettersOf(one) === lettersOf(other);

const CHARACTERS_COMPARED_MAX = 200;
const lettersOf = (text: string): string =>
  text.length > CHARACTERS_COMPARED_MAX ? '' : text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
