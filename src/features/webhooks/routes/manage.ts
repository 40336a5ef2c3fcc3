import { z } from 'zod';
import { costFields, freeAnswer } from '../../definitions/free_answer.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { askerOf, endpointAnswer, endpointFields, freeOf, webhookId } from './endpoint_answer.ts';

type Needs = Pick<Services, 'webhooks' | 'catalogue'>;

const input = z.object({ id: webhookId });
const answer = z.object({ ...endpointFields, ...costFields });

export const listWebhooks = defineOperation({
  name: 'list_webhooks',
  methods: ['GET'],
  path: '/api/webhooks',
  tag: 'webhooks',
  summary:
    'The endpoints of your wallet; of a key, those it registered; with Authorization: Bearer whsec_…, the one of that secret.',
  input: z.object({}),
  answer: z.object({ webhooks: z.array(z.object(endpointFields)), ...costFields }),
  reaches: 'account:read',
  isPrivate: true,
  async run(_, { webhooks, catalogue }: Needs, call) {
    const found = await webhooks.list(askerOf(call));
    return { webhooks: found.map(endpointAnswer), ...freeAnswer(catalogue) };
  },
});

export const getWebhook = defineOperation({
  name: 'get_webhook',
  methods: ['GET'],
  path: '/api/webhooks/{id}',
  tag: 'webhooks',
  summary: 'One endpoint: what it is told, whether it is disabled and why.',
  input,
  answer,
  reaches: 'account:read',
  isPrivate: true,
  async run({ id }, services: Needs, call) {
    const found = await services.webhooks.find(id, askerOf(call));
    return { ...endpointAnswer(found), ...freeOf(services, found) };
  },
});

export const deleteWebhook = defineOperation({
  name: 'delete_webhook',
  methods: ['DELETE'],
  path: '/api/webhooks/{id}',
  tag: 'webhooks',
  summary: 'Forgets an endpoint with everything that waits for it.',
  input,
  answer: z.object({ id: z.string(), deleted: z.literal(true), ...costFields }),
  reaches: 'account:read',
  async run({ id }, { webhooks, catalogue }: Needs, call) {
    await webhooks.find(id, askerOf(call));
    await webhooks.end(id);
    return { id, deleted: true as const, ...freeAnswer(catalogue) };
  },
});

export const rotateWebhookSecret = defineOperation({
  name: 'rotate_webhook_secret',
  methods: ['POST'],
  path: '/api/webhooks/{id}/rotate-secret',
  tag: 'webhooks',
  summary: 'A new secret. For a day notices are signed with the one before as well.',
  input,
  answer: z.object({
    id: z.string(),
    secret: z.string().describe('Shown only now.'),
    earlier_until: z.string().describe('Until then the secret before holds too.'),
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

export const enableWebhook = defineOperation({
  name: 'enable_webhook',
  methods: ['POST'],
  path: '/api/webhooks/{id}/enable',
  tag: 'webhooks',
  summary: 'Sends to an endpoint again that was disabled. What it missed is sent with replay.',
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
