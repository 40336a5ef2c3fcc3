import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { isDatabaseUnavailable } from '../../database/batch_loader.ts';
import { AtelierError } from '../../errors/atelier_error.ts';

/** Prefix of the ids of all calls of this process, unique to it: other servers can release its holds after its death. */
export const CALLS_OF_PROCESS = `call_${randomUUID().slice(0, 8)}`;

/** Length of such a prefix. */
export const CALLS_PREFIX_CHARACTERS = CALLS_OF_PROCESS.length;

const running = new Set<string>();
const active = new Set<Promise<unknown>>();
const idsOfCall = new AsyncLocalStorage<string[]>();
let isOwed = false;

/** Creates an id for a hold or a claim of the current call. */
export function newCallId(): string {
  const id = `${CALLS_OF_PROCESS}${randomUUID().slice(8)}`;
  const ids = idsOfCall.getStore();
  if (ids) {
    ids.push(id);
    running.add(id);
  }
  return id;
}

/** Whether the call with this id runs in this process. Holds of a call that has ended are released later. */
export const isRunning = (id: string): boolean => running.has(id);

/** Runs a call. Ids created by it count as running until it ends. */
export async function duringCall<T>(work: () => Promise<T>): Promise<T> {
  const ids: string[] = [];
  const call = idsOfCall.run(ids, work);
  active.add(call);
  try {
    return await call;
  } catch (error) {
    // The reply to a claim or a hold may have been lost. If all connections were in use, no statement was sent.
    if (error instanceof AtelierError && error.code === 'database_unavailable') isOwed = true;
    throw error;
  } finally {
    active.delete(call);
    for (const id of ids) running.delete(id);
  }
}

/** Resolves when the calls that run now have ended. */
export const callsEnded = async (): Promise<void> => void (await Promise.allSettled(active));

/**
 * Runs a release that can be retried: if the database does not respond, the release is recorded as owed and the call's own error is
 * preserved.
 */
export async function releaseOrOwe(release: () => Promise<void> | undefined): Promise<void> {
  try {
    await release();
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    isOwed = true;
  }
}

/** Whether a release has become pending since the last check. */
export function takeOwed(): boolean {
  const was = isOwed;
  isOwed = false;
  return was;
}

/** Marks a release as owed again, after a failed attempt. */
export const stillOwed = (): void => {
  isOwed = true;
};
