import { z } from 'zod';
import { URL_CHARACTERS_MAX } from '../../../config/limits.ts';
import { costFields, freeAnswer } from '../../definitions/free_answer.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { Delivery } from '../types.ts';
import { askerOf, endpointAnswer, endpointFields, freeOf, webhookId } from './endpoint_answer.ts';
import { EVENT_NAMES } from './events.ts';

type DeliveriesNeeds = Pick<Services, 'webhooks' | 'catalogue'>;

const PAGE_MAX = 100;
const POSITION_MAX = Number.MAX_SAFE_INTEGER;
const moment = z.string().nullable();

const deliveryFields = {
  id: z.string(),
  event_id: z.string().describe('webhook-id of the notification.'),
  type: z.string(),
  status: z
    .enum(['pending', 'delivered', 'failed'])
    .describe('failed: abandoned after the last attempt or because the endpoint was disabled.'),
  attempts: z.array(
    z.object({
      at: z.string(),
      status: z
        .int()
        .min(100)
        .max(999)
        .nullable()
        .describe('Status of the response; null without a response.'),
      error: z.string().nullable().describe('Reason for the missing response.'),
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

const listWebhookDeliveries = defineOperation({
  name: 'list_webhook_deliveries',
  methods: ['GET'],
  path: '/api/webhooks/{id}/deliveries',
  tag: 'webhooks',
  summary: 'Deliveries of an endpoint, newest first, with every attempt; the newest 200 within 14 days.',
  input: z.object({
    id: webhookId,
    limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(20),
    cursor: z.coerce
      .number()
      .int()
      .min(1)
      .max(POSITION_MAX)
      .optional()
      .describe('`next_cursor` of the previous page.'),
  }),
  answer: z.object({
    deliveries: z.array(z.object(deliveryFields)),
    next_cursor: z.int().min(1).max(POSITION_MAX).nullable().describe('null on the last page.'),
    ...costFields,
  }),
  reaches: 'account:read',
  isPrivate: true,
  async run({ id, limit, cursor }, services: DeliveriesNeeds, call) {
    const found = await services.webhooks.find(id, askerOf(call));
    const page = await services.webhooks.deliveries(id, { limit, before: cursor });
    const last = page.length === limit ? page.at(-1)!.position : null;
    return { deliveries: page.map(deliveryAnswer), next_cursor: last, ...freeOf(services, found) };
  },
});

const testWebhook = defineOperation({
  name: 'test_webhook',
  methods: ['POST'],
  path: '/api/webhooks/{id}/test',
  tag: 'webhooks',
  summary: 'Sends a webhook.test to this endpoint, even if it is disabled.',
  input: z.object({ id: webhookId }),
  answer: z.object({ id: z.string(), event_id: z.string(), ...costFields }),
  reaches: 'account:read',
  limit: { name: 'webhook-tests', calls: 60, perSeconds: 3600 },
  async run({ id }, services: DeliveriesNeeds, call) {
    const found = await services.webhooks.find(id, askerOf(call));
    return { id, event_id: await services.webhooks.test(id), ...freeOf(services, found) };
  },
});

const replayWebhookDelivery = defineOperation({
  name: 'replay_webhook_delivery',
  methods: ['POST'],
  path: '/api/webhooks/{id}/deliveries/{delivery_id}/replay',
  tag: 'webhooks',
  summary: 'Sends the notification of a delivery again, with the same webhook-id.',
  input: z.object({
    id: webhookId,
    delivery_id: z.string().min(1).max(100).describe('dlv_…, from the list.'),
  }),
  answer: z.object({ delivery: z.object(deliveryFields), ...costFields }),
  reaches: 'account:read',
  limit: { name: 'webhook-replays', calls: 300, perSeconds: 3600 },
  async run({ id, delivery_id }, services: DeliveriesNeeds, call) {
    const found = await services.webhooks.find(id, askerOf(call));
    const delivery = await services.webhooks.replay(id, delivery_id);
    return { delivery: deliveryAnswer(delivery), ...freeOf(services, found) };
  },
});

const SUBJECTS = new Set(EVENT_NAMES.map((event) => event.slice(0, event.indexOf('.'))));
const KNOWN = new Set<string>(['*', ...EVENT_NAMES, ...[...SUBJECTS].map((subject) => `${subject}.*`)]);

/** Splits the requested events into known names and patterns (`*`, `tool.*`) and unknown ones. No events means all. */
function sortEvents(asked: readonly string[]): { events: string[]; unknownEvents: string[] } {
  const names = [...new Set(asked)];
  return {
    events: names.length === 0 ? ['*'] : names.filter((name) => KNOWN.has(name)),
    unknownEvents: names.filter((name) => !KNOWN.has(name)),
  };
}

const WEBHOOK_EVENT_CHARACTERS_MAX = 100;
const WEBHOOK_EVENTS_MAX = 50;

const registerWebhook = defineOperation({
  name: 'register_webhook',
  methods: ['POST'],
  path: '/api/webhooks/register',
  tag: 'webhooks',
  summary:
    'Registers a URL for signed notifications (Standard Webhooks) of your wallet and of public events; an empty object lists the events. Registering the same URL again replaces its events and secret.',
  input: z.object({
    url: z.string().max(URL_CHARACTERS_MAX).optional().describe('URL of the endpoint: https, a public host.'),
    events: z
      .array(z.string().min(1).max(WEBHOOK_EVENT_CHARACTERS_MAX))
      .max(WEBHOOK_EVENTS_MAX)
      .default([])
      .describe('Names of events, or patterns such as "tool.*". Default: all.'),
  }),
  answer: z.object({
    ...z.object(endpointFields).partial().shape,
    status: z.enum(['active', 'no_endpoint']),
    secret: z.string().optional().describe('Signing secret. Shown only now.'),
    available_events: z.array(z.string()),
    note: z.string(),
    ...costFields,
  }),
  // Events reveal account activity, so a key needs this permission.
  reaches: 'account:read',
  answersSecret: true,
  limit: { name: 'webhooks', calls: 100, perSeconds: 3600 },
  async run(
    { url, events: asked },
    { webhooks, wallets, catalogue }: Pick<Services, 'webhooks' | 'wallets' | 'catalogue'>,
    { wallet, address, proof },
  ) {
    const { events, unknownEvents } = sortEvents(asked);
    if (url === undefined) {
      return {
        status: 'no_endpoint' as const,
        events,
        unknown_events: unknownEvents,
        available_events: EVENT_NAMES,
        note: 'Nothing was registered. Send url.',
        ...freeAnswer(catalogue),
      };
    }
    // An unregistered wallet has no list of its own; otherwise their number would be unbounded.
    const isKnown = wallet !== undefined && (await wallets.isRegistered(wallet));
    const { secret, ...endpoint } = await webhooks.register({
      caller: isKnown ? wallet : `ip:${address}`,
      awaited: isKnown ? undefined : wallet,
      isProved: proof !== undefined,
      keyId: proof?.key?.id,
      url,
      events,
      unknownEvents,
    });
    return {
      ...endpointAnswer(endpoint),
      status: 'active' as const,
      secret,
      available_events: EVENT_NAMES,
      note: `Store the secret: it is shown only now. ${wallet === undefined ? PUBLIC_ONLY : OF_WALLET}`,
      ...freeOf({ catalogue }, endpoint),
    };
  },
});

const PUBLIC_ONLY =
  'No wallet was sent as bearer, so this endpoint receives only public events: posts to the cafe, the gallery and the registry.';
const OF_WALLET = 'It receives the events of your wallet, and public events.';

type Needs = Pick<Services, 'webhooks' | 'catalogue'>;

const input = z.object({ id: webhookId });
const answer = z.object({ ...endpointFields, ...costFields });

const listWebhooks = defineOperation({
  name: 'list_webhooks',
  methods: ['GET'],
  path: '/api/webhooks',
  tag: 'webhooks',
  summary:
    'The endpoints of your wallet; for a key, those it registered; with Authorization: Bearer whsec_…, the one with that secret.',
  input: z.object({}),
  answer: z.object({ webhooks: z.array(z.object(endpointFields)), ...costFields }),
  reaches: 'account:read',
  isPrivate: true,
  async run(_, { webhooks, catalogue }: Needs, call) {
    const found = await webhooks.list(askerOf(call));
    return { webhooks: found.map(endpointAnswer), ...freeAnswer(catalogue) };
  },
});

const getWebhook = defineOperation({
  name: 'get_webhook',
  methods: ['GET'],
  path: '/api/webhooks/{id}',
  tag: 'webhooks',
  summary: 'One endpoint: its events, whether it is disabled and why.',
  input,
  answer,
  reaches: 'account:read',
  isPrivate: true,
  async run({ id }, services: Needs, call) {
    const found = await services.webhooks.find(id, askerOf(call));
    return { ...endpointAnswer(found), ...freeOf(services, found) };
  },
});

const deleteWebhook = defineOperation({
  name: 'delete_webhook',
  methods: ['DELETE'],
  path: '/api/webhooks/{id}',
  tag: 'webhooks',
  summary: 'Deletes an endpoint and its pending deliveries.',
  input,
  answer: z.object({ id: z.string(), deleted: z.literal(true), ...costFields }),
  reaches: 'account:read',
  async run({ id }, { webhooks, catalogue }: Needs, call) {
    await webhooks.find(id, askerOf(call));
    await webhooks.end(id);
    return { id, deleted: true as const, ...freeAnswer(catalogue) };
  },
});

const rotateWebhookSecret = defineOperation({
  name: 'rotate_webhook_secret',
  methods: ['POST'],
  path: '/api/webhooks/{id}/rotate-secret',
  tag: 'webhooks',
  summary: 'Rotates the secret. For 24 hours, notifications are also signed with the previous one.',
  input,
  answer: z.object({
    id: z.string(),
    secret: z.string().describe('Shown only now.'),
    earlier_until: z.string().describe('Until then, the previous secret is also valid.'),
    ...costFields,
  }),
  reaches: 'account:read',
  answersSecret: true,
  limit: { name: 'webhook-secrets', calls: 60, perSeconds: 3600 },
  async run({ id }, services: Needs, call) {
    const found = await services.webhooks.find(id, askerOf(call));
    const { secret, earlierUntil } = await services.webhooks.rotateSecret(id);
    return { id, secret, earlier_until: earlierUntil.toISOString(), ...freeOf(services, found) };
  },
});

const enableWebhook = defineOperation({
  name: 'enable_webhook',
  methods: ['POST'],
  path: '/api/webhooks/{id}/enable',
  tag: 'webhooks',
  summary: 'Enables a disabled endpoint. Missed notifications can be sent with replay.',
  input,
  answer,
  reaches: 'account:read',
  limit: { name: 'webhooks', calls: 100, perSeconds: 3600 },
  async run({ id }, services: Needs, call) {
    const { webhooks } = services;
    await webhooks.find(id, askerOf(call));
    await webhooks.enable(id, call.proof !== undefined);
    const found = await webhooks.find(id, askerOf(call));
    return { ...endpointAnswer(found), ...freeOf(services, found) };
  },
});

export const webhookOperations: readonly AnyOperation[] = [
  registerWebhook,
  listWebhooks,
  // Must precede the path of one endpoint, whose last segment may contain slashes.
  listWebhookDeliveries,
  getWebhook,
  deleteWebhook,
  testWebhook,
  replayWebhookDelivery,
  rotateWebhookSecret,
  enableWebhook,
];
