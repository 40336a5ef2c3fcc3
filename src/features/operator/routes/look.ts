import { z } from 'zod';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { walletField } from '../../definitions/fields.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { OPERATOR_LIMIT } from './admin_action.ts';
import { ACTS_SHOWN_MAX, ENTRIES_SHOWN_MAX } from './limits.ts';

const credits = z.number().min(-1e12).max(1e12);
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const inCredits = (amount: number): number => amount / MILLICREDITS_PER_CREDIT;
const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const showLog = defineOperation({
  name: 'operator_log',
  methods: ['GET'],
  path: '/api/operator/log',
  tag: 'operator',
  summary: 'The audit log: what operators did and why, newest first. It cannot be changed.',
  input: z.object({
    limit: z.coerce.number().int().min(1).max(ACTS_SHOWN_MAX).default(100),
    before: z.coerce
      .number()
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('`next` of the previous page.'),
  }),
  answer: z.object({
    acts: z.array(
      z.object({
        at: z.string(),
        who: z.string(),
        act: z.string(),
        about: z.string().describe('Id of the target.'),
        why: z.string(),
      }),
    ),
    next: count.nullable().describe('Value of `before` for the next page; null on the last page.'),
  }),
  operator: 'read',
  limit: OPERATOR_LIMIT,
  async run({ limit, before }, { operator }: Pick<Services, 'operator'>) {
    const acts = await operator.acts({ limit: limit + 1, before });
    const shown = acts.slice(0, limit);
    return {
      acts: shown.map(({ at, who, act, about, why }) => ({ at: at.toISOString(), who, act, about, why })),
      next: acts.length > limit ? shown.at(-1)!.number : null,
    };
  },
});

export const listEntries = defineOperation({
  name: 'operator_entries',
  methods: ['GET'],
  path: '/api/operator/entries',
  tag: 'operator',
  summary: 'Recent posts on all boards, including hidden entries.',
  input: z.object({ limit: z.coerce.number().int().min(1).max(ENTRIES_SHOWN_MAX).default(20) }),
  answer: z.object({
    entries: z.array(
      z.object({
        id: z.string(),
        board: z.enum(['cafe', 'gallery', 'registry']),
        posted_at: z.string(),
        hidden_at: z.string().nullable(),
        wallet: z.string(),
        name: z.string(),
        text: z.string(),
      }),
    ),
  }),
  operator: 'read',
  limit: OPERATOR_LIMIT,
  run: async ({ limit }, { operator }: Pick<Services, 'operator'>) => ({
    entries: (await operator.entries(limit)).map(({ postedAt, hiddenAt, ...entry }) => ({
      ...entry,
      posted_at: postedAt.toISOString(),
      hidden_at: iso(hiddenAt),
    })),
  }),
});

export const showWallet = defineOperation({
  name: 'operator_show',
  methods: ['GET'],
  path: '/api/operator/show',
  tag: 'operator',
  summary: 'Overview of a wallet: money, keys, storage, jobs, posts, and whether it is blocked.',
  input: z.object({ wallet: walletField }),
  answer: z.object({
    wallet: z.string(),
    registered_at: z.string().nullable(),
    balance: credits,
    held: credits,
    totals: z.object({
      granted: credits,
      purchased: credits,
      spent: credits,
      credit_back: credits,
      refunded: credits,
    }),
    blocked: z.object({ at: z.string(), who: z.string(), why: z.string() }).nullable(),
    claimed_at: z.string().nullable(),
    locked_at: z.string().nullable(),
    storage: z.object({ assets: count, used_bytes: count, limit_bytes: count }),
    webhooks: count,
    posts: z.array(z.string()).describe('Ids, newest first.'),
    keys: z
      .array(z.object({ id: z.string(), name: z.string(), used_credits: credits }))
      .describe('Active keys.'),
    jobs: z.array(z.object({ id: z.string(), tool: z.string(), state: z.string() })).describe('Active jobs.'),
    recent: z.array(
      z.object({ at: z.string(), id: z.string(), type: z.string(), amount: credits, balance_after: credits }),
    ),
  }),
  operator: 'read',
  limit: OPERATOR_LIMIT,
  async run({ wallet }, { operator }: Pick<Services, 'operator'>) {
    const { account, blocked, storage, keys, recent, ...seen } = await operator.wallet(wallet);
    const totals = account?.totals;
    return {
      wallet,
      registered_at: iso(account?.registeredAt ?? null),
      balance: inCredits(account?.balance ?? 0),
      held: inCredits(account?.held ?? 0),
      totals: {
        granted: inCredits(totals?.granted ?? 0),
        purchased: inCredits(totals?.purchased ?? 0),
        spent: inCredits(totals?.spent ?? 0),
        credit_back: inCredits(totals?.creditBack ?? 0),
        refunded: inCredits(totals?.refunded ?? 0),
      },
      blocked: blocked && { ...blocked, at: blocked.at.toISOString() },
      claimed_at: iso(seen.claimedAt),
      locked_at: iso(seen.lockedAt),
      storage: {
        assets: storage.assets,
        used_bytes: storage.usedBytes,
        limit_bytes: storage.limitBytes,
      },
      webhooks: seen.webhooks,
      posts: [...seen.posts],
      keys: keys.map(({ id, name, spent }) => ({ id, name, used_credits: inCredits(spent) })),
      jobs: seen.jobs.map((job) => ({ ...job })),
      recent: recent.map(({ id, type, amount, balanceAfter, at }) => ({
        at: at.toISOString(),
        id,
        type,
        amount: inCredits(amount),
        balance_after: inCredits(balanceAfter),
      })),
    };
  },
});
