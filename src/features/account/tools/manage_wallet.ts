import { z } from 'zod';
import { MILLICREDITS_PER_CREDIT, WELCOME_CREDITS } from '../../../config/limits.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { briefly, shownAs } from '../../definitions/brief.ts';
import { walletField } from '../../definitions/fields.ts';
import { FREE } from '../../definitions/price.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { createWalletKey, describeKey, keyFields, newKeyFields, newKeyOf } from '../routes/keys.ts';
import { walletChallenge, walletSession } from '../routes/prove.ts';
import { ADDRESS_ALONE, addressAloneField } from './account_fields.ts';

/** Above all EIP-155 chain ids in use. */
const CHAIN_ID_MAX = 4_294_967_295;

const ACTIONS = ['challenge', 'sign_in', 'lock', 'unlock', 'keys', 'create_key', 'revoke_key'] as const;
type Action = (typeof ACTIONS)[number];

/** Actions available without proof of ownership. */
const BEFORE_PROOF: readonly Action[] = ['challenge', 'sign_in'];

const of =
  (action: Action) =>
  (input: Readonly<Record<string, unknown>>): boolean =>
    input.action === action;

const { message, signature } = walletSession.input.shape;

const input = z.object({
  action: withAliases(z.enum(ACTIONS), 'do', 'operation'),
  wallet: briefly(
    walletField.optional().describe('challenge: the wallet to prove. Otherwise the wallet of the session.'),
    'for challenge',
  ),
  message: briefly(message.optional().describe('sign_in: the message from challenge.'), 'for sign_in'),
  signature: briefly(signature.optional(), 'for sign_in: personal_sign of message'),
  session: briefly(
    z
      .string()
      .max(200)
      .optional()
      .describe('The token from sign_in; or send it as Authorization header. Every later action needs it.'),
    'other actions: token from sign_in',
  ),
  key: shownAs(z.object(newKeyFields).optional().describe('create_key: its name and limits.'), {
    type: 'object',
    description:
      'for create_key: {name, scopes [spend, assets:read, assets:write, account:read], tools, max_credits, max_credits_per_day, expires_at}',
  }),
  id: briefly(z.string().min(1).max(100).optional().describe('revoke_key: id from keys.'), 'for revoke_key'),
  chain_id: briefly(
    z
      .int()
      .min(1)
      .max(CHAIN_ID_MAX)
      .default(1)
      .describe('challenge of a contract wallet: its chain (EIP-155).'),
    '',
  ),
});

const output = z.object({
  wallet: z.string(),
  state: z.enum(['open', 'claimed', 'locked']),
  address_alone: addressAloneField,
  message: z.string().optional().describe('Sign it unchanged with personal_sign (EIP-191).'),
  session: z.string().optional().describe('Session token. Shown only now.'),
  expires_at: z.string().optional().describe('Expiry of the message or session.'),
  bonus_credits: z.number().min(0).max(WELCOME_CREDITS).optional(),
  token: z.string().optional().describe('The key, shown only now: send it as payer.'),
  key: keyFields.optional(),
  keys: z.array(keyFields).optional().describe('Newest first.'),
});

/** Locking and keys of a wallet, for clients that can only call tools. Same proof and limits as the endpoints. */
export const manageWallet = defineTool({
  name: 'manage_wallet',
  title: 'Lock a wallet, manage its keys',
  category: 'account',
  summary:
    'Lock a wallet, so that its address alone gives no access; list, create and revoke its keys. Prove ownership first: challenge, then sign_in.',
  words:
    'protect my wallet, secure my account, lock or unlock, password, others spend my credits, prove ownership, sign in with ethereum, siwe, session, api key, access token, make a key for an agent, spending limit, budget, revoke a key, security, two factor, log in',
  price: FREE,
  input,
  output,
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  answersSecret: true,
  ownerOnly: (sent) => !BEFORE_PROOF.includes(sent.action),
  limit: {
    ...walletChallenge.limit!,
    appliesTo: of('challenge'),
    also: [
      { ...walletSession.limit!, appliesTo: of('sign_in') },
      { ...createWalletKey.limit!, appliesTo: of('create_key') },
    ],
  },
  examples: [{ action: 'challenge', wallet: '0x52908400098527886e0f7030069857d2e4169ee7' }],
  next: ({ wallet, state, session }) =>
    session !== undefined && state !== 'locked'
      ? [
          {
            action: 'Lock the wallet',
            tool: 'manage_wallet',
            why: `So that the address ${wallet} alone gives no access; send session along`,
            params: { action: 'lock' },
          },
        ]
      : [],

  run: (sent, services: Needs, call) => RUNS[sent.action](sent, services, call),
});

type Needs = Pick<Services, 'ownership' | 'guests' | 'catalogue'>;
type Sent = z.output<typeof input>;
type Answer = z.input<typeof output>;

const RUNS: Record<Action, (sent: Sent, services: Needs, call: CallContext) => Promise<Answer>> = {
  async challenge({ wallet, chain_id }, { ownership }) {
    const proved = given(wallet, 'wallet', 'wallet is missing. challenge needs the wallet to prove.');
    const { message: toSign, expiresAt } = await ownership.challenge(proved, chain_id);
    const { state } = await ownership.stateOf(proved);
    return { wallet: proved, state, message: toSign, expires_at: expiresAt.toISOString() };
  },
  async sign_in(sent, { ownership, guests }, { address }) {
    const { token, wallet, expiresAt } = await ownership.openSession({
      message: given(
        sent.message,
        'message',
        'message is missing. sign_in needs the message from challenge.',
      ),
      signature: given(
        sent.signature,
        'signature',
        'signature is missing. sign_in needs the signature of the message.',
      ),
    });
    const bonus = await guests.welcome(wallet, address);
    const { state } = await ownership.stateOf(wallet);
    return {
      wallet,
      state,
      session: token,
      expires_at: expiresAt.toISOString(),
      ...(bonus > 0 && { bonus_credits: bonus / MILLICREDITS_PER_CREDIT }),
    };
  },
  async lock(_sent, { ownership }, call) {
    await ownership.lock(call.wallet!, call.bearer);
    return stateOf(ownership, call);
  },
  async unlock(_sent, { ownership }, call) {
    await ownership.unlock(call.wallet!);
    return stateOf(ownership, call);
  },
  async keys(_sent, { ownership }, call) {
    const keys = await ownership.keys(call.wallet!);
    return { ...(await stateOf(ownership, call)), keys: keys.map(describeKey) };
  },
  async create_key(sent, { ownership, catalogue }, call) {
    const wanted = newKeyOf(given(sent.key, 'key', 'create_key needs key: {"name": "my agent"}.'), catalogue);
    const { key, token } = await ownership.createKey(call.wallet!, wanted);
    return { ...(await stateOf(ownership, call)), key: describeKey(key), token };
  },
  async revoke_key(sent, { ownership }, call) {
    const id = given(sent.id, 'id', 'revoke_key needs the id of a key, from keys.');
    const key = await ownership.revokeKey(call.wallet!, id);
    return { ...(await stateOf(ownership, call)), key: describeKey(key) };
  },
};

function given<T>(value: T | undefined, field: string, detail: string): T {
  if (value !== undefined) return value;
  throw invalidField(field, detail, { code: 'missing' });
}

async function stateOf(ownership: Needs['ownership'], { wallet }: CallContext) {
  const { state } = await ownership.stateOf(wallet!);
  return { wallet: wallet!, state, ...(state !== 'locked' && { address_alone: ADDRESS_ALONE }) };
}
