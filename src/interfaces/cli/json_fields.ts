import type { Body } from '@atelier/client/transport.ts';
import { closest } from '../../catalog/closest.ts';
import { UsageError } from './usage_error.ts';

/** Prints selected fields only, like `gh --json`. */
export const JSON_SWITCH = {
  json: { value: '<fields>', meaning: 'print these fields as JSON: name,cost.credit' },
};

/** Parses `cost.credit,result_url` to paths. @throws UsageError for a field that is not in `known` */
export function fieldsOf(text: string, known: readonly string[]): string[] {
  const fields = text.split(',').map((field) => field.trim());
  const wrong = fields.find((field) => !known.includes(field.split('.')[0]!));
  if (wrong === undefined) return fields;
  const guess = closest(wrong, known)[0];
  throw new UsageError(
    `--json: there is no field "${wrong}".${guess ? ` Did you mean ${guess}?` : ''} Available: ${known.join(', ')}.`,
  );
}

/** The fields of a value, under the names as typed; null if missing. */
export const pickFields = (value: Body, fields: readonly string[]): Body =>
  Object.fromEntries(fields.map((field) => [field, at(value, field.split('.'))]));

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Body)[name]
        : null,
    value,
  ) ?? null;

/** Rows as JSON with the selected fields. */
export const pickRows = (rows: readonly Body[], text: string): Body[] => {
  const fields = fieldsOf(text, Object.keys(rows[0] ?? {}));
  return rows.map((row) => pickFields(row, fields));
};
