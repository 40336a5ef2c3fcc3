import { afterAttempt, type Verdict } from './after_attempt.ts';
import { type Claimed, endAttempt, giveBack } from './delivery_store.ts';
import type { Parts } from './deps.ts';
import { noticeOf } from './notice_of.ts';
import { type Attempt, sendOnce } from './send_once.ts';
import { disableEndpoint } from './store.ts';

/** Tries a delivery once and writes down what became of it. @param stopped this server stops: then it was not tried */
export async function deliver(parts: Parts, delivery: Claimed, stopped: AbortSignal): Promise<void> {
  const { database, reach, publicUrl, clock, random } = parts;
  const { id, attempt: number, url, failingSince } = delivery;
  const begun = clock();
  const made = await sendOnce(reach, {
    url,
    signal: stopped,
    ...noticeOf(delivery, { publicUrl, now: begun }),
  });
  const at = clock();
  if (stopped.aborted && made.status === null) return giveBack(database, id, number, at);
  const verdict = afterAttempt({ ...made, number, at, failingSince, random: random() });
  parts.onAttempt?.(verdict.state);
  await endAttempt(database, { id, attempt: number, now: at, ...written(verdict, made, { begun, at }) });
  if (verdict.state === 'failed' && verdict.disableBecause !== undefined)
    await disableEndpoint(database, { id: delivery.endpointId, because: verdict.disableBecause, at });
}

function written(verdict: Verdict, { status, error, ms }: Attempt, { begun, at }: { begun: Date; at: Date }) {
  const { state } = verdict;
  const isWaiting = state === 'pending';
  return {
    state,
    logged: { at: begun.toISOString(), status, error, ms },
    dueAt: isWaiting ? verdict.dueAt : at,
    pausedUntil: (isWaiting ? verdict.pausedUntil : undefined) ?? null,
  };
}
