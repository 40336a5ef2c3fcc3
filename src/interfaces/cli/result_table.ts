import { type Output, paint, replaceControls, table } from './terminal.ts';

/** Formats a result for a person: one value per line, then lists as tables. */
export function resultTable(answer: Readonly<Record<string, unknown>>, output: Output): string {
  const fields = Object.entries(answer);
  const isList = (value: unknown): value is Record<string, unknown>[] =>
    Array.isArray(value) && value.every((item) => typeof item === 'object');
  const rows = fields.filter(([, value]) => !isList(value)).flatMap(([name, value]) => linesOf(name, value));
  const lists = fields.flatMap(([name, value]) => (isList(value) ? [{ name, items: value }] : []));
  return [
    rows.length > 0 ? table(rows, output) : '',
    ...lists.map(({ name, items }) => `${paint(output, 'bold', name)}\n${listed(items, output)}`),
  ].join('');
}

const listed = (items: readonly Record<string, unknown>[], output: Output): string =>
  items.length === 0
    ? '  none\n'
    : table(
        items.map((item) =>
          Object.values(item).map((value, at) => `${at === 0 ? '  ' : ''}${textOf(value)}`),
        ),
        output,
      );

/** Nested objects get one line per value. */
function linesOf(name: string, value: unknown): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, textOf(value)]];
  return Object.entries(value).flatMap(([inner, member]) => linesOf(`${name} ${inner}`, member));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(textOf).join(', ');
  return replaceControls(String(value));
}
