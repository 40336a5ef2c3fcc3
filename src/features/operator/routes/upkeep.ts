import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { FetchRequest } from '../../models/setup/types.ts';
import type { Services } from '../../services.ts';
import { defineAdminAction, OPERATOR_LIMIT, reasonField } from './admin_action.ts';

export const fetchOffer = defineAdminAction({
  name: 'fetch',
  scope: 'upkeep',
  summary:
    'Downloads a museum or a network in the background, one at a time; the overview shows the progress, and end stops it.',
  input: z.object({
    name: z
      .string()
      .min(1)
      .max(60)
      .describe('Name from the overview: a museum such as met, or a network such as u2netp.'),
    reason: reasonField,
  }),
  async do(operator, by, { name }) {
    await operator.fetch(by, name);
    return true;
  },
  done: ({ name }) => `Download of ${name} started. To stop it, end fetch_${name}.`,
  absent: 'Unknown museum or network.',
});

export const fetchesField = z
  .array(
    z.object({
      name: z.string(),
      state: z.enum(['waiting', 'running', 'done', 'failed', 'stopped']),
      fraction: z.number().min(0).max(1),
      said: z.string().describe('Current step, or result.'),
      who: z.string(),
      asked_at: z.string(),
      ended_at: z.string().nullable(),
      unwanted: z.boolean().describe('Cancellation requested; a running download stops within seconds.'),
    }),
  )
  .describe('Downloads requested by operators, newest first.');

export const fetchAnswer = ({ name, state, fraction, said, who, ...more }: FetchRequest) => ({
  name,
  state,
  fraction,
  said,
  who,
  asked_at: more.askedAt.toISOString(),
  ended_at: more.endedAt?.toISOString() ?? null,
  unwanted: more.isUnwanted,
});

export const listFetches = defineOperation({
  name: 'operator_fetches',
  methods: ['GET'],
  path: '/api/operator/fetches',
  tag: 'operator',
  summary: 'Downloads requested by operators, with their progress.',
  input: z.object({}),
  answer: z.object({ fetches: fetchesField }),
  operator: 'read',
  limit: OPERATOR_LIMIT,
  run: async (_input, { operator }: Pick<Services, 'operator'>) => ({
    fetches: (await operator.fetches()).map(fetchAnswer),
  }),
});
