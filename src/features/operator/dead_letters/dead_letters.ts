import type { Database, Queryable } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { dismissJob, dismissJobs, retryJob } from '../../../core/queue/store.ts';
import type { Attribution } from '../types.ts';
import { DEAD_SHOWN_MAX, KINDS_SHOWN_MAX, RETRIED_AT_ONCE_MAX } from './limits.ts';
import * as store from './store.ts';
import type { DeadLetters } from './types.ts';

interface DeadLettersDeps {
  readonly database: Database;
  readonly clock: () => Date;
  /** Runs `work` in a transaction, and records it in the audit log where `hasHappened`. */
  record<T>(
    by: Attribution,
    act: readonly ['retry' | 'dismiss', string],
    work: (tx: Queryable, at: Date) => Promise<T>,
    telling?: { hasHappened?(outcome: T): boolean; what?(outcome: T): string },
  ): Promise<T>;
}

/** See docs/decisions/0078-dead-letters.md. */
export function createDeadLetters({ database, clock, record }: DeadLettersDeps): DeadLetters {
  const retryOne = (by: Attribution, id: string) =>
    record(by, ['retry', id], (tx, at) => retryJob(tx, id, at), {
      hasHappened: (outcome) => outcome === 'retried',
    });
  return {
    async list(kind) {
      const now = clock();
      const [kinds, jobs, deliveries] = await Promise.all([
        store.selectKinds(database, now, KINDS_SHOWN_MAX),
        store.selectJobs(database, { now, limit: DEAD_SHOWN_MAX, kind }),
        store.selectDeliveries(database, { limit: DEAD_SHOWN_MAX, kind }),
      ]);
      return { kinds, jobs, deliveries };
    },
    async retry(by, id) {
      if (isDelivery(id)) {
        const resend = (tx: Queryable, now: Date) => store.resend(tx, { by: { id }, limit: 1, now });
        if ((await record(by, ['retry', id], resend)) === 0) throw noSuch(id);
        return;
      }
      const outcome = isJob(id) ? await retryOne(by, id) : 'unknown';
      if (outcome === 'no input') throw noInput(id);
      if (outcome === 'unknown') throw noSuch(id);
    },
    async dismiss(by, id) {
      const dismiss = async (tx: Queryable, now: Date) =>
        isDelivery(id) ? (await store.dismissDeliveries(tx, { id }, now)) > 0 : dismissJob(tx, id);
      if (!(isJob(id) || isDelivery(id)) || !(await record(by, ['dismiss', id], dismiss))) throw noSuch(id);
    },
    async retryAll(by, kind) {
      const limit = RETRIED_AT_ONCE_MAX;
      const isOfEndpoint = isEndpoint(kind);
      // One transaction per job: each locks the row of its client, in arbitrary order, which could deadlock within one transaction.
      const count = isOfEndpoint
        ? await record(
            by,
            ['retry', kind],
            (tx, now) => store.resend(tx, { by: { endpoint: kind }, limit, now }),
            NUMBERED,
          )
        : await countSuccesses(await store.selectRetryable(database, { now: clock(), limit, kind }), (id) =>
            retryOne(by, id).then((outcome) => outcome === 'retried'),
          );
      const left = await store.countRetryable(database, clock(), kind);
      if (count === 0 && left === 0) throw noneOf(kind, 'retry');
      return { count, left };
    },
    async dismissAll(by, kind) {
      const [, tool = '', code = ''] = KIND_OF_JOB.exec(kind) ?? [];
      const dismiss = (tx: Queryable, now: Date) =>
        isEndpoint(kind)
          ? store.dismissDeliveries(tx, { endpoint: kind }, now)
          : dismissJobs(tx, { tool, code });
      const count = await record(by, ['dismiss', kind], dismiss, NUMBERED);
      if (count === 0) throw noneOf(kind, 'dismiss');
      return count;
    },
  };
}

const NUMBERED = { what: (count: number) => `${count} of them: ` };

const isJob = (id: string): boolean => /^job_[0-9a-f]{32}$/.test(id);
const isDelivery = (id: string): boolean => /^dlv_[0-9a-f]{32}$/.test(id);
const isEndpoint = (kind: string): boolean => /^whe_[0-9a-f]{24}$/.test(kind);
const KIND_OF_JOB = /^(\w+):(\w*)$/;

/** Applies a function to the ids in sequence, and counts the successes. */
async function countSuccesses(
  ids: readonly string[],
  isDone: (id: string) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (const id of ids) if (await isDone(id)) count += 1;
  return count;
}

const LIST = 'GET /api/operator/dead_letters lists them.';

const noSuch = (id: string): AtelierError =>
  new AtelierError(
    'not_found',
    `${isJob(id) || isDelivery(id) ? 'No dead letter has this id: it was retried, dismissed or deleted, or never existed.' : 'Ids of dead letters start with job_ or dlv_.'} ${LIST}`,
  );

const noInput = (id: string): AtelierError =>
  new AtelierError(
    'not_found',
    `The input of ${id} was not stored for lack of space, so it cannot be retried. Dismiss it; its client has to send the call again.`,
  );

const noneOf = (kind: string, what: string): AtelierError =>
  new AtelierError(
    'not_found',
    `No dead letters of the kind ${kind} to ${what}. A kind is a tool and an error code, such as upscale_image:timed_out, or the id of a webhook (whe_…). ${LIST}`,
  );
