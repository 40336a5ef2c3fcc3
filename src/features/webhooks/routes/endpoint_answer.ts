import { z } from 'zod';
import { freeAnswer } from '../../definitions/free_answer.ts';
import { freeStep } from '../../definitions/next_step.ts';
import type { OperationCall } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { Endpoint } from '../types.ts';

const moment = z.string().nullable();

/** Public fields of an endpoint, without its secret. */
export const endpointFields = {
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()).describe('Events it receives; "*" means all.'),
  unknown_events: z.array(z.string()).describe('Unknown event names; stored and ignored.'),
  status: z.enum(['active', 'disabled']).describe('disabled: no notifications are sent.'),
  disabled_because: z.string().nullable(),
  disabled_at: moment,
  failing_since: moment.describe('Start of the current delivery failures; null if deliveries succeed.'),
  last_delivered_at: moment.describe('To the minute.'),
  dropped: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .describe('Notifications dropped because the queue was full.'),
  last_dropped_at: moment,
  created_at: z.string(),
};

export const endpointAnswer = (endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  events: [...endpoint.events],
  unknown_events: [...endpoint.unknownEvents],
  status: endpoint.state,
  disabled_because: endpoint.disabledBecause,
  disabled_at: endpoint.disabledAt?.toISOString() ?? null,
  failing_since: endpoint.failingSince?.toISOString() ?? null,
  last_delivered_at: endpoint.deliveredAt?.toISOString() ?? null,
  dropped: endpoint.dropped,
  last_dropped_at: endpoint.droppedAt?.toISOString() ?? null,
  created_at: endpoint.createdAt.toISOString(),
});

/** `cost` and next steps for an endpoint. */
export const freeOf = (
  { catalogue }: Pick<Services, 'catalogue'>,
  { id, state }: Pick<Endpoint, 'id' | 'state'>,
) => ({
  ...freeAnswer(catalogue),
  next_steps: [
    ...(state === 'disabled'
      ? [freeStep(`POST /api/webhooks/${id}/enable`, 'Enable it', 'No notifications are sent until then')]
      : []),
    freeStep(`POST /api/webhooks/${id}/test`, 'Send a test', 'To verify delivery and signature'),
    freeStep(`GET /api/webhooks/${id}/deliveries`, 'List deliveries', 'Every attempt with its status'),
  ],
});

/** Identity of the requester: wallet, key, or the secret of an endpoint as bearer token. */
export const askerOf = ({ wallet, proof, bearer }: Pick<OperationCall, 'wallet' | 'proof' | 'bearer'>) => ({
  wallet,
  keyId: proof?.key?.id,
  ...(bearer?.startsWith('whsec_') && { secret: bearer }),
});

export const webhookId = z.string().min(1).max(100).describe('Id from the registration: whe_….');
