import { z } from 'zod';
import { paymentFields } from '../catalogue/envelope_schema.ts';
import { AtelierError, invalidField } from '../errors/atelier_error.ts';
import type { Expected } from '../services/uploads/expected.ts';
import { expectedFields, imageFieldsOf } from '../tools/fields.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { Caller } from './caller.ts';
import { parseInput } from './parse_input.ts';

/** What a caller may send beside the fields of a tool, and means the call itself. */
export interface Controls {
  /** What the picture of this call has to be. */
  readonly expected: Expected;
  /** The approval of the owner it comes with. */
  readonly approval?: string | undefined;
}

/**
 * Takes such fields out of an input that has no `dry_run` any more. A field of that name which is the tool's own is the tool's.
 * @throws AtelierError invalid_input
 */
export function readControls(
  tool: AnyTool,
  sent: unknown,
  { approval: fromHeader }: Pick<Caller, 'approval'>,
): { controls: Controls; rest: unknown } {
  const none = { expected: {}, approval: fromHeader };
  if (!isObject(sent)) return { controls: none, rest: sent };
  const fields = fieldsOf(tool);
  const entries = Object.entries(sent);
  const own = entries.filter(([name]) => Object.hasOwn(fields, name));
  if (own.length === 0) return { controls: none, rest: sent };
  const { input } = parseInput(z.object(fields), Object.fromEntries(own));
  const { expect_sha256: sha256, expect_bytes: sizeBytes, approval = fromHeader } = input as Sent;
  return {
    controls: { expected: { sha256, sizeBytes }, approval },
    rest: Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(fields, name))),
  };
}

interface Sent {
  readonly expect_sha256?: string;
  readonly expect_bytes?: number;
  readonly approval?: string;
}

/**
 * The caller, paying as the field `payer` says: the address of a wallet, a key, or a payment intent. For clients that cannot set
 * headers. A header that says something else is a contradiction, and a session opens more than a call may ever need.
 * @throws AtelierError invalid_input, wallet_mismatch
 */
export function withPayer(tool: AnyTool, raw: unknown, caller: Caller): Caller {
  if (!isObject(raw) || typeof raw.payer !== 'string' || Object.hasOwn(tool.input.shape, 'payer'))
    return caller;
  const payer = raw.payer.trim();
  if (/^pi_\w{1,250}$/.test(payer)) return { ...caller, paymentIntent: caller.paymentIntent ?? payer };
  if (!/^(0[xX][0-9a-fA-F]{40}|atl_key_[\w-]{43})$/.test(payer)) {
    throw invalidField(
      'payer',
      'payer must be the address of a wallet (0x and 40 hex digits), a key (atl_key_…) or a payment intent (pi_…). request_payment brings each of them.',
    );
  }
  if (caller.bearer === undefined || caller.bearer.toLowerCase() === payer.toLowerCase())
    return { ...caller, bearer: caller.bearer ?? payer };
  throw new AtelierError(
    'wallet_mismatch',
    'payer names another payer than the Authorization header of this connection. Leave one of them out.',
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields a tool leaves to these. */
function fieldsOf({ input: { shape } }: AnyTool): Record<string, z.ZodType> {
  const offered = { ...paymentFields, ...(imageFieldsOf(shape).length > 0 ? expectedFields : {}) };
  return Object.fromEntries(
    Object.entries<z.ZodType>(offered).filter(([name]) => !Object.hasOwn(shape, name)),
  );
}
