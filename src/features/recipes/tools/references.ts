/** A text of parameters that stands for something else: `$photo`, `$cut`, `$palette.colors.0.hex`. */
export interface Reference {
  readonly text: string;
  /** Of an input or an earlier step. */
  readonly name: string;
  /** Fields inside it; empty: the thing itself. */
  readonly path: readonly string[];
}

/** A reference is a whole text. `$$` at the beginning of a text stands for one `$`. */
const REFERENCE = /^\$([A-Za-z]\w*)((?:\.\w+)*)$/;

function referenceOf(text: string): Reference | undefined {
  const [, name, path] = REFERENCE.exec(text) ?? [];
  return name === undefined ? undefined : { text, name, path: path!.split('.').slice(1) };
}

/** Every reference in a value, however deep. */
export function referencesIn(value: unknown): Reference[] {
  if (typeof value === 'string') return [referenceOf(value) ?? []].flat();
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(referencesIn);
}

/** The value with every reference replaced by what it stands for. */
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

/** The field of a value that a path leads to; undefined where there is none. Only what the value has itself is found. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (node, name) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, name)
        ? (node as Record<string, unknown>)[name]
        : undefined,
    value,
  );

/** Fields that name what a tool answers with, and how that is sent to the next one. */
const HANDLES: Readonly<Record<string, (value: string) => string>> = {
  result: (handle) => handle,
  artifact_id: (id) => `artwork:${id}`,
  key: (key) => `asset:${key}`,
};

/** The field of an answer that says what the answer is, where it is a file or a work. */
export const handleField = (fields: object): string | undefined =>
  Object.keys(HANDLES).find((name) => Object.hasOwn(fields, name));

/** An answer as a picture field takes it: `result:<id>`, `asset:<key>`, `artwork:<id>`. */
export function handleOf(output: Readonly<Record<string, unknown>>): string | undefined {
  const field = handleField(output);
  const value = field === undefined ? undefined : output[field];
  return typeof value === 'string' ? HANDLES[field!]!(value) : undefined;
}
