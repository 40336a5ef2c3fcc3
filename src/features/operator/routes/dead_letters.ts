import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { DEAD_SHOWN_MAX, KINDS_SHOWN_MAX, RETRIED_AT_ONCE_MAX } from '../dead_letters/limits.ts';
import { attributionOf, defineAdminAction, OPERATOR_LIMIT, reasonField } from './admin_action.ts';

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
    .describe(`The most frequent kinds, at most ${KINDS_SHOWN_MAX}.`),
  jobs: z
    .array(
      z.object({
        ...letter,
        tool: z.string(),
        code: z.string(),
        detail: z.string().describe('The problem as the client sees it.'),
        accepted_at: z.string(),
        expires_at: z.string().describe('When the job and its input are deleted.'),
        can_retry: z.boolean().describe('Whether its input is stored.'),
      }),
    )
    .describe(`Newest first, at most ${DEAD_SHOWN_MAX}.`),
  deliveries: z
    .array(
      z.object({
        ...letter,
        endpoint: z.string(),
        host: z.string(),
        type: z.string().describe('Event type.'),
        endpoint_state: z.enum(['active', 'disabled']),
        status: z
          .int()
          .min(0)
          .max(999)
          .nullable()
          .describe('Status of the last response; null without a response.'),
        error: z.string().nullable().describe('Reason for the missing response.'),
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
  summary: 'Jobs that failed because of the server, and abandoned webhook deliveries.',
  input: z.object({ kind: kindField.optional().describe('Only this kind, from the list.') }),
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
  id: z.string().min(1).max(100).describe('Id of a failed job (job_…) or a delivery (dlv_…).'),
  reason: reasonField,
});

export const retryDeadLetter = defineAdminAction({
  name: 'retry',
  scope: 'upkeep',
  summary: 'Queues a failed job again, free for its client, or sends a webhook notification again.',
  input: one,
  async do({ deadLetters }, by, { id }) {
    await deadLetters.retry(by, id);
    return true;
  },
  done: ({ id }) =>
    id.startsWith('job_')
      ? `${id} is queued again. It is free for its client.`
      : 'The notification is sent again as a new delivery, with all attempts.',
  absent: 'No dead letter has this id.',
});

export const dismissDeadLetter = defineAdminAction({
  name: 'dismiss',
  scope: 'upkeep',
  summary: 'Removes a dead letter from the list and deletes the stored input of its job.',
  isFinal: true,
  input: one,
  async do({ deadLetters }, by, { id }) {
    await deadLetters.dismiss(by, id);
    return true;
  },
  done: ({ id }) => `${id} was removed from the list.`,
  absent: 'No dead letter has this id.',
});

const ofKind = z.object({ kind: kindField.describe(kindOf), reason: reasonField });

export const retryKind = defineOperation({
  name: 'operator_retry_all',
  methods: ['POST'],
  path: '/api/operator/retry_all',
  tag: 'operator',
  summary: `Retries the dead letters of a kind, the oldest first, at most ${RETRIED_AT_ONCE_MAX} per call.`,
  input: ofKind,
  answer: z.object({
    retried: count,
    left: count.describe('Dead letters that can still be retried.'),
    note: z.string(),
  }),
  operator: 'upkeep',
  limit: OPERATOR_LIMIT,
  async run({ kind, reason }, { operator }: Pick<Services, 'operator'>, call) {
    const { count: retried, left } = await operator.deadLetters.retryAll(attributionOf(call, reason), kind);
    const more = left > 0 ? `  ${left} more can be retried: send it again.` : '';
    return { retried, left, note: `Retrying ${retried} of the kind ${kind}.${more}` };
  },
});

export const dismissKind = defineOperation({
  name: 'operator_dismiss_all',
  methods: ['POST'],
  path: '/api/operator/dismiss_all',
  tag: 'operator',
  summary: 'Removes all dead letters of a kind from the list and deletes the stored input of their jobs.',
  isFinal: true,
  input: ofKind,
  answer: z.object({ dismissed: count, note: z.string() }),
  operator: 'upkeep',
  limit: OPERATOR_LIMIT,
  async run({ kind, reason }, { operator }: Pick<Services, 'operator'>, call) {
    const dismissed = await operator.deadLetters.dismissAll(attributionOf(call, reason), kind);
    return { dismissed, note: `Removed ${dismissed} of the kind ${kind} from the list.` };
  },
});
