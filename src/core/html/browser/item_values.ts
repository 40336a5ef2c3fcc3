/** An operation or layer as a JSON object. */
export type Item = Record<string, unknown>;

/** The value at a path such as "shadow.color". */
export const valueAt = (item: Item, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Item | undefined)?.[name], item);

/** Copy with a value at a path; undefined removes it and objects that become empty. */
export function withValue(item: Item, path: string, value: unknown): Item {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  const inner = item[name];
  const own = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Item) : {};
  const next = rest.length === 0 ? value : withValue(own, rest.join('.'), value);
  const { [name]: _, ...others } = item;
  const isEmpty = next === undefined || (rest.length > 0 && Object.keys(next as Item).length === 0);
  return isEmpty ? others : { ...item, [name]: next };
}

/** Parses plain numbers; other lengths stay text. */
export const lengthOf = (text: string): unknown => {
  if (text.trim() === '') return undefined;
  return /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : text.trim();
};

/** JSON with one item per line: compact and readable. */
export const listText = (items: readonly Item[]): string =>
  items.length === 0 ? '' : `[\n${items.map((item) => `  ${JSON.stringify(item)}`).join(',\n')}\n]`;

/** Parses JSON; undefined for invalid text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined for a text that is not a list of objects. */
export function itemsIn(text: string): Item[] | undefined {
  if (text.trim() === '') return [];
  const items = jsonIn(text);
  const isList = Array.isArray(items) && items.every((item) => typeof item === 'object' && item !== null);
  return isList ? (items as Item[]) : undefined;
}

/** Short summary of an item: "0.5, 0.2". */
export const summaryOf = (item: Item, key: string): string =>
  Object.entries(item)
    .filter(([name, value]) => name !== key && name !== 'image' && typeof value !== 'object')
    .map(([, value]) => String(value))
    .join(', ')
    .slice(0, 40);
