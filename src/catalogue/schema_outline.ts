import type { JsonSchema } from './json_schema.ts';

/** A schema whose objects are named without their fields. Whatever fits the schema fits its outline too. */
export function schemaOutline(schema: JsonSchema): JsonSchema {
  const { anyOf, items, properties, description } = schema as Parts;
  if (anyOf) return { ...schema, anyOf: anyOf.map(schemaOutline) };
  if (items) return { ...schema, items: schemaOutline(items) };
  if (!properties) return schema;
  return { type: 'object', ...(description !== undefined && { description }) };
}

interface Parts {
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: JsonSchema;
  readonly description?: string;
}
