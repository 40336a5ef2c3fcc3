import type { JsonSchema } from './json_schema.ts';

/** Values of an enum that are written out. */
const VALUES_MAX = 9;

interface SignatureOptions {
  /** Objects nested deeper are written as `{…}`. */
  readonly depth?: number;
}

/**
 * A schema in the notation of TypeScript, which takes a sixth of the tokens of JSON Schema: `{op: "crop", box?: {x, y, width, height},
 * gravity?: centre|north|…}`. Numbers and texts are not named, so that a field may be its name alone.
 */
export const signatureOf = (schema: JsonSchema, { depth = 4 }: SignatureOptions = {}): string =>
  withNamedForms(formOf(schema, depth));

/** Objects and lists of values long enough to be worth a name. */
const LONG_FORM = /\{[^{}]{15,}\}|[\w-]+(?:\|[\w-]+){4,}/g;

/** What occurs more than once is written once, at the end: `{box?: A, gravity?: B} with A = {…}, B = …`. */
function withNamedForms(text: string): string {
  const forms = Map.groupBy(text.match(LONG_FORM) ?? [], (form) => form);
  const repeated = [...forms.values()].filter(({ length }) => length > 1).map(([form]) => form!);
  const named = repeated.map((form, at) => [form, String.fromCharCode(65 + at)] as const);
  const short = named.reduce((rest, [form, name]) => rest.replaceAll(form, name), text);
  return named.length === 0
    ? text
    : `${short} with ${named.map(([form, name]) => `${name} = ${form}`).join(', ')}`;
}

function formOf(schema: JsonSchema, depth: number): string {
  const { type, const: literal, enum: values, properties, items } = schema;
  const options = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  if (literal !== undefined) return JSON.stringify(literal);
  if (Array.isArray(values)) return valuesText(values);
  if (options) return unionText(options, depth);
  if (properties) return depth > 0 ? objectText(schema, depth) : '{…}';
  if (type === 'array') return `${isSchema(items) ? formOf(items, depth) : ''}[]`;
  if (type === 'boolean') return 'true|false';
  return type === 'object' ? '{…}' : '';
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

function valuesText(values: readonly unknown[]): string {
  const shown = values.slice(0, VALUES_MAX).map(String).join('|');
  return values.length > VALUES_MAX ? `${shown}|…` : shown;
}

function unionText(options: readonly JsonSchema[], depth: number): string {
  const texts = options.map((option) => formOf(option, depth)).filter(Boolean);
  return [...new Set(texts)].join(' | ');
}

function objectText({ properties, required }: JsonSchema, depth: number): string {
  const needed = new Set(required as readonly string[] | undefined);
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => {
    const form = formOf(field, depth - 1);
    return `${name}${needed.has(name) ? '' : '?'}${form && `: ${form}`}`;
  });
  return `{${fields.join(', ')}}`;
}
