const BRIEF = new WeakMap<object, string>();

/** The same field; `text` stands for its description where every word is paid for, as in the list an agent keeps in its context. */
export function briefly<Schema extends object>(schema: Schema, text: string): Schema {
  BRIEF.set(schema, text);
  return schema;
}

export const briefOf = (schema: object): string | undefined => BRIEF.get(schema);

const SHOWN = new WeakMap<object, Readonly<Record<string, unknown>>>();

/**
 * The same field; `shown` stands for its JSON Schema where every word is paid for. It must accept everything that the field accepts.
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
