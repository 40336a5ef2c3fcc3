import fc from 'fast-check';
import type { Operation, Parameter, Schema } from './document.ts';
import { type Bearer, bearersFor, type Headers, oddHeaders, oddTypes } from './headers.ts';
import { beyondValue, edgeValue, Known, oddValue, validValue } from './values.ts';

/** How a request differs from its schema. */
export type Kind =
  | 'valid'
  | 'edge'
  | 'beyond'
  | 'odd value'
  | 'missing'
  | 'unknown member'
  | 'odd body'
  | 'odd type'
  | 'odd method';

/** A request before responses of the server are filled in: values may be `Known` and `RawJson`. */
export interface Planned {
  readonly operation: Operation;
  readonly kind: Kind;
  readonly method: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** An object, or text that is sent unchanged. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers: Headers;
  readonly bearer: Bearer;
}

/** A number of requests, in turn to every operation; the same seed gives the same requests. */
export function plannedRequests(operations: readonly Operation[], count: number, seed: number): Planned[] {
  const samples = samplesOf(operations);
  const each = Math.ceil(count / operations.length);
  const perOperation = operations.map((operation, nth) =>
    fc.sample(requestTo(operation, samples), { numRuns: each, seed: seed + nth }),
  );
  const inTurn = Array.from({ length: each }, (_, round) => perOperation.map((planned) => planned[round]!));
  return inTurn.flat().slice(0, count);
}

type Samples = ReadonlyMap<string, readonly unknown[]>;

/** Values in the examples of all operations, by field name. */
function samplesOf(operations: readonly Operation[]): Samples {
  const samples = new Map<string, unknown[]>();
  for (const example of operations.flatMap(({ examples }) => examples))
    for (const [name, value] of Object.entries(example as object))
      samples.set(name, [...(samples.get(name) ?? []), value]);
  return samples;
}

const KINDS = fc.oneof(
  ...(
    [
      ['valid', 8],
      ['edge', 4],
      ['beyond', 4],
      ['odd value', 4],
      ['missing', 1],
      ['unknown member', 1],
      ['odd body', 2],
      ['odd type', 1],
      ['odd method', 1],
    ] as const
  ).map(([kind, weight]) => ({ weight, arbitrary: fc.constant<Kind>(kind) })),
);
const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'M-SEARCH',
];

function requestTo(operation: Operation, samples: Samples): fc.Arbitrary<Planned> {
  return KINDS.chain((kind) =>
    fc.record({
      operation: fc.constant(operation),
      kind: fc.constant(kind),
      method: kind === 'odd method' ? fc.constantFrom(...METHODS) : fc.constant(operation.method),
      parameters: parametersOf(operation.parameters, kind, samples),
      body: bodyOf(operation, kind, samples),
      contentType: kind === 'odd type' ? oddTypes : fc.constant(operation.bodyType ?? ''),
      headers: oddHeaders,
      bearer: bearersFor(operation.schemes),
    }),
  );
}

/** All path parameters, some query and header parameters; one of them has the kind of the request. */
function parametersOf(parameters: readonly Parameter[], kind: Kind, samples: Samples) {
  const usual = (one: Parameter): fc.Arbitrary<unknown> =>
    isNeeded(one) ? valueFor(one, samples) : fc.option(valueFor(one, samples), { nil: undefined, freq: 1 });
  const asUsual = Object.fromEntries(parameters.map((one) => [one.name, usual(one)]));
  if (parameters.length === 0) return fc.constant({});
  return fc.constantFrom(...parameters).chain((chosen) => {
    const changed = changedValue(chosen.schema, kind);
    return fc.record({ ...asUsual, ...(changed && { [chosen.name]: changed }) });
  });
}

const isNeeded = ({ in: place, required }: Parameter): boolean => place === 'path' || required === true;

/** Undefined if this kind leaves values unchanged. */
function changedValue(schema: Schema, kind: Kind): fc.Arbitrary<unknown> | undefined {
  if (kind === 'edge') return edgeValue(schema);
  if (kind === 'beyond') return beyondValue(schema);
  if (kind === 'odd value') return oddValue;
  return undefined;
}

/** A valid value: from an earlier response under this name, from an example, or from the schema. */
function valueFor(
  { name, schema }: { name: string; schema: Schema },
  samples: Samples,
): fc.Arbitrary<unknown> {
  const fitting = validValue(schema);
  const known = fc.tuple(fc.nat(), fitting).map(([pick, otherwise]) => new Known(name, pick, otherwise));
  const examples = samples.get(name) ?? [];
  return fc.oneof(
    { weight: 3, arbitrary: known },
    { weight: 2, arbitrary: fitting },
    ...(examples.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...examples) }] : []),
  );
}

function bodyOf(
  { body, bodyType, examples }: Operation,
  kind: Kind,
  samples: Samples,
): fc.Arbitrary<unknown> {
  if (bodyType === undefined && kind !== 'odd body') return fc.constant(undefined);
  if (kind === 'odd body' || body === undefined) return oddBody;
  const fields = Object.entries(body.properties ?? {});
  const required = body.required ?? [];
  const values = Object.fromEntries(
    fields.map(([name, schema]) => [name, valueFor({ name, schema }, samples)] as const),
  );
  const made = fc.record(values, { requiredKeys: [...required] });
  const whole = examples.length > 0 ? fc.oneof(fc.constantFrom(...examples), made) : made;
  return whole.chain((value) => changedBody(value as Fields, { fields, required, kind }));
}

type Fields = Readonly<Record<string, unknown>>;

function changedBody(
  value: Fields,
  { fields, required, kind }: { fields: [string, Schema][]; required: readonly string[]; kind: Kind },
): fc.Arbitrary<unknown> {
  if (kind === 'missing' && required.length > 0)
    return fc.constantFrom(...required).map((name) => ({ ...value, [name]: undefined }));
  if (kind === 'unknown member')
    return fc
      .tuple(
        fc.constantFrom('__proto__', 'constructor', 'toString', 'extra', '', 'Image', 'a.b', '\u0000'),
        oddValue,
      )
      .map(([name, odd]) => Object.fromEntries([...Object.entries(value), [name, odd]]));
  if (fields.length === 0) return fc.constant(value);
  return fc.constantFrom(...fields).chain(([name, schema]) => {
    const changed = changedValue(schema, kind);
    return changed ? changed.map((one) => ({ ...value, [name]: one })) : fc.constant(value);
  });
}

/** Not JSON, or not an object; also valid as an upload. */
const oddBody = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      'null',
      'true',
      '0',
      '"x"',
      '[]',
      '[{}]',
      '{',
      '{"a"',
      '{"a":1,}',
      '{"a":01}',
      'NaN',
      '{}{}',
      '\ufeff{}',
    ],
    ...[
      '<?xml version="1.0"?><a/>',
      'a=b&c=d',
      '--x\r\n\r\n--x--',
      '{"a":1,"a":2}',
      '{"__proto__":{"x":1}}',
      '\u0000',
    ],
    ...[
      '['.repeat(100_000),
      `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
      `{"a":"${'x'.repeat(400_000)}"}`,
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('GIF89a', '\x89PNG\r\n\x1a\n', '%PDF-1.7', 'RIFF0000WEBPVP8 ', 'PK\x03\x04'),
);
