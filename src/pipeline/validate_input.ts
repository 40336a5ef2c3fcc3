import { z } from 'zod';
import { closest } from '../catalog/closest.ts';
import { AtelierError, type FieldProblem } from '../core/errors/atelier_error.ts';
import { isImageField, PICTURE_FORMS } from '../features/definitions/fields.ts';
import { suggestionOf } from '../features/definitions/spellings.ts';
import { coerceInput, objectSchemaOf } from './coerce_input.ts';
import { FIELD_CHARACTERS_SHOWN_MAX, LongText, refuseUnstorable } from './request_json.ts';

const UNKNOWN_FIELDS_NAMED_MAX = 10;

export interface ValidatedInput {
  readonly input: Record<string, unknown>;
  readonly warnings: string[];
}

/**
 * Validates a request and reports all problems at once. Unknown fields are named in `warnings` and dropped. @throws AtelierError
 * invalid_input with one entry per problem and, where one exists, `try`.
 */
export function validateInput(schema: z.ZodObject, raw: unknown): ValidatedInput {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw new AtelierError('invalid_input', 'The input must be one JSON object.', {
      errors: [
        {
          field: '',
          code: 'invalid_type',
          message: 'must be an object',
          expected: 'object',
          got: typeName(raw),
        },
      ],
    });
  }
  const { plain, long } = separateLongTexts(raw);
  refuseUnstorable(plain, schema);
  const known = Object.keys(schema.shape);
  const warnings = Object.keys(raw)
    .filter((name) => !known.includes(name))
    .slice(0, UNKNOWN_FIELDS_NAMED_MAX)
    .map((name) => unknownFieldWarning(name, known));
  const result = schema.safeParse(plain, { reportInput: true });
  if (result.success) return { input: { ...result.data, ...long }, warnings };

  const described = result.error.issues.map((issue) => describeIssue(issue, schema, plain));
  const errors = [...new Map(described.map((problem) => [problem.message, problem])).values()];
  const correction = suggestInput(schema, plain);
  throw new AtelierError('invalid_input', errors.map(({ message }) => message).join(' '), {
    errors,
    ...(correction && { try: correction }),
  });
}

/** Stand-in for a long text during validation: of an image field, only its type is checked. */
const STAND_IN = 'long text '.repeat(100);

function separateLongTexts(raw: object): { plain: Record<string, unknown>; long: Record<string, LongText> } {
  const long = Object.fromEntries(Object.entries(raw).filter(([, value]) => value instanceof LongText));
  const standIns = Object.fromEntries(Object.keys(long).map((name) => [name, STAND_IN]));
  return { plain: { ...raw, ...standIns }, long };
}

function unknownFieldWarning(name: string, known: string[]): string {
  const guess = closest(name, known)[0];
  return `Unknown field "${name.slice(0, FIELD_CHARACTERS_SHOWN_MAX)}" was ignored.${guess ? ` Did you mean "${guess}"?` : ''}`;
}

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodObject, sent: unknown): FieldProblem {
  const { code } = issue;
  // A rule after a transformation sees its result, which may be empty.
  const input = issue.input ?? issue.path.reduce<unknown>(memberOf, sent);
  const field = issue.path.map(String).join('.');
  const rule = ruleOf(issue, schema);
  const expected = rule?.replace(/^must (be )?/, '');
  const isMissing = input === undefined;
  const got = isMissing ? 'nothing' : shortenValue(input);
  if (issue.code === 'unrecognized_keys')
    return { field, code, message: unknownMembers(issue, schema), expected: 'object', got };
  const message =
    isMissing && code !== 'custom'
      ? `${field} is required${expected ? `: ${expected}` : ''}.`
      : `${field || 'the input'} ${rule ?? 'is invalid'} but got ${isMissing ? got : describeValue(input)}.`;
  return { field, code: isMissing ? 'missing' : code, message, ...(expected && { expected }), got };
}

/** `rights has no field "owner". Its fields are holder, licence and so on.` */
function unknownMembers(issue: z.core.$ZodIssueUnrecognizedKeys, schema: z.ZodObject): string {
  const field = issue.path.map(String).join('.');
  const named = issue.keys
    .slice(0, UNKNOWN_FIELDS_NAMED_MAX)
    .map((key) => JSON.stringify(key.slice(0, FIELD_CHARACTERS_SHOWN_MAX)));
  const known = Object.keys(objectSchemaOf(schema.shape[String(issue.path[0])])?.shape ?? {});
  const hint = issue.path.length === 1 && known.length > 0 ? ` Its fields are ${known.join(', ')}.` : '';
  return `${field} has no field ${named.join(', ')}.${hint}`;
}

const memberOf = (node: unknown, key: PropertyKey): unknown =>
  typeof node === 'object' && node !== null ? (node as Record<PropertyKey, unknown>)[key] : undefined;

/** "must be one of png, webp". Rules with a text of their own begin with "must" as well. */
function ruleOf(issue: z.core.$ZodIssue, schema: z.ZodObject): string | undefined {
  const field = schema.shape[String(issue.path[0])];
  if (field && isImageField(field)) return `must be ${PICTURE_FORMS}`;
  if (issue.code === 'custom' || issue.code === 'invalid_format') return issue.message;
  const options = optionsOf(issue);
  if (options.length > 0) {
    return `must be one of ${options.map((option) => (option === '' ? '""' : String(option))).join(', ')}`;
  }
  // Fields inside a union carry their rule in the message: no path leads to their bounds.
  if (issue.path.length > 1 && issue.message.startsWith('must ')) return issue.message;
  const expected = rangeOf(issue, schema) ?? ('expected' in issue ? String(issue.expected) : undefined);
  return expected && `must be ${expected}`;
}

/** Values of an enum, or of a union of constants. */
function optionsOf(issue: z.core.$ZodIssue): unknown[] {
  if (issue.code === 'invalid_value') return issue.values;
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(optionsOf) : [];
}

type Json = { readonly [key: string]: unknown };

/** "an integer from 1 to 8192" for a bounded number, "text of at most 100 characters" for bounded text, "0x followed by 40 hex digits". */
function rangeOf({ path: [first, ...rest] }: z.core.$ZodIssue, schema: z.ZodObject): string | undefined {
  const property = schema.shape[String(first)];
  if (!property) return undefined;
  const whole = z.toJSONSchema(property, { io: 'input', unrepresentable: 'any', override: addForm }) as Json;
  const json = rest.reduce<Json | undefined>(
    (node, key) =>
      (typeof key === 'number' ? node?.items : (node?.properties as Json)?.[String(key)]) as Json,
    whole,
  );
  return json && describeRange(json);
}

/** A rule for text with a format describes that format; JSON Schema only has a pattern. */
function addForm({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: object }): void {
  const { def } = zodSchema._zod;
  const checks = [def, ...(def.checks ?? []).map((check) => check._zod.def)];
  const form = checks.find((one) => 'check' in one && one.check === 'string_format');
  const rule = form?.error?.({ code: 'invalid_format', input: '' } as never);
  const [, verb, words] = /^must (be|begin with) (.*)$/s.exec(typeof rule === 'string' ? rule : '') ?? [];
  if (words) Object.assign(jsonSchema, { form: verb === 'be' ? words : `text that begins with ${words}` });
}

function describeRange(json: Json): string | undefined {
  const { type, minimum, maximum, minLength, maxLength, maxItems, form } = json;
  if (typeof form === 'string') return form;
  if (type === 'integer' || type === 'number') {
    return `${type === 'integer' ? 'an integer' : 'a number'}${minimum === undefined ? '' : ` from ${minimum} to ${maximum}`}`;
  }
  if (type === 'string') {
    if (minLength === 1 && maxLength === undefined) return 'text that is not empty';
    const bounds = [minLength && `at least ${minLength}`, maxLength && `at most ${maxLength}`].filter(
      Boolean,
    );
    return bounds.length > 0 ? `text of ${bounds.join(' and ')} characters` : 'text';
  }
  if (type === 'array') return maxItems === undefined ? 'an array' : `an array of at most ${maxItems} items`;
  return typeof type === 'string' ? `${type === 'object' ? 'an' : 'a'} ${type}` : undefined;
}

/** The request with near misses corrected ("t-shirt" → "tshirt", "300" → 300), if that makes it valid. */
function suggestInput(
  schema: z.ZodObject,
  raw: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const { sent } = coerceInput(schema, raw);
  const corrected: Record<string, unknown> = { ...(sent as object) };
  for (const issue of schema.safeParse(corrected, { reportInput: true }).error?.issues ?? []) {
    const name = String(issue.path[0]);
    if (issue.path.length !== 1) return undefined;
    const isMissing = (corrected[name] ?? undefined) === undefined;
    const replacement = isMissing
      ? suggestionOf(schema.shape[name]!)?.(corrected)
      : nearestValue(issue, corrected[name]);
    if (replacement === undefined) return undefined;
    corrected[name] = replacement;
  }
  if (!schema.safeParse(corrected).success) return undefined;
  return Object.fromEntries(
    Object.entries(corrected).map(([name, value]) => [
      name,
      isLongText(value) ? `<the same ${name}>` : value,
    ]),
  );
}

function nearestValue(issue: z.core.$ZodIssue, value: unknown): unknown {
  // A list or object is not a near miss, and one with its own `toString` could not be converted to text.
  if (typeof value === 'object') return undefined;
  const options = optionsOf(issue);
  if (options.length > 0) {
    const texts = options.filter((option) => typeof option === 'string');
    const near = closest(String(value).toLowerCase(), texts);
    return near[0] ?? options.find((option) => String(option) === String(value));
  }
  if (issue.code === 'too_big' && typeof value === 'number') return Number(issue.maximum);
  if (issue.code === 'too_small' && typeof value === 'number') return Number(issue.minimum);
  if (issue.code !== 'invalid_type') return undefined;
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value);
  if (issue.expected === 'int' && typeof value === 'number' && Number.isFinite(value))
    return Math.round(value);
  if (value === 'true' || value === 'false') return value === 'true';
  return undefined;
}

const isLongText = (value: unknown): boolean => typeof value === 'string' && value.length > 200;

/** The sent value, shortened for an error. */
function shortenValue(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 60 ? `${value.slice(0, 60)}…` : value;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return typeName(value);
}

function describeValue(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? `an ${typeName(value)}`
    : JSON.stringify(shortenValue(value));
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
