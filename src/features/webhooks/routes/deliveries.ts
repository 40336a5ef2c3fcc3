import { z } from 'zod';
import { costFields } from '../../definitions/free_answer.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { Delivery } from '../types.ts';
import { askerOf, freeOf, webhookId } from './endpoint_answer.ts';

type Needs = Pick<Services, 'webhooks' | 'catalogue'>;

const PAGE_MAX = 100;
const POSITION_MAX = Number.MAX_SAFE_INTEGER;
const moment = z.string().nullable();

const deliveryFields = {
  id: z.string(),
  event_id: z.string().describe('webhook-id of the notice.'),
  type: z.string(),
  status: z
    .enum(['pending', 'delivered', 'failed'])
    .describe('failed: given up, after the last attempt or because the endpoint was disabled.'),
  attempts: z.array(
    z.object({
      at: z.string(),
      status: z.int().min(100).max(999).nullable().describe('Of the answer; null where none came.'),
      error: z.string().nullable().describe('Why none came.'),
      ms: z.int().min(0).max(60_000).nullable(),
    }),
  ),
  next_attempt_at: moment,
  created_at: z.string(),
  ended_at: moment,
};

const deliveryAnswer = (delivery: Delivery) => ({
  id: delivery.id,
  event_id: delivery.eventId,
  type: delivery.type,
  status: delivery.state,
  attempts: [...delivery.attempts],
  next_attempt_at: delivery.dueAt?.toISOString() ?? null,
  created_at: delivery.createdAt.toISOString(),
  ended_at: delivery.endedAt?.toISOString() ?? null,
});

export const listWebhookDeliveries = defineOperation({
  name: 'list_webhook_deliveries',
  methods: ['GET'],
  path: '/api/webhooks/{id}/deliveries',
  tag: 'webhooks',
  summary: 'What was sent to an endpoint, newest first, with every attempt; the newest 200 for two weeks.',
  input: z.object({
    id: webhookId,
    limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(20),
    cursor: z.coerce
      .number()
      .int()
      .min(1)
      .max(POSITION_MAX)
      .optional()
      .describe('next_cursor of the page before.'),
  }),
  answer: z.object({
    deliveries: z.array(z.object(deliveryFields)),
    next_cursor: z.int().min(1).max(POSITION_MAX).nullable().describe('null at the end.'),
    ...costFields,
  }),
  reaches: 'account:read',
  isPrivate: true,
  async run({ id, limit, cursor }, services: Needs, call) {
    const found = await services.webhooks.find(id, askerOf(call));
    const page = await services.webhooks.deliveries(id, { limit, before: cursor });
    const last = page.length === limit ? page.at(-1)!.position : null;
    return { deliveries: page.map(deliveryAnswer), next_cursor: last, ...freeOf(services, found) };
  },
});

export const testWebhook = defineOperation({
  name: 'test_webhook',
  methods: ['POST'],
  path: '/api/webhooks/{id}/test',
  tag: 'webhooks',
  summary: 'Sends a webhook.test to this endpoint, also to a disabled one.',
  input: z.object({ id: webhookId }),
  answer: z.object({ id: z.string(), event_id: z.string(), ...costFields }),
  reaches: 'account:read',
  limit: { name: 'webhook-tests', calls: 60, perSeconds: 3600 },
  async run({ id }, services: Needs, call) {
    const found = await services.webhooks.find(id, askerOf(call));
    return { id, event_id: await services.webhooks.test(id), ...freeOf(services, found) };
  },
});

export const replayWebhookDelivery = defineOperation({
  name: 'replay_webhook_delivery',
  methods: ['POST'],
  path: '/api/webhooks/{id}/deliveries/{delivery_id}/replay',
  tag: 'webhooks',
  summary: 'Sends the notice of a delivery once more, under the same webhook-id.',
  input: z.object({ id: webhookId, delivery_id: z.string().min(1).max(100).describe('dlv_…, of the list.') }),
  answer: z.object({ delivery: z.object(deliveryFields), ...costFields }),
  reaches: 'account:read',
  limit: { name: 'webhook-replays', calls: 300, perSeconds: 3600 },
  async run({ id, delivery_id }, services: Needs, call) {
    const found = await services.webhooks.find(id, askerOf(call));
    const delivery = await services.webhooks.replay(id, delivery_id);
    return { delivery: deliveryAnswer(delivery), ...freeOf(services, found) };
  },
});
