import { z } from 'zod';
import { paymentFields, workspaceFields } from '../catalog/envelope_schema.ts';
import { unknownTool } from '../catalog/unknown_tool.ts';
import { AtelierError, invalidField } from '../core/errors/atelier_error.ts';
import { expectedFields, imageFieldsOf } from '../features/definitions/fields.ts';
import { highestPrice, isFree } from '../features/definitions/price.ts';
import { alsoCalled } from '../features/definitions/spellings.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import { type CoercedInput, coerceInput } from './coerce_input.ts';
import { requirePreview } from './preview.ts';
import type { Client, Controls, PipelineContext, ReceivedCall } from './types.ts';
import { validateInput } from './validate_input.ts';

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
const dryRunField = alsoCalled(
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
const asyncField = alsoCalled(
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
