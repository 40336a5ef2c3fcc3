import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { LetGo } from '../../services/leases/contract.ts';
import { imageFieldsOf } from '../../tools/fields.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { CallKit } from '../kit.ts';
import { isPicture } from '../load_pictures.ts';
import { abortError, untilAborted } from '../run_tool.ts';
import type { ToolCall } from '../tool_call.ts';

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
