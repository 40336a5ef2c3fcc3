import { z } from 'zod';
import { defineSimpleAct, reasonField } from './act.ts';

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
