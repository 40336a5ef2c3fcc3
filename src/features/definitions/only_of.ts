const KINDS = new WeakMap<object, readonly string[]>();

/** The same field of an object; it has a meaning only where the `kind` of the object is one of these. */
export function onlyOf<Schema extends object>(schema: Schema, ...kinds: string[]): Schema {
  KINDS.set(schema, kinds);
  return schema;
}

/** The kinds a field belongs to; none where it belongs to all. */
export const kindsOf = (schema: object): readonly string[] => KINDS.get(schema) ?? [];
