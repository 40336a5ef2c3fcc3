import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MPP_HEADERS } from '../../catalog/mpp_names.ts';
import type { ReleaseLease } from '../../core/cluster/leases/leases.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { imageFieldsOf } from '../../features/definitions/fields.ts';
import { imagesIn, isSourceImage } from '../../features/definitions/images_in.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import { abortError, untilAborted } from '../execute.ts';
import type { CallResponse, Client, PipelineContext, ToolCall } from '../types.ts';
import { settlementHeaders, signedAt } from './external_payment.ts';
import { withPaymentRequirements } from './payment_required.ts';
import { expectedPrice } from './price.ts';

/**
 * The payment replay guard: runs the call once per payment. The payment is its own Idempotency-Key, so that a payer whose response was
 * lost gets it by repeating the call, without paying twice. The response carries the settlement.
 * @param work runs as the client passed to it
 */
export async function guardPaymentReplay(
  context: PipelineContext,
  call: ToolCall,
  work: (client: Client) => Promise<CallResponse>,
): Promise<CallResponse> {
  const { tool, raw, client } = call;
  const own = keyOf(call);
  if (own === undefined) return work(client);
  try {
    const answer = await work(client.idempotencyKey === undefined ? asPayer(call, own) : client);
    return { ...answer, headers: { ...answer.headers, ...(await headersOf(context, call, answer)) } };
  } catch (error) {
    const isReused = error instanceof AtelierError && error.code === 'idempotency_key_reused';
    if (!isReused || client.idempotencyKey !== undefined) throw error;
    const used = new AtelierError('payment_used', 'This payment was sent with another call before.');
    throw withPaymentRequirements(context, tool, expectedPrice(tool, raw), used);
  }
}

/** Equal for all copies of one payment. A client that knows a challenge but not its token has another key. */
function keyOf({ x402, mpp }: ToolCall): string | undefined {
  if (x402) return `x402:${x402.payment.id}`;
  if (mpp) return `mpp:${createHash('sha256').update(`${mpp.id} ${mpp.token}`).digest('base64url')}`;
  return undefined;
}

/** A payer without a wallet is identified by the payment, from any address. */
const asPayer = ({ client, mpp }: ToolCall, own: string): Client => ({
  ...client,
  idempotencyKey: own,
  ...(mpp && { address: own }),
});

async function headersOf(
  context: PipelineContext,
  { tool, x402, mpp }: ToolCall,
  answer: CallResponse,
): Promise<Record<string, string>> {
  if (x402) return settlementHeaders(context, { tool, x402 }, answer);
  const { payment_intent_id: reference, receipt } = (answer.body.payment ?? {}) as Paid;
  if (!mpp || reference === undefined) return {};
  const settled = {
    status: 'success',
    method: 'stripe',
    timestamp: signedAt(receipt).toISOString(),
    reference,
  };
  return { [MPP_HEADERS.receipt]: Buffer.from(JSON.stringify(settled)).toString('base64url') };
}

interface Paid {
  readonly payment_intent_id?: string;
  /** Signed, as JWS. */
  readonly receipt?: string;
}

interface ChargeOnceOptions {
  /** The input with its images. */
  readonly loaded: Record<string, unknown>;
  readonly wallet: string | undefined;
}

/**
 * Checks, before credits are held, whether a call only repeats what its wallet has paid for, which is free.
 * Concurrent equal calls wait for each other, so that the first one is charged and the others repeat it.
 * @param run receives the reason why the call is free, or undefined if it must be paid
 * @throws AtelierError timed_out of the signal while it waits
 */
export async function chargeOnce<T>(
  context: PipelineContext,
  { tool, client, principal: { wallet } }: ToolCall,
  { loaded, signal }: Pick<ChargeOnceOptions, 'loaded'> & { signal: AbortSignal },
  run: (repeats: string | undefined) => Promise<T>,
): Promise<T> {
  const key = wallet !== undefined && (await tool.repeats?.key(loaded, context.services));
  if (!key) return run(undefined);
  const { turns } = context;
  const place = `${tool.name} ${wallet} ${key}`;
  for (let before = turns.get(place); before; before = turns.get(place))
    await untilAborted(signal, before, client.signal);
  const { promise, resolve } = Promise.withResolvers<void>();
  turns.set(place, promise);
  let repeats: string | undefined;
  let releaseLease: ReleaseLease | undefined;
  try {
    releaseLease = await acquireLease(context, place, { signal, callerSignal: client.signal });
    repeats = await findRepeat(context, tool, { loaded, wallet });
    if (repeats === undefined) return await run(undefined);
  } finally {
    turns.delete(place);
    resolve();
    // A lease that cannot be released expires.
    await releaseLease?.().catch(() => {});
  }
  return run(repeats);
}

/** Poll interval for the end of the same call on another server. */
const POLL_MS = 100;

/** Waits while another server holds the lease. @throws AtelierError timed_out of the signal */
async function acquireLease(
  { leases }: PipelineContext,
  place: string,
  { signal, callerSignal }: { signal: AbortSignal; callerSignal: AbortSignal },
): Promise<ReleaseLease | undefined> {
  const name = `turn ${createHash('sha256').update(place).digest('hex')}`;
  while (leases) {
    const releaseLease = await leases.hold(name);
    if (releaseLease) return releaseLease;
    if (signal.aborted) throw abortError(callerSignal);
    await sleep(POLL_MS);
  }
  return undefined;
}

/** Why a call is free: its wallet has paid for the same call before. Undefined if it has not. */
export const findRepeat = async (
  { services }: PipelineContext,
  { repeats, input }: AnyTool,
  { loaded, wallet }: ChargeOnceOptions,
): Promise<string | undefined> =>
  wallet === undefined || !isAtHand(input.shape, loaded)
    ? undefined
    : repeats?.paidBefore(loaded, services, wallet);

/** A dry run fetches nothing: an image on another server is still a URL. */
const isAtHand = (shape: AnyTool['input']['shape'], loaded: Record<string, unknown>): boolean =>
  imagesIn(imageFieldsOf(shape), loaded).every(({ image }) => isSourceImage(image));

/** The earlier purchase expired between the check and the run, so that this call has to be paid. */
export const repeatExpired = (): AtelierError =>
  new AtelierError(
    'busy',
    'The result that this call would have repeated for free has expired. You were not charged. Send the call again at its normal price.',
    { retryAfterSeconds: 1 },
  );
