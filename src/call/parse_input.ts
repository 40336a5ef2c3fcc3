import { z } from 'zod';
import { closest } from '../catalogue/closest.ts';
import { AtelierError, type FieldProblem } from '../errors.ts';
import { JSON_DEPTH_MAX } from '../limits.ts';
import { LongText } from './long_text.ts';

const UNKNOWN_FIELDS_NAMED_MAX = 10;

export interface ParsedInput {
  readonly input: Record<string, unknown>;
  readonly warnings: string[];
}

/**
 * Checks a request against its schema and reports all problems at once. Fields the schema does not know are named in
 * `warnings` and dropped. @throws AtelierError invalid_input with one entry per problem and, where one exists, `try`.
 */
export function parseInput(schema: z.ZodObject, raw: unknown): ParsedInput {
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
  const { plain, long } = apart(raw);
  refuseDeepOrNul(plain);
  const known = Object.keys(schema.shape);
  const warnings = Object.keys(raw)
    .filter((name) => !known.includes(name))
    .slice(0, UNKNOWN_FIELDS_NAMED_MAX)
    .map((name) => unknownFieldWarning(name, known));
  const result = schema.safeParse(plain, { reportInput: true });
  if (result.success) return { input: { ...result.data, ...long }, warnings };

  const errors = result.error.issues.map((issue) => describeIssue(issue, schema));
  const correction = correctedInput(schema, plain, result.error.issues);
  throw new AtelierError('invalid_input', errors.map(({ message }) => message).join(' '), {
    errors,
    ...(correction && { try: correction }),
  });
}

/** Stands for a long text while the other fields are checked: of an image field nothing but its being text is. */
const STAND_IN = 'long text '.repeat(100);

function apart(raw: object): { plain: Record<string, unknown>; long: Record<string, LongText> } {
  const long = Object.fromEntries(Object.entries(raw).filter(([, value]) => value instanceof LongText));
  const standIns = Object.fromEntries(Object.keys(long).map((name) => [name, STAND_IN]));
  return { plain: { ...raw, ...standIns }, long };
}

function unknownFieldWarning(name: string, known: string[]): string {
  const guess = closest(name, known)[0];
  return `Unknown field "${name.slice(0, 60)}" was ignored.${guess ? ` Did you mean "${guess}"?` : ''}`;
}

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodObject): FieldProblem {
  const field = issue.path.map(String).join('.');
  const expected = expectation(issue, schema);
  const missing = issue.input === undefined && issue.code !== 'custom';
  const got = missing ? 'nothing' : shortened(issue.input);
  const message = missing
    ? `${field} is required${expected ? `: ${expected}` : ''}.`
    : `${field || 'the input'} ${expected ? `must be ${expected}` : issue.message} but got ${JSON.stringify(got)}.`;
  return { field, code: missing ? 'missing' : issue.code, message, ...(expected && { expected }), got };
}

function expectation(issue: z.core.$ZodIssue, schema: z.ZodObject): string | undefined {
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'custom' || issue.code === 'invalid_format')
    return issue.message.replace(/^must be /, '');
  const property = issue.path.length === 1 ? schema.shape[String(issue.path[0])] : undefined;
  return (property && rangeOf(property)) ?? ('expected' in issue ? String(issue.expected) : undefined);
}

/** "an integer from 1 to 8192" for a bounded number, "text of at most 100 characters" for bounded text. */
function rangeOf(property: z.core.$ZodType): string | undefined {
  const json = z.toJSONSchema(property, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>;
  const { type, minimum, maximum, minLength, maxLength } = json;
  if (type === 'integer' || type === 'number') {
    return `${type === 'integer' ? 'an integer' : 'a number'}${minimum === undefined ? '' : ` from ${minimum} to ${maximum}`}`;
  }
  if (type === 'string') {
    const bounds = [minLength && `at least ${minLength}`, maxLength && `at most ${maxLength}`].filter(
      Boolean,
    );
    return bounds.length > 0 ? `text of ${bounds.join(' and ')} characters` : 'text';
  }
  return typeof type === 'string'
    ? `${type === 'object' || type === 'array' ? 'an' : 'a'} ${type}`
    : undefined;
}

/** The request with near misses mended ("t-shirt" → "tshirt", "300" → 300), when that makes it valid. */
function correctedInput(
  schema: z.ZodObject,
  raw: Record<string, unknown>,
  issues: z.core.$ZodIssue[],
): Record<string, unknown> | undefined {
  const mended: Record<string, unknown> = { ...raw };
  for (const issue of issues) {
    const name = String(issue.path[0]);
    if (issue.path.length !== 1 || issue.input === undefined) return undefined;
    const replacement = mend(issue, raw[name]);
    if (replacement === undefined) return undefined;
    mended[name] = replacement;
  }
  if (!schema.safeParse(mended).success) return undefined;
  return Object.fromEntries(
    Object.entries(mended).map(([name, value]) => [name, isLongText(value) ? `<the same ${name}>` : value]),
  );
}

function mend(issue: z.core.$ZodIssue, value: unknown): unknown {
  if (issue.code === 'invalid_value') {
    const options = issue.values.filter((option) => typeof option === 'string');
    const near = closest(String(value).toLowerCase(), options);
    return near[0] ?? issue.values.find((option) => String(option) === String(value));
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

/** What was sent, short enough to repeat in an error. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 60 ? `${value.slice(0, 60)}…` : value;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return typeName(value);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const NUL_SEARCH_CHARACTERS_MAX = 100_000;

/**
 * Refuses nesting that would exhaust the stack of whatever walks it later, and the zero character, which PostgreSQL
 * cannot store. Walks level by level, because recursion would fall into the first trap itself.
 */
function refuseDeepOrNul(root: object): void {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > JSON_DEPTH_MAX) {
      throw new AtelierError(
        'invalid_input',
        `The input is nested more than ${JSON_DEPTH_MAX} levels deep. Send a flatter object.`,
      );
    }
    if (level.some(hasNul)) {
      throw new AtelierError('invalid_input', 'The input holds a zero character (U+0000). Remove it.');
    }
    level = level.flatMap((node) =>
      typeof node === 'object' && node !== null ? [...Object.keys(node), ...Object.values(node)] : [],
    );
  }
}

const hasNul = (node: unknown): boolean =>
  typeof node === 'string' && node.length <= NUL_SEARCH_CHARACTERS_MAX && node.includes('\u0000');
