import fc from 'fast-check';
import type { Schema } from './document.ts';

/** A number as text that `JSON.stringify` would not produce. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** One of the values that a server has returned under this name; `otherwise` if there is none. */
export class Known {
  readonly name: string;
  readonly pick: number;
  readonly otherwise: unknown;
  constructor(name: string, pick: number, otherwise: unknown) {
    this.name = name;
    this.pick = pick;
    this.otherwise = otherwise;
  }
}

type Values = fc.Arbitrary<unknown>;

/** Longest text sent to reach a limit. */
const TEXT_MAX = 300_000;
const LIST_MAX = 1_100;

/** Values sent to any field, whatever its schema. */
const ODD: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  -1,
  0,
  0.1,
  1e308,
  -1e308,
  2 ** 53,
  2 ** 31,
  5e-324,
  ...['-0', '1e999', '-1e999', '1e-999', '0.1e1', '123456789012345678901234567890'].map(
    (text) => new RawJson(text),
  ),
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202eabc',
  '👩‍👩‍👧‍👦',
  'e\u0301',
  'İ',
  'ß',
  'NaN',
  'Infinity',
  '-0',
  '0x10',
  '1e308',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '..%2f..%2f',
  '%00',
  '%ff',
  "';--",
  '{{7*7}}',
  '%{1}',
  '\r\nX-A: b',
  '0001-01-01',
  '+275760-09-13T00:00:00.000Z',
  '9999-12-31T23:59:60Z',
  '2026-02-30',
  '1',
  '-1',
  '1.5',
  'asset:',
  'upload:x',
  'result:../../x',
  'artwork:',
  'https://',
  'http://[::1]/',
  'data:image/png;base64,',
  'https://user:pass@example.invalid:99999/',
  'file:///etc/passwd',
  'x'.repeat(5_000),
  '\u0000'.repeat(300),
  '💥'.repeat(70_000),
  'A'.repeat(TEXT_MAX),
  Array.from({ length: 3_000 }, () => 'x'),
  { toString: 1 },
  { length: 5 },
  { type: 'Buffer', data: [1, 2] },
  [{ valueOf: 'x' }],
];

export const oddValue: Values = fc.constantFrom(...ODD);

/** A valid value of the schema. */
export function validValue(schema: Schema): Values {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(validValue));
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.oneof(fc.integer(rangeOf(schema)), fc.constantFrom(...edgesOf(schema)));
    case 'number':
      return fc.oneof(fc.double({ ...rangeOf(schema), noNaN: true }), fc.constantFrom(...edgesOf(schema)));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(validValue(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, Math.max(4, schema.minItems ?? 0)),
      });
    case 'object':
      return objectOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Values at the limits of the schema: minimum, maximum, shortest, longest. */
export function edgeValue(schema: Schema): Values {
  const edges = edgesOf(schema);
  return edges.length > 0 ? fc.constantFrom(...edges) : validValue(schema);
}

/** Values just beyond the limits. */
export function beyondValue(schema: Schema): Values {
  const { enum: words, minimum, maximum, minLength, maxLength, minItems, maxItems, items } = schema;
  const beyond = [
    ...(words ?? []).flatMap((word) => [`${word}x`, String(word).toUpperCase(), ` ${word} `, [word]]),
    ...(minimum === undefined ? [] : [minimum - 1, minimum - 0.001]),
    ...(maximum === undefined ? [] : [maximum + 1, maximum + 0.001, String(maximum)]),
    ...(schema.type === 'integer' ? [1.5, '1', '1.0'] : []),
    ...(minLength ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength !== undefined && maxLength < TEXT_MAX ? ['x'.repeat(maxLength + 1)] : []),
    ...(minItems ? [[]] : []),
    ...(maxItems !== undefined && maxItems < LIST_MAX ? [repeated(items, maxItems + 1)] : []),
  ];
  return beyond.length > 0 ? fc.constantFrom(...beyond) : oddValue;
}

function edgesOf({ enum: words, type, minimum, maximum, ...schema }: Schema): unknown[] {
  if (words) return [...words];
  if (type === 'integer' || type === 'number')
    return [
      ...(minimum === undefined ? [0, -1] : [minimum]),
      ...(maximum === undefined ? [2 ** 31] : [maximum]),
    ];
  const { minLength = 0, maxLength, minItems = 0, maxItems, items } = schema;
  if (type === 'string' && maxLength !== undefined) {
    const long = Math.min(maxLength, TEXT_MAX);
    return ['x'.repeat(minLength), 'x'.repeat(long), '\u{1f600}'.repeat(long / 2), '"'.repeat(long)];
  }
  if (type === 'array' && maxItems !== undefined)
    return [repeated(items, minItems), repeated(items, Math.min(maxItems, LIST_MAX))];
  return [];
}

/** Distinct items, if the items are texts. */
const repeated = (items: Schema | undefined, length: number): unknown[] =>
  Array.from(
    { length },
    (_, nth) => items?.enum?.[nth % items.enum.length] ?? (items?.type === 'string' ? `x${nth}` : {}),
  );

const rangeOf = ({ minimum = -(2 ** 31), maximum = 2 ** 31 - 1 }: Schema) => ({ min: minimum, max: maximum });

function textOf({ pattern, minLength = 0, maxLength = 60 }: Schema): Values {
  if (pattern) return fc.stringMatching(new RegExp(pattern, 'u'));
  const length = { minLength, maxLength: Math.min(maxLength, Math.max(60, minLength)) };
  return fc.oneof(
    fc.string(length),
    fc.string({ ...length, unit: 'grapheme' }),
    fc.string({ ...length, unit: 'binary' }),
  );
}

function objectOf({ properties = {}, required = [] }: Schema): Values {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, validValue(one)]));
  return fc.record(fields, { requiredKeys: [...required] });
}
