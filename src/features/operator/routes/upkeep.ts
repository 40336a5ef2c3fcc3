import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { AskedFetch } from '../../models/setup/types.ts';
import type { Services } from '../../services.ts';
import { defineSimpleAct, OPERATOR_LIMIT, reasonField } from './act.ts';

export const fetchOffer = defineSimpleAct({
  name: 'fetch',
  scope: 'upkeep',
  summary:
    'Fetches a museum or a network, one at a time, in the background of a server; the overview says how far it is, and end stops it.',
  input: z.object({
    name: z
      .string()
      .min(1)
      .max(60)
      .describe('As the overview names it: a museum such as met, or a network such as u2netp.'),
    reason: reasonField,
  }),
  async do(operator, by, { name }) {
    await operator.fetch(by, name);
    return true;
  },
  done: ({ name }) => `A server fetches ${name} from now on. To stop it, end fetch_${name}.`,
  absent: 'There is nothing of that name to fetch.',
});

export const fetchesField = z
  .array(
    z.object({
      name: z.string(),
      state: z.enum(['waiting', 'running', 'done', 'failed', 'stopped']),
      fraction: z.number().min(0).max(1),
      said: z.string().describe('What it does now, or what came of it.'),
      who: z.string(),
      asked_at: z.string(),
      ended_at: z.string().nullable(),
      unwanted: z.boolean().describe('It was asked to end; one that runs does so in a moment.'),
    }),
  )
  .describe('What operators have asked for, the newest first.');

export const fetchAnswer = ({ name, state, fraction, said, who, ...more }: AskedFetch) => ({
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
  summary: 'What operators have asked servers to fetch, and how far it is.',
  input: z.object({}),
  answer: z.object({ fetches: fetchesField }),
  operator: 'read',
  limit: OPERATOR_LIMIT,
  run: async (_input, { operator }: Pick<Services, 'operator'>) => ({
    fetches: (await operator.fetches()).map(fetchAnswer),
  }),
});
