import { z } from 'zod';
import type { Services } from '../../services/contract.ts';
import { type AnyOperation, defineOperation } from '../operation.ts';
import { PUBLIC_URL_RULE, publicUrl } from '../public_url.ts';
import { EVENTS, sortEvents } from './events.ts';

const WEBHOOK_EVENT_CHARACTERS_MAX = 100;

const WEBHOOK_EVENTS_MAX = 50;

const NOT_YET =
  'Signed delivery is not active yet: the registration is kept, and nothing is sent to it until delivery is switched on.';

const publicUrlField = z
  .string()
  .transform((text) => publicUrl(text))
  .refine((url) => url !== undefined, `must be ${PUBLIC_URL_RULE}`)
  .pipe(z.string());

export const registerWebhook = defineOperation({
  name: 'register_webhook',
  methods: ['POST'],
  path: '/api/webhooks/register',
  tag: 'webhooks',
  summary: `Registers a URL for notifications; an empty object answers with the events there are. ${NOT_YET}`,
  input: z.object({
    url: publicUrlField.optional().describe('Where notifications are to go: https, a public host.'),
    events: z
      .array(z.string().min(1).max(WEBHOOK_EVENT_CHARACTERS_MAX))
      .max(WEBHOOK_EVENTS_MAX)
      .default([])
      .describe('Names of events, or patterns such as "tool.*". Absent: all.'),
  }),
  answer: z.object({
    status: z.enum(['registered', 'no_endpoint']),
    id: z.string().optional(),
    url: z.string().optional(),
    events: z.array(z.string()).describe('What was asked for and is known here; "*" means all.'),
    unknown_events: z.array(z.string()).describe('Names that mean nothing here; kept and ignored.'),
    secret: z.string().optional().describe('Signs what will be sent. Shown only now.'),
    available_events: z.array(z.string()),
    created_at: z.string().optional(),
    note: z.string(),
  }),
  // Notices tell what happens in an account, so a key has to be allowed to see it.
  reaches: 'account:read',
  limit: { name: 'webhooks', calls: 100, perSeconds: 3600 },
  async run(
    { url, events: asked },
    { webhooks, wallets }: Pick<Services, 'webhooks' | 'wallets'>,
    { wallet, address, proof },
  ) {
    const { events, unknownEvents } = sortEvents(asked);
    const choice = { events, unknown_events: unknownEvents, available_events: [...EVENTS] };
    if (url === undefined) {
      return {
        status: 'no_endpoint' as const,
        ...choice,
        note: `Nothing was registered: send a url. ${NOT_YET}`,
      };
    }
    // A wallet that is made up has no list of its own, or there would be no end to them.
    const isKnown = wallet !== undefined && (await wallets.isRegistered(wallet));
    const caller = isKnown ? wallet : `ip:${address}`;
    const keyId = proof?.key?.id;
    const endpoint = await webhooks.register({ caller, keyId, url, events, unknownEvents });
    return {
      status: 'registered' as const,
      id: endpoint.id,
      url,
      secret: endpoint.secret,
      ...choice,
      created_at: endpoint.createdAt.toISOString(),
      note: `Keep the secret, it is shown only now. ${NOT_YET}`,
    };
  },
});

export const webhookOperations: readonly AnyOperation[] = [registerWebhook];
