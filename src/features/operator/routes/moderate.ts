import { z } from 'zod';
import { walletField } from '../../definitions/fields.ts';
import { defineSimpleAct, reasonField } from './act.ts';

const entry = z.object({
  id: z.string().min(1).max(100).describe('As its feed shows it, such as 2026-11-21-0a1b2c3d.'),
  reason: reasonField,
});

export const hideEntry = defineSimpleAct({
  name: 'hide',
  scope: 'moderate',
  summary: 'Takes an entry of the cafe, the gallery or the registry out of the feeds.',
  input: entry,
  do: (operator, by, { id }) => operator.hide(by, id),
  done: ({ id }) => `${id} is in no feed any more. It stays in the database as it was written.`,
  absent: 'No board has an entry of that id. Feeds show the ids, such as 2026-11-21-0a1b2c3d.',
});

export const unhideEntry = defineSimpleAct({
  name: 'unhide',
  scope: 'moderate',
  summary: 'Puts a hidden entry back into its feed.',
  input: entry,
  do: (operator, by, { id }) => operator.unhide(by, id),
  done: ({ id }) => `${id} is in its feed again.`,
  absent: 'No board has an entry of that id. The log of acts shows what was hidden.',
});

export const endThing = defineSimpleAct({
  name: 'end',
  scope: 'moderate',
  summary:
    'Ends a job, a key, a webhook or a kept manifest of anybody, or a fetch; what a job held is given back.',
  isFinal: true,
  input: z.object({
    id: z
      .string()
      .min(1)
      .max(100)
      .describe(
        'Begins with job_, key_ or whe_; a kept manifest is manifest_ and the sha256 of its store, and what is being fetched fetch_ and its name. A server at work on it stops within seconds.',
      ),
    reason: reasonField,
  }),
  do: (operator, by, { id }) => operator.end(by, id),
  done: ({ id }) => `${id} has ended.`,
  absent:
    'There is nothing of that id that has not ended. Ids begin with job_, key_, whe_, manifest_ or fetch_.',
});

const wallet = z.object({ wallet: walletField, reason: reasonField });

export const blockWallet = defineSimpleAct({
  name: 'block',
  scope: 'money',
  summary: 'From now on a wallet spends no credits. It can still read and export what it keeps.',
  input: wallet,
  do: (operator, by, input) => operator.block(by, input.wallet),
  done: (input) =>
    `${input.wallet} spends nothing until it is unblocked. Calls that hold credits already may finish.`,
  absent: 'That wallet is blocked already.',
});

export const unblockWallet = defineSimpleAct({
  name: 'unblock',
  scope: 'money',
  summary: 'Lets a blocked or closed wallet spend again.',
  input: wallet,
  do: (operator, by, input) => operator.unblock(by, input.wallet),
  done: (input) => `${input.wallet} may spend again.`,
  absent: 'That wallet is not blocked.',
});
