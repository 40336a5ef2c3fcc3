import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { DEAD_SHOWN_MAX, KINDS_SHOWN_MAX, RETRIED_AT_ONCE_MAX } from '../dead_letters/limits.ts';
import { byOf, defineSimpleAct, OPERATOR_LIMIT, reasonField } from './act.ts';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const kindField = z.string().min(1).max(200);
const kindOf = 'A tool and an error code, such as upscale_image:timed_out, or the id of a webhook (whe_…).';
const letter = {
  id: z.string(),
  kind: z.string().describe(kindOf),
  wallet: z.string().nullable(),
  attempts: count,
  failed_at: z.string(),
};

const answer = z.object({
  kinds: z
    .array(z.object({ kind: z.string(), count, retryable: count, newest_at: z.string() }))
    .describe(`The most frequent, at most ${KINDS_SHOWN_MAX}.`),
  jobs: z
    .array(
      z.object({
        ...letter,
        tool: z.string(),
        code: z.string(),
        detail: z.string().describe('As its caller reads it.'),
        accepted_at: z.string(),
        expires_at: z.string().describe('When the job and its input are deleted.'),
        can_retry: z.boolean().describe('Its input is kept.'),
      }),
    )
    .describe(`Newest first, at most ${DEAD_SHOWN_MAX}.`),
  deliveries: z
    .array(
      z.object({
        ...letter,
        endpoint: z.string(),
        host: z.string(),
        type: z.string().describe('Of the event.'),
        endpoint_state: z.enum(['active', 'disabled']),
        status: z.int().min(0).max(999).nullable().describe('Of the last answer; null where none came.'),
        error: z.string().nullable().describe('Why none came.'),
      }),
    )
    .describe(`Newest first, at most ${DEAD_SHOWN_MAX}.`),
});

export type ListedDeadLetters = z.output<typeof answer>;

export const listDeadLetters = defineOperation({
  name: 'operator_dead_letters',
  methods: ['GET'],
  path: '/api/operator/dead_letters',
  tag: 'operator',
  summary: 'Jobs that failed for a reason of the server, and webhook deliveries that were given up.',
  input: z.object({ kind: kindField.optional().describe('Only of this kind, as the list names it.') }),
  answer,
  operator: 'read',
  limit: OPERATOR_LIMIT,
  async run({ kind }, { operator }: Pick<Services, 'operator'>) {
    const { kinds, jobs, deliveries } = await operator.deadLetters.list(kind);
    return {
      kinds: kinds.map(({ newestAt, ...one }) => ({ ...one, newest_at: newestAt.toISOString() })),
      jobs: jobs.map(({ acceptedAt, failedAt, expiresAt, canRetry, ...job }) => ({
        ...job,
        kind: `${job.tool}:${job.code}`,
        accepted_at: acceptedAt.toISOString(),
        failed_at: failedAt.toISOString(),
        expires_at: expiresAt.toISOString(),
        can_retry: canRetry,
      })),
      deliveries: deliveries.map(({ failedAt, isDisabled, ...delivery }) => ({
        ...delivery,
        kind: delivery.endpoint,
        endpoint_state: isDisabled ? ('disabled' as const) : ('active' as const),
        failed_at: failedAt.toISOString(),
      })),
    };
  },
});

const one = z.object({
  id: z.string().min(1).max(100).describe('Of a failed job (job_…) or a delivery (dlv_…).'),
  reason: reasonField,
});

export const retryDeadLetter = defineSimpleAct({
  name: 'retry',
  scope: 'upkeep',
  summary:
    'Queues a failed job again, which then costs its caller nothing, or sends a notice to a webhook again.',
  input: one,
  async do({ deadLetters }, by, { id }) {
    await deadLetters.retry(by, id);
    return true;
  },
  done: ({ id }) =>
    id.startsWith('job_')
      ? `${id} is queued again. It is free for its caller.`
      : 'The notice is sent again, with all its attempts, as a new delivery.',
  absent: 'That is no dead letter.',
});

export const dismissDeadLetter = defineSimpleAct({
  name: 'dismiss',
  scope: 'upkeep',
  summary: 'Takes a dead letter off the list. What is kept of the input of a job is deleted.',
  isFinal: true,
  input: one,
  async do({ deadLetters }, by, { id }) {
    await deadLetters.dismiss(by, id);
    return true;
  },
  done: ({ id }) => `${id} is off the list.`,
  absent: 'That is no dead letter.',
});

const ofKind = z.object({ kind: kindField.describe(kindOf), reason: reasonField });

export const retryKind = defineOperation({
  name: 'operator_retry_all',
  methods: ['POST'],
  path: '/api/operator/retry_all',
  tag: 'operator',
  summary: `Retries the dead letters of a kind, the oldest first, at most ${RETRIED_AT_ONCE_MAX} at once.`,
  input: ofKind,
  answer: z.object({ retried: count, left: count.describe('That can be retried.'), note: z.string() }),
  operator: 'upkeep',
  limit: OPERATOR_LIMIT,
  async run({ kind, reason }, { operator }: Pick<Services, 'operator'>, call) {
    const { count: retried, left } = await operator.deadLetters.retryAll(byOf(call, reason), kind);
    const more = left > 0 ? ` ${left} more can be: send it again.` : '';
    return { retried, left, note: `${retried} of the kind ${kind} are retried.${more}` };
  },
});

export const dismissKind = defineOperation({
  name: 'operator_dismiss_all',
  methods: ['POST'],
  path: '/api/operator/dismiss_all',
  tag: 'operator',
  summary: 'Takes all dead letters of a kind off the list. What is kept of the input of jobs is deleted.',
  isFinal: true,
  input: ofKind,
  answer: z.object({ dismissed: count, note: z.string() }),
  operator: 'upkeep',
  limit: OPERATOR_LIMIT,
  async run({ kind, reason }, { operator }: Pick<Services, 'operator'>, call) {
    const dismissed = await operator.deadLetters.dismissAll(byOf(call, reason), kind);
    return { dismissed, note: `${dismissed} of the kind ${kind} are off the list.` };
  },
});
