import { z } from 'zod';
import { closest } from '../catalog/closest.ts';
import { paymentFields, workspaceFields } from '../catalog/envelope_schema.ts';
import { unknownTool } from '../catalog/unknown_tool.ts';
import { AtelierError, type FieldProblem, invalidField } from '../core/errors/atelier_error.ts';
import {
  expectedFields,
  imageFieldsOf,
  isImageField,
  PICTURE_FORMS,
} from '../features/definitions/fields.ts';
import { highestPrice, isFree } from '../features/definitions/price.ts';
import { suggestionOf, withAliases } from '../features/definitions/spellings.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import { type CoercedInput, coerceInput, objectSchemaOf } from './coerce_input.ts';
import { requirePreview } from './preview.ts';
import { FIELD_CHARACTERS_SHOWN_MAX, LongText, refuseUnstorable } from './request_json.ts';
import type { Client, Controls, PipelineContext, ReceivedCall } from './types.ts';

/** @throws AtelierError tool_not_found */
export function receiveCall(
  context: PipelineContext,
  name: string,
  raw: unknown,
  client: Client,
): ReceivedCall {
  const tool = findTool(context, name);
  const { sent: read, warnings } = client.isModel
    ? withOwnWallet(tool, coerceInput(offeredInput(tool), raw), client)
    : { sent: raw, warnings: [] };
  const isDryRun = hasFlag(read, 'dry_run') && read.dry_run === true;
  const isPreview = hasFlag(read, 'preview') && !hasOwnField(tool, 'preview') && read.preview === true;
  if (isPreview && !isDryRun) requirePreview(tool, client);
  const isAsync = client.respondAsync === true || (hasFlag(read, 'async') && read.async === true);
  const isPriced = highestPrice(tool.price) > 0;
  return {
    tool,
    raw: read,
    warnings,
    client,
    isDryRun,
    isPreview: isPreview && !isDryRun,
    isJob: isAsync && !isDryRun && !isPreview && !tool.answersSecret && !tool.isAboutJobs,
    isFree: isFree(tool.price),
    isPriced,
    mustPay: isPriced && !isDryRun && !isPreview,
  };
}

/** The input of the tool and the flags of a call, which may not be null: `dry_run` decides whether it is charged. */
function offeredInput(tool: AnyTool): z.ZodObject {
  const known =
    OFFERED.get(tool) ?? z.object({ ...tool.input.shape, dry_run: dryRunField, async: asyncField });
  OFFERED.set(tool, known);
  return known;
}
const dryRunField = withAliases(
  z.boolean(),
  ...[
    'quote_only',
    'quote',
    'estimate',
    'estimate_only',
    'price_only',
    'cost_only',
    'estimate_cost',
    'simulate',
  ],
);
const asyncField = withAliases(
  z.boolean(),
  ...['respond_async', 'asynchronous', 'as_job', 'run_async', 'in_background', 'background_job'],
);
const OFFERED = new WeakMap<AnyTool, z.ZodObject>();

/** A missing required wallet defaults to the paying wallet. */
function withOwnWallet(
  { input: { shape } }: AnyTool,
  coerced: CoercedInput,
  { bearer = '' }: Client,
): CoercedInput {
  const { sent, warnings } = coerced;
  const isMissing = typeof sent === 'object' && sent !== null && !Object.hasOwn(sent, 'wallet');
  if (!isMissing || !('wallet' in shape) || shape.wallet.safeParse(undefined).success) return coerced;
  if (!shape.wallet.safeParse(bearer).success) return coerced;
  const note = `wallet was not given; ${bearer}, the wallet of this connection, was used.`;
  return { sent: { ...sent, wallet: bearer }, warnings: [...warnings, note] };
}

export function findTool({ services: { catalogue } }: PipelineContext, name: string): AnyTool {
  const tool = catalogue.find(name);
  if (!tool) throw unknownTool(catalogue, name);
  return tool;
}

/**
 * The input without `dry_run`, `async` and `preview`, which apply to the call. @throws AtelierError for anything but true and false: a
 * client that sends "true" must not be charged for a field that was ignored
 */
export const withoutCallFlags = (raw: unknown, tool: AnyTool): unknown =>
  CALL_FLAGS.filter((flag) => !hasOwnField(tool, flag)).reduce(withoutFlag, raw);

const hasOwnField = ({ input: { shape } }: AnyTool, name: string): boolean => Object.hasOwn(shape, name);

function withoutFlag(raw: unknown, flag: CallFlag): unknown {
  if (!hasFlag(raw, flag)) return raw;
  const { [flag]: sent, ...rest } = raw;
  if (typeof sent === 'boolean') return rest;
  throw invalidField(flag, `${flag} must be true or false.`, { expected: 'boolean' });
}

const CALL_FLAGS = ['dry_run', 'async', 'preview'] as const;
type CallFlag = (typeof CALL_FLAGS)[number];

const hasFlag = <Flag extends CallFlag>(raw: unknown, flag: Flag): raw is Record<Flag, unknown> =>
  typeof raw === 'object' && raw !== null && Object.hasOwn(raw, flag);

/**
 * Removes control fields from an input without `dry_run`. A field of the tool with the same name belongs to the tool.
 * @throws AtelierError invalid_input
 */
export function readControls(
  tool: AnyTool,
  sent: unknown,
  { approval: fromHeader }: Pick<Client, 'approval'>,
): { controls: Controls; rest: unknown } {
  const none = { expected: {}, approval: fromHeader };
  if (!isObject(sent)) return { controls: none, rest: sent };
  const fields = fieldsOf(tool);
  const entries = Object.entries(sent);
  const own = entries.filter(([name]) => Object.hasOwn(fields, name));
  if (own.length === 0) return { controls: none, rest: sent };
  const { input } = validateInput(z.object(fields), Object.fromEntries(own));
  const { expect_sha256: sha256, expect_bytes: sizeBytes, approval = fromHeader, workspace } = input as Sent;
  return {
    controls: { expected: { sha256, sizeBytes }, approval, workspace },
    rest: Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(fields, name))),
  };
}

interface Sent {
  readonly expect_sha256?: string;
  readonly expect_bytes?: number;
  readonly approval?: string;
  readonly workspace?: string;
}

/**
 * Applies the field `payer`: the address of a wallet, a key, or a payment intent. For clients that cannot set
 * headers. @throws AtelierError wallet_mismatch if a header names another payer; invalid_input for a session,
 * which grants more than a call may need
 */
export function applyPayerField(tool: AnyTool, raw: unknown, client: Client): Client {
  if (isObject(raw) && typeof raw.session === 'string' && Object.hasOwn(tool.input.shape, 'session'))
    return asSession(raw.session.trim(), client);
  if (!isObject(raw) || typeof raw.payer !== 'string' || Object.hasOwn(tool.input.shape, 'payer'))
    return client;
  const payer = raw.payer.trim();
  if (/^pi_\w{1,250}$/.test(payer)) return { ...client, paymentIntent: client.paymentIntent ?? payer };
  if (!/^(0[xX][0-9a-fA-F]{40}|atl_key_[\w-]{43})$/.test(payer)) {
    throw invalidField(
      'payer',
      'payer must be the address of a wallet (0x and 40 hex digits), a key (atl_key_…) or a payment intent (pi_…). request_payment returns any of them.',
    );
  }
  if (client.bearer === undefined || client.bearer.toLowerCase() === payer.toLowerCase())
    return { ...client, bearer: client.bearer ?? payer };
  throw new AtelierError(
    'wallet_mismatch',
    'payer differs from the Authorization header of this connection. Omit one of them.',
  );
}

/** Uses a session in the input, for tools with such a field, in place of the header. */
function asSession(session: string, client: Client): Client {
  const { bearer } = client;
  if (!/^atl_sess_[\w-]{43}$/.test(session))
    throw invalidField('session', 'session must be the token atl_sess_… returned by sign_in.');
  if (bearer === undefined || bearer === session || /^0x[0-9a-f]{40}$/i.test(bearer))
    return { ...client, bearer: session };
  throw new AtelierError(
    'wallet_mismatch',
    'session differs from the Authorization header of this connection. Omit one of them.',
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The control fields that the tool does not define itself. */
function fieldsOf({ input: { shape } }: AnyTool): Readonly<Record<string, z.ZodType>> {
  const known = CONTROLS.get(shape);
  if (known) return known;
  const offered = {
    ...paymentFields,
    ...workspaceFields,
    ...(imageFieldsOf(shape).length > 0 ? expectedFields : {}),
  };
  const fields = Object.fromEntries(
    Object.entries<z.ZodType>(offered).filter(([name]) => !Object.hasOwn(shape, name)),
  );
  CONTROLS.set(shape, fields);
  return fields;
}
const CONTROLS = new WeakMap<object, Readonly<Record<string, z.ZodType>>>();

const UNKNOWN_FIELDS_NAMED_MAX = 10;

interface ValidatedInput {
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
