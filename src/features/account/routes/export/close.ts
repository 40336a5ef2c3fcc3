import { z } from 'zod';
import { MILLICREDITS_PER_CREDIT } from '../../../../config/limits.ts';
import { AtelierError } from '../../../../core/errors/atelier_error.ts';
import { costFields, freeAnswer } from '../../../definitions/free_answer.ts';
import { defineOperation } from '../../../definitions/operation.ts';
import type { Services } from '../../../services.ts';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
type Needs = Pick<Services, 'leaving' | 'catalogue'>;

export const closeWallet = defineOperation({
  name: 'close_wallet',
  methods: ['POST'],
  path: '/api/wallet/close',
  tag: 'account',
  summary:
    'Closes the account of your wallet. Without "dry_run": false it only reports the effects. Export your data first.',
  input: z.object({ dry_run: z.boolean().default(true) }),
  answer: z.object({
    wallet: z.string(),
    closed: z.boolean(),
    balance: z.number().min(0).max(1e12).describe('Remaining credits, which can no longer be spent.'),
    keys_revoked: count,
    sessions_ended: count,
    assets_trashed: count,
    webhooks_ended: count,
    jobs_canceled: count,
    posts_hidden: count,
    recipes_deleted: count,
    workspaces_deleted: count,
    purge_at: z
      .string()
      .describe('Assets can be restored until then, and are permanently deleted afterwards.'),
    stays: z.array(z.string()).describe('Append-only records that remain.'),
    ...costFields,
  }),
  ownerOnly: true,
  limit: { name: 'closings', calls: 20, perSeconds: 3600 },
  async run({ dry_run: isDry }, { leaving, catalogue }: Needs, call) {
    const wallet = call.wallet!;
    const { balance, counts, purgeAt } = await leaving.close(wallet, { isDry });
    return {
      wallet,
      closed: !isDry,
      balance: balance / MILLICREDITS_PER_CREDIT,
      keys_revoked: counts.keys,
      sessions_ended: counts.sessions,
      assets_trashed: counts.assets,
      webhooks_ended: counts.webhooks,
      jobs_canceled: counts.jobs,
      posts_hidden: counts.posts,
      recipes_deleted: counts.recipes,
      workspaces_deleted: counts.workspaces,
      purge_at: purgeAt.toISOString(),
      stays: [...STAYS],
      ...freeAnswer(catalogue),
    };
  },
});

const STAYS = [
  'movements of credits and signed receipts',
  'registered hashes and the transparency log',
  'files of store_permanent',
  'hidden posts, which are not shown',
  'stored C2PA manifests; DELETE /api/c2pa/manifests/{id} deletes one',
] as const;

export const reopenWallet = defineOperation({
  name: 'reopen_wallet',
  methods: ['POST'],
  path: '/api/wallet/reopen',
  alsoFails: [404],
  tag: 'account',
  summary:
    'Reopens a wallet that you closed, so that it can spend again. Restore deleted assets with POST /api/assets/restore; keys and posts are not restored.',
  input: z.object({}),
  answer: z.object({ wallet: z.string(), reopened: z.literal(true), ...costFields }),
  ownerOnly: true,
  async run(_input, { leaving, catalogue }: Needs, call) {
    const wallet = call.wallet!;
    if (!(await leaving.reopen(wallet)))
      throw new AtelierError(
        'not_found',
        'This wallet was not closed by its owner, so there is nothing to reopen.',
      );
    return { wallet, reopened: true as const, ...freeAnswer(catalogue) };
  },
});
