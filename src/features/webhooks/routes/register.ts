import { z } from 'zod';
import { URL_CHARACTERS_MAX } from '../../../config/limits.ts';
import { costFields, freeAnswer } from '../../definitions/free_answer.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { endpointAnswer, endpointFields, freeOf } from './endpoint_answer.ts';
import { EVENT_NAMES } from './events.ts';
import { sortEvents } from './sort_events.ts';

const WEBHOOK_EVENT_CHARACTERS_MAX = 100;
const WEBHOOK_EVENTS_MAX = 50;

export const registerWebhook = defineOperation({
  name: 'register_webhook',
  methods: ['POST'],
  path: '/api/webhooks/register',
  tag: 'webhooks',
  summary:
    'Registers a URL for signed notices (Standard Webhooks) of what happens in your wallet and of what is public; an empty object answers with the events there are. The same URL again takes new events and gets a new secret.',
  input: z.object({
    url: z
      .string()
      .max(URL_CHARACTERS_MAX)
      .optional()
      .describe('Where notices are to go: https, a public host.'),
    events: z
      .array(z.string().min(1).max(WEBHOOK_EVENT_CHARACTERS_MAX))
      .max(WEBHOOK_EVENTS_MAX)
      .default([])
      .describe('Names of events, or patterns such as "tool.*". Absent: all.'),
  }),
  answer: z.object({
    ...z.object(endpointFields).partial().shape,
    status: z.enum(['active', 'no_endpoint']),
    secret: z.string().optional().describe('Signs what is sent. Shown only now.'),
    available_events: z.array(z.string()),
    note: z.string(),
    ...costFields,
  }),
  // Notices tell what happens in an account, so a key has to be allowed to see it.
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
        ...{ events, unknown_events: unknownEvents, available_events: EVENT_NAMES },
        note: 'Nothing was registered: send a url.',
        ...freeAnswer(catalogue),
      };
    }
    // A wallet that is made up has no list of its own, or there would be no end to them.
    const isKnown = wallet !== undefined && (await wallets.isRegistered(wallet));
    const { secret, ...endpoint } = await webhooks.register({
      caller: isKnown ? wallet : `ip:${address}`,
      awaited: isKnown ? undefined : wallet,
      isProved: proof !== undefined,
      keyId: proof?.key?.id,
      ...{ url, events, unknownEvents },
    });
    return {
      ...endpointAnswer(endpoint),
      status: 'active' as const,
      secret,
      available_events: EVENT_NAMES,
      note: `Keep the secret, it is shown only now. ${wallet === undefined ? PUBLIC_ONLY : OF_WALLET}`,
      ...freeOf({ catalogue }, endpoint),
    };
  },
});

const PUBLIC_ONLY =
  'No wallet came as bearer, so this endpoint is told public events alone: posts to the cafe, the gallery and the registry.';
const OF_WALLET = 'It is told what happens in your wallet, and public events.';
