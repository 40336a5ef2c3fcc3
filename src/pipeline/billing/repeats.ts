import { createHash } from 'node:crypto';
import { MPP_HEADERS } from '../../catalogue/mpp_names.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Answer, Caller, CallKit } from '../types.ts';
import type { ToolCall } from '../receive.ts';
import { likelyPrice } from './price.ts';
import { withDemand } from './payment_required.ts';
import { settlementHeaders } from './x402.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LetGo } from '../../services/leases/contract.ts';
import { imageFieldsOf } from '../../tools/fields.ts';
import type { AnyTool } from '../../tools/tool.ts';
import { isPicture, abortError, untilAborted } from '../execute.ts';

/**
 * Runs the call once a payment: it is its own Idempotency-Key, so a payer whose answer was lost collects it by repeating
 * the call and does not pay twice. The answer carries what the settlement said.
 * @param work runs under the caller it is given
 */
export async function answerOncePerPayment(
  kit: CallKit,
  call: ToolCall,
  work: (caller: Caller) => Promise<Answer>,
): Promise<Answer> {
  const { tool, raw, caller } = call;
  const own = keyOf(call);
  if (own === undefined) return work(caller);
  try {
    const answer = await work(caller.idempotencyKey === undefined ? asPayer(call, own) : caller);
    return { ...answer, headers: { ...answer.headers, ...(await headersOf(call, answer)) } };
  } catch (error) {
    const isReused = error instanceof AtelierError && error.code === 'idempotency_key_reused';
    if (!isReused || caller.idempotencyKey !== undefined) throw error;
    const used = new AtelierError('payment_used', 'This payment came with another call before.');
    throw withDemand(kit, tool, likelyPrice(tool, raw), used);
  }
}

/** The same for every copy of one payment. Whoever knows a challenge but not its token has another key. */
function keyOf({ x402, mpp }: ToolCall): string | undefined {
  if (x402) return `x402:${x402.payment.id}`;
  if (mpp) return `mpp:${createHash('sha256').update(`${mpp.id} ${mpp.token}`).digest('base64url')}`;
  return undefined;
}

/** A payer without a wallet is known by the payment, from whatever address the answer is collected. */
const asPayer = ({ caller, mpp }: ToolCall, own: string): Caller => ({
  ...caller,
  idempotencyKey: own,
  ...(mpp && { address: own }),
});

async function headersOf({ x402, mpp }: ToolCall, answer: Answer): Promise<Record<string, string>> {
  if (x402) return settlementHeaders(x402.service, answer);
  const { payment_intent_id: reference, receipt } = (answer.body.payment ?? {}) as Paid;
  if (!mpp || reference === undefined) return {};
  const settled = { status: 'success', method: 'stripe', timestamp: signedAt(receipt), reference };
  return { [MPP_HEADERS.receipt]: Buffer.from(JSON.stringify(settled)).toString('base64url') };
}

interface Paid {
  readonly payment_intent_id?: string;
  /** Signed, as JWS. */
  readonly receipt?: string;
}

/** When the answer was first given: it stands in its receipt, so that a repeat says the same. */
function signedAt(jws: string | undefined): string {
  const { iat } = JSON.parse(Buffer.from(jws?.split('.')[1] ?? '', 'base64url').toString() || '{}');
  return new Date(typeof iat === 'number' ? iat * 1000 : Date.now()).toISOString();
}

interface Asked {
  /** The input with its pictures. */
  readonly loaded: Record<string, unknown>;
  readonly wallet: string | undefined;
}

/**
 * Asks whether a call only repeats what its wallet has paid for, before credits are held: a repeat needs none. While another
 * call asks for the same, its end is waited for, so that of many at once the first is charged and the others repeat it.
 * @param run is told why the call costs nothing, or nothing where it has to be paid
 * @throws AtelierError timed_out of the signal while it waits
 */
export async function chargeOnce<T>(
  kit: CallKit,
  { tool, caller, principal: { wallet } }: ToolCall,
  { loaded, signal }: Pick<Asked, 'loaded'> & { signal: AbortSignal },
  run: (repeats: string | undefined) => Promise<T>,
): Promise<T> {
  const key = wallet !== undefined && (await tool.repeats?.key(loaded, kit.services));
  if (!key) return run(undefined);
  const { turns } = kit;
  const place = `${tool.name} ${wallet} ${key}`;
  for (let before = turns.get(place); before; before = turns.get(place))
    await untilAborted(signal, before, caller.signal);
  const { promise, resolve } = Promise.withResolvers<void>();
  turns.set(place, promise);
  let repeats: string | undefined;
  let letGo: LetGo | undefined;
  try {
    letGo = await takeTurn(kit, place, { signal, callerSignal: caller.signal });
    repeats = await repeatOf(kit, tool, { loaded, wallet });
    if (repeats === undefined) return await run(undefined);
  } finally {
    turns.delete(place);
    resolve();
    // One that cannot be told ends by itself.
    await letGo?.().catch(() => {});
  }
  return run(repeats);
}

/** Looks so often whether another server has ended the same call. */
const LOOK_MS = 100;

/** Waits for another server that has it. @throws AtelierError timed_out of the signal */
async function takeTurn(
  { leases }: CallKit,
  place: string,
  { signal, callerSignal }: { signal: AbortSignal; callerSignal: AbortSignal },
): Promise<LetGo | undefined> {
  const name = `turn ${createHash('sha256').update(place).digest('hex')}`;
  while (leases) {
    const letGo = await leases.hold(name);
    if (letGo) return letGo;
    if (signal.aborted) throw abortError(callerSignal);
    await sleep(LOOK_MS);
  }
  return undefined;
}

/** Why a call costs nothing: its wallet has paid for the same before. Undefined where it has not. */
export const repeatOf = async (
  { services }: CallKit,
  { repeats, input }: AnyTool,
  { loaded, wallet }: Asked,
): Promise<string | undefined> =>
  wallet === undefined || !isAtHand(input.shape, loaded)
    ? undefined
    : repeats?.paidBefore(loaded, services, wallet);

/** A dry run fetches nothing: what is on another server is text still. */
const isAtHand = (shape: AnyTool['input']['shape'], loaded: Record<string, unknown>): boolean =>
  imageFieldsOf(shape).every((field) => loaded[field] === undefined || isPicture(loaded[field]));

/** What was to be repeated ended between the question and the run: nobody gets for nothing what has to be paid. */
export const repeatGone = (): AtelierError =>
  new AtelierError(
    'busy',
    'What this call would have repeated for nothing has ended meanwhile. Nothing was charged; send it again, and it costs its price.',
    { retryAfterSeconds: 1 },
  );
