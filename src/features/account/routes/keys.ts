import { z } from 'zod';
import { noSuchTool } from '../../../catalog/unknown_tool.ts';
import { KEY_NAME_CHARACTERS_MAX } from '../../../config/limits.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { Scope } from '../../../core/principal.ts';
import { costFields } from '../../definitions/free_answer.ts';
import { FREE_COST, freeStep } from '../../definitions/next_step.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { NewKey, WalletKey } from '../../wallets/ownership/types.ts';
import { KEY_CAP_CREDITS_MAX, KEY_TOOLS_MAX } from './limits.ts';

const SCOPES = ['spend', 'assets:read', 'assets:write', 'account:read'] as const satisfies readonly Scope[];
const MILLI = 1000;
const amount = z.number().min(0).max(1e12);

/** Public fields of a key, without its token. Amounts in credits. */
export const keyFields = z.object({
  id: z.string().describe('Id of the key; not a secret.'),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  tools: z.array(z.string()).nullable().describe('null: every tool.'),
  max_credits: amount.nullable(),
  used_credits: amount.describe('Held by running calls, or charged.'),
  max_credits_per_day: amount.nullable(),
  used_credits_today: amount.describe('Since midnight UTC.'),
  state: z.enum(['active', 'expired', 'revoked']),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});

const cap = z.int().min(1).max(KEY_CAP_CREDITS_MAX).optional();

/** Name and limits of a new key. */
export const newKeyFields = {
  name: z
    .string()
    .min(1)
    .max(KEY_NAME_CHARACTERS_MAX * 4)
    .describe('Your label for the key.'),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .max(SCOPES.length)
    .default(['spend'])
    .describe(
      'spend: pay for tools. assets:read, assets:write: files of the wallet. account:read: balance and statement.',
    ),
  tools: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(KEY_TOOLS_MAX)
    .optional()
    .describe('Allowed tools. Default: all.'),
  max_credits: cap.describe('Lifetime budget, in whole credits. Default: no cap.'),
  max_credits_per_day: cap.describe('Daily budget (UTC), in whole credits. Default: no cap.'),
  expires_at: z.iso
    .datetime({ offset: true })
    .max(40)
    .optional()
    .describe('Expiry, such as 2030-01-01T00:00:00Z. Default: valid until revoked.'),
};
type KeyWish = z.output<z.ZodObject<typeof newKeyFields>>;

export const createWalletKey = defineOperation({
  name: 'create_wallet_key',
  methods: ['POST'],
  path: '/api/wallet/keys',
  tag: 'account',
  summary:
    'Creates a key for an agent, with its own scopes, tools, budget and expiry. The token is shown once: send it as Authorization: Bearer atl_key_….',
  input: z.object(newKeyFields),
  maxBodyBytes: 64 * 1024,
  answer: z.object({
    token: z.string().describe('Shown only now.'),
    key: keyFields,
    auth: z.object({ header: z.string() }),
    note: z.string().optional(),
    ...costFields,
  }),
  ownerOnly: true,
  answersSecret: true,
  limit: { name: 'wallet-keys', calls: 100, perSeconds: 3600 },
  async run(input, { ownership, catalogue }: Pick<Services, 'ownership' | 'catalogue'>, call) {
    const wallet = call.wallet!;
    const { key, token } = await ownership.createKey(wallet, newKeyOf(input, catalogue));
    const isLocked = (await ownership.lockedAt(wallet)) !== undefined;
    return {
      token,
      key: describeKey(key),
      auth: { header: `Authorization: Bearer ${token}` },
      ...(!isLocked && {
        note: 'The wallet is not locked: anyone who knows its address can spend without this key. Lock it with POST /api/wallet/lock.',
      }),
      cost: FREE_COST,
      next_steps: [freeStep(`DELETE /api/wallet/keys/${key.id}`, 'Revoke it', 'When you no longer need it')],
    };
  },
});

/** Validates a new key. @throws AtelierError invalid_input for an unknown tool */
export function newKeyOf(input: KeyWish, catalogue: Services['catalogue']): NewKey {
  for (const tool of input.tools ?? []) requireTool(catalogue, tool);
  return {
    name: input.name,
    scopes: [...new Set(input.scopes)],
    ...(input.tools && { tools: [...new Set(input.tools)] }),
    ...(input.max_credits && { maxTotal: input.max_credits * MILLI }),
    ...(input.max_credits_per_day && { maxDaily: input.max_credits_per_day * MILLI }),
    ...(input.expires_at && { expiresAt: new Date(input.expires_at) }),
  };
}

function requireTool(catalogue: Services['catalogue'], name: string): void {
  if (catalogue.find(name)) return;
  throw invalidField('tools', noSuchTool(catalogue, name));
}

export const listWalletKeys = defineOperation({
  name: 'list_wallet_keys',
  methods: ['GET'],
  path: '/api/wallet/keys',
  tag: 'account',
  summary: 'The keys of your wallet, newest first, with their usage, and recent events of the wallet.',
  input: z.object({}),
  answer: z.object({
    wallet: z.string(),
    state: z.enum(['claimed', 'locked']),
    keys: z.array(keyFields),
    events: z
      .array(
        z.object({
          at: z.string(),
          event: z.string(),
          about: z.string().describe('Key, tool or endpoint.'),
          times: z.int().min(1).max(1_000_000_000),
        }),
      )
      .describe('Newest first; repeated refusals within an hour are one entry.'),
    ...costFields,
  }),
  ownerOnly: true,
  async run(_input, { ownership }: Pick<Services, 'ownership'>, call) {
    const wallet = call.wallet!;
    const [keys, events, lockedAt] = await Promise.all([
      ownership.keys(wallet),
      ownership.events(wallet),
      ownership.lockedAt(wallet),
    ]);
    return {
      wallet,
      state: lockedAt ? ('locked' as const) : ('claimed' as const),
      keys: keys.map(describeKey),
      events: events.map(({ at, ...event }) => ({ at: at.toISOString(), ...event })),
      cost: FREE_COST,
      next_steps: [],
    };
  },
});

export const revokeWalletKey = defineOperation({
  name: 'revoke_wallet_key',
  methods: ['DELETE'],
  path: '/api/wallet/keys/{id}',
  tag: 'account',
  summary: 'Permanently revokes a key. Its running calls may finish.',
  input: z.object({ id: z.string().min(1).max(100).describe('Id from GET /api/wallet/keys.') }),
  answer: z.object({ wallet: z.string(), key: keyFields, ...costFields }),
  ownerOnly: true,
  async run({ id }, { ownership }: Pick<Services, 'ownership'>, call) {
    const wallet = call.wallet!;
    const key = await ownership.revokeKey(wallet, id);
    return { wallet, key: describeKey(key), cost: FREE_COST, next_steps: [] };
  },
});

export const describeKey = (key: WalletKey): z.input<typeof keyFields> => ({
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  tools: key.tools,
  max_credits: key.maxTotal === null ? null : key.maxTotal / MILLI,
  used_credits: key.spent / MILLI,
  max_credits_per_day: key.maxDaily === null ? null : key.maxDaily / MILLI,
  used_credits_today: key.spentToday / MILLI,
  state: key.revokedAt ? 'revoked' : key.expiresAt && key.expiresAt <= new Date() ? 'expired' : 'active',
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
});
