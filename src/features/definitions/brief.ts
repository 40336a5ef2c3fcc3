const BRIEF = new WeakMap<object, string>();

/** The same field; `text` stands for its description where every word is paid for, as in the list an agent keeps in its context. */
export function briefly<Schema extends object>(schema: Schema, text: string): Schema {
  BRIEF.set(schema, text);
  return schema;
}

export const briefOf = (schema: object): string | undefined => BRIEF.get(schema);
