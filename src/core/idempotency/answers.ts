import { IDEMPOTENCY_LIFETIME_MS } from '../../config/limits.ts';
import { createBatchLoader } from '../database/batch_loader.ts';
import type { Database } from '../database/types.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import type { ResponseTexts } from './response_texts.ts';
import * as store from './store.ts';
import type { ClaimedResponse, IdempotencyClaim, IdempotencyStore } from './types.ts';

/** Stored responses as rows that reference blobs. @param clock decides when a claim has lapsed and a response expired */
export function createIdempotencyStore(
  database: Database,
  texts: ResponseTexts,
  clock: () => Date = () => new Date(),
): IdempotencyStore & {
  /** Frees the keys of all running calls: only valid right after the start of the one process that owns the database. */
  abandonAll(): Promise<number>;
} {
  const together = {
    keyOf: ({ principal, route, key }: Pick<IdempotencyClaim, 'principal' | 'route' | 'key'>) =>
      JSON.stringify([principal, route, key]),
    requestsMax: KEYS_PER_STATEMENT,
  };
  const claimOnce = createBatchLoader({
    ...together,
    atOnce: 1,
    ask: (claims: readonly IdempotencyClaim[]) => store.claim(database, claims, clock()),
  });
  const keep = createBatchLoader({
    ...together,
    atOnce: database.kind === 'embedded' ? 1 : STATEMENTS_AT_ONCE,
    ask: (kept: readonly ClaimedResponse[]) =>
      store.keep(database, kept, new Date(clock().getTime() + IDEMPOTENCY_LIFETIME_MS)),
  });
  /**
   * Retries: another call may delete the row between the failed claim and its lookup, and a concurrently inserted row is not visible
   * to the statement yet.
   */
  const claimOrFind = async (claim: IdempotencyClaim) => {
    for (;;) {
      const outcome = await claimOnce(claim);
      if (outcome !== undefined) return outcome;
    }
  };
  return {
    async claim(claim) {
      const found = await claimOrFind(claim);
      if (found === 'claimed') return { state: 'claimed' };
      if (found.bodySha256 !== claim.bodySha256) return { state: 'reused' };
      if (found.answerSha256 === null) return { state: 'running' };
      const text = await texts.get(found.answerSha256);
      return { state: 'kept', text, status: found.status };
    },
    write: texts.put,
    async keep(kept) {
      if (!(await keep(kept))) throw keyLost();
    },
    abandon: (claim) => store.abandon(database, claim),
    abandonAll: () => store.abandonAll(database),
    openCalls: (prefix) => store.openCalls(database, prefix),
    releaseCalls: (calls) => store.releaseCalls(database, calls),
    sweep: (now) => store.sweep(database, now),
  };
}

/** This process was suspended and another call has claimed the key, or the database crashed and forgot the claim. */
export const keyLost = (): AtelierError =>
  new AtelierError(
    'idempotency_in_progress',
    'This server was interrupted, and the call no longer has its Idempotency-Key. You were not charged. Send the same call again.',
    { retryAfterSeconds: 2 },
  );

/** Calls whose claims, or responses, share a statement. */
const KEYS_PER_STATEMENT = 32;
/** Concurrent statements for responses: one is prepared while others are flushed. Claims are not flushed: one statement at a time. */
const STATEMENTS_AT_ONCE = 3;
