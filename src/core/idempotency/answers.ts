import { IDEMPOTENCY_LIFETIME_MS } from '../../config/limits.ts';
import type { Database } from '../database/types.ts';
import type { KeptTexts } from './kept_texts.ts';
import * as store from './store.ts';
import type { AnswerClaim, Answers } from './types.ts';

/** Stored responses as rows that reference blobs. @param clock decides when a claim has lapsed and a response expired */
export function createAnswers(
  database: Database,
  texts: KeptTexts,
  clock: () => Date = () => new Date(),
): Answers & {
  /** Frees the keys of all running calls: only valid right after the start of the one process that owns the database. */
  abandonAll(): Promise<number>;
} {
  return {
    async claim(claim) {
      const found = await claimOrFind(database, claim, clock());
      if (found === 'claimed') return { state: 'claimed' };
      if (found.bodySha256 !== claim.bodySha256) return { state: 'reused' };
      if (found.answerSha256 === null) return { state: 'running' };
      const text = await texts.get(found.answerSha256);
      return { state: 'kept', text, status: found.status };
    },
    write: texts.put,
    keep: (kept) => store.keep(database, kept, new Date(clock().getTime() + IDEMPOTENCY_LIFETIME_MS)),
    abandon: (claim) => store.abandon(database, claim),
    abandonAll: () => store.abandonAll(database),
    releaseCalls: (calls) => store.releaseCalls(database, calls),
    sweep: (now) => store.sweep(database, now),
  };
}

/**
 * Retries: another call may delete the row between the failed claim and its lookup, and a concurrently inserted row is not visible
 * to the statement yet.
 */
async function claimOrFind(
  database: Database,
  claim: AnswerClaim,
  now: Date,
): Promise<'claimed' | store.FoundAnswer> {
  for (;;) {
    const outcome = await store.claim(database, claim, now);
    if (outcome !== undefined) return outcome;
  }
}
