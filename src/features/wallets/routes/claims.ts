import { z } from 'zod';
import { messagePage } from '../../../core/html/html_page.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { FREE_COST } from '../../definitions/next_step.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import type { Limit } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { claimedPage, claimPage } from '../pages/claim_page.ts';

const LIMIT: Limit = { name: 'claims', calls: 60, perSeconds: 3600, by: 'address', failuresCount: true };
const tokenField = z.string().max(100).describe('The last part of the link from open_account.');
type Needs = Pick<Services, 'guests'>;

const UNKNOWN_OR_USED = 'This link is unknown or was already used. A link shows the private key once.';

const showClaim = defineOperation({
  name: 'claim_page',
  methods: ['GET'],
  path: '/claim/{token}',
  tag: 'account',
  summary: 'The page where a person takes over an account that open_account has opened.',
  input: z.object({ token: tokenField }),
  answer: { file: 'text/html', description: 'The wallet, and a button that shows its private key once.' },
  limit: LIMIT,
  async run({ token }, { guests }: Needs) {
    const found = await guests.find(token);
    return found && !found.claimedAt
      ? claimPage(found.wallet)
      : messagePage('Nothing to take over', UNKNOWN_OR_USED);
  },
});

const takeByPage = defineOperation({
  name: 'claim_account_by_page',
  methods: ['POST'],
  path: '/claim/{token}',
  tag: 'account',
  summary: 'Shows the private key, once.',
  input: z.object({ token: tokenField }),
  body: 'raw',
  maxBodyBytes: 1024,
  answer: { file: 'text/html', description: 'The private key, once.' },
  limit: LIMIT,
  answersSecret: true,
  run: async ({ token }, { guests }: Needs) => claimedPage(await guests.claim(token)),
});

const takeByProgram = defineOperation({
  name: 'claim_account',
  methods: ['POST'],
  path: '/api/wallet/claim',
  tag: 'account',
  summary:
    'Returns the private key of an account opened with open_account, once; the server then deletes it. The wallet stays locked, and the key of the agent stays active.',
  input: z.object({ token: tokenField }),
  answer: z.object({
    wallet: z.string(),
    private_key: z.string().describe('Shown only now.'),
    ...costFields,
  }),
  limit: LIMIT,
  answersSecret: true,
  alsoFails: [404, 503],
  async run({ token }, { guests }: Needs) {
    const { wallet, privateKey } = await guests.claim(token);
    return { wallet, private_key: privateKey, cost: FREE_COST, next_steps: [] };
  },
});

export const claimOperations: readonly AnyOperation[] = [showClaim, takeByPage, takeByProgram];
