import type { JsonSchema } from './json_schema.ts';

/** An enum of more values is looked up, not read. */
const NESTED_VALUES_MAX = 6;
const DETAILS = 'See get_tool_schema.';

/** Bounds a caller seldom meets, and is told when it does. */
const LEFT_OUT = ['minLength', 'maxLength', 'minItems', 'pattern', 'contentMediaType'];

/**
 * An input's fields in as few bytes as tell what to send: without the bounds of texts and the defaults that are nothing, and what
 * stands inside an object by name and type. Whatever fits the schema fits this too; get_tool_schema has the whole.
 */
export const briefFields = (fields: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
  mapValues(fields, briefField);

function briefField(field: JsonSchema): JsonSchema {
  const { properties, description, ...brief } = shorten(
    field,
    (name) => name === 'enum' || name === 'description',
  );
  // A field may be known by its name alone.
  if (!properties)
    return { ...brief, ...(description !== undefined && description !== '' ? { description } : {}) };
  return { ...brief, properties, description: [description, DETAILS].filter(Boolean).join(' ') };
}

const briefPart = (part: JsonSchema): JsonSchema =>
  shorten(part, (name, value) => name === 'enum' && (value as unknown[]).length <= NESTED_VALUES_MAX);

function shorten(schema: JsonSchema, isShown: (name: string, value: unknown) => boolean): JsonSchema {
  const kept = Object.entries(schema).filter(([name, value]) => {
    if (LEFT_OUT.includes(name)) return false;
    if (name === 'default' || name === 'additionalProperties') return !saysNothing(value);
    return (name !== 'enum' && name !== 'description') || isShown(name, value);
  });
  return Object.fromEntries(kept.map(([name, value]) => [name, withBriefParts(name, value)]));
}

function withBriefParts(name: string, value: unknown): unknown {
  if (name === 'properties') return mapValues(value as Record<string, JsonSchema>, briefPart);
  if (name === 'anyOf' || name === 'oneOf') return (value as JsonSchema[]).map(briefPart);
  const isSchema = typeof value === 'object' && (name === 'items' || name === 'additionalProperties');
  return isSchema ? briefPart(value as JsonSchema) : value;
}

const mapValues = <V, W>(record: Record<string, V>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** "", false, [] and {}: what a field is anyway where nothing was sent. */
const saysNothing = (value: unknown): boolean =>
  value === '' ||
  value === false ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
