const BRIEF = new WeakMap<object, string>();

/** The field with a short description for compact schemas, such as tools/list, which agents keep in their context. */
export function briefly<Schema extends object>(schema: Schema, text: string): Schema {
  BRIEF.set(schema, text);
  return schema;
}

export const briefOf = (schema: object): string | undefined => BRIEF.get(schema);

const SHOWN = new WeakMap<object, Readonly<Record<string, unknown>>>();

/**
 * The field with a short JSON Schema for compact schemas. `shown` must accept everything that the field accepts.
 */
export function shownAs<Schema extends object>(
  schema: Schema,
  shown: Readonly<Record<string, unknown>>,
): Schema {
  SHOWN.set(schema, shown);
  return schema;
}

export const shownSchemaOf = (schema: object): Readonly<Record<string, unknown>> | undefined =>
  SHOWN.get(schema);
