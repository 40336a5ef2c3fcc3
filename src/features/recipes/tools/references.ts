/** A parameter text that stands for another value: `$photo`, `$cut`, `$palette.colors.0.hex`. */
export interface Reference {
  readonly text: string;
  /** Name of an input or an earlier step. */
  readonly name: string;
  /** Path of fields inside it; empty: the value itself. */
  readonly path: readonly string[];
}

/** A reference is a whole text. `$$` at the beginning of a text escapes one `$`. */
const REFERENCE = /^\$([A-Za-z]\w*)((?:\.\w+)*)$/;

function referenceOf(text: string): Reference | undefined {
  const [, name, path] = REFERENCE.exec(text) ?? [];
  return name === undefined ? undefined : { text, name, path: path!.split('.').slice(1) };
}

/** All references in a value, at any depth. */
export function referencesIn(value: unknown): Reference[] {
  if (typeof value === 'string') return [referenceOf(value) ?? []].flat();
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(referencesIn);
}

/** Replaces every reference in a value. */
export function fillIn(value: unknown, find: (reference: Reference) => unknown): unknown {
  if (typeof value === 'string') {
    const reference = referenceOf(value);
    if (reference) return find(reference);
    return value.startsWith('$$') ? value.slice(1) : value;
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, find));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, find)]));
}

/** The field at a path; undefined where there is none. Only own properties are read. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (node, name) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, name)
        ? (node as Record<string, unknown>)[name]
        : undefined,
    value,
  );

/** Fields that identify the result of a tool, and how each is passed to the next tool. */
const HANDLES: Readonly<Record<string, (value: string) => string>> = {
  result: (handle) => handle,
  artifact_id: (id) => `artwork:${id}`,
  key: (key) => `asset:${key}`,
};

/** The field that identifies the file or artwork of a result. */
export const handleField = (fields: object): string | undefined =>
  Object.keys(HANDLES).find((name) => Object.hasOwn(fields, name));

/** A result as value of an image field: `result:<id>`, `asset:<key>`, `artwork:<id>`. */
export function handleOf(output: Readonly<Record<string, unknown>>): string | undefined {
  const field = handleField(output);
  const value = field === undefined ? undefined : output[field];
  return typeof value === 'string' ? HANDLES[field!]!(value) : undefined;
}
