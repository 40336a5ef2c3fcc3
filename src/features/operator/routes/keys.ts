import { z } from 'zod';
import { KEY_NAME_CHARACTERS_MAX } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { OperatorScope, OperatorToken } from '../types.ts';
import { attributionOf, OPERATOR_LIMIT, reasonField } from './admin_action.ts';
import { TOKEN_DAYS_MAX, TOKENS_SHOWN_MAX } from './limits.ts';

export const OPERATOR_SCOPES = [
  'read',
  'moderate',
  'money',
  'keys',
  'upkeep',
] as const satisfies readonly OperatorScope[];
const DAY_MS = 86_400_000;

export const revokeKey = defineOperation({
  name: 'operator_revoke',
  methods: ['POST'],
  path: '/api/operator/revoke',
  tag: 'operator',
  summary:
    'Permanently revokes a key: of a wallet, of an operator, or one that signs receipts and soulmarks, which the transparency log then records.',
  input: z.object({
    key: z
      .string()
      .min(1)
      .max(100)
      .describe(
        'key_… of a wallet, opk_… of an operator, or the kid of /.well-known/jwks.json (put -- before one that starts with a hyphen).',
      ),
    reason: reasonField,
    because: z
      .enum(['compromised', 'superseded', 'unspecified'])
      .default('unspecified')
      .describe('For a compromised signing key, only signatures logged before the revocation remain valid.'),
  }),
  answer: z.object({ kind: z.enum(['wallet key', 'operator key', 'signing key']), note: z.string() }),
  operator: 'keys',
  isFinal: true,
  limit: OPERATOR_LIMIT,
  async run({ key, reason, because }, { operator }: Pick<Services, 'operator'>, call) {
    const kind = await operator.revoke(attributionOf(call, reason), key, because);
    if (!kind)
      throw new AtelierError(
        'not_found',
        'No active key has that id. Ids start with key_ or opk_; a signing key is identified by its kid.',
      );
    const more =
      kind === 'signing key'
        ? ' A server that still signs with it needs another key: set RECEIPT_KEY, or move receipt_key.pem out of DATA_DIR, and restart it.'
        : '';
    return { kind, note: `${key} is revoked.${more}` };
  },
});

const tokenFields = {
  id: z.string().describe('Id of the token; not a secret.'),
  name: z.string(),
  scopes: z.array(z.enum(OPERATOR_SCOPES)),
  created_at: z.string(),
  created_by: z.string(),
  expires_at: z.string(),
  revoked_at: z.string().nullable(),
};

const tokenAnswer = (token: OperatorToken) => ({
  id: token.id,
  name: token.name,
  scopes: [...token.scopes],
  created_at: token.createdAt.toISOString(),
  created_by: token.createdBy,
  expires_at: token.expiresAt.toISOString(),
  revoked_at: token.revokedAt?.toISOString() ?? null,
});

export const makeToken = defineOperation({
  name: 'operator_token',
  methods: ['POST'],
  path: '/api/operator/token',
  tag: 'operator',
  summary:
    'Creates a token for an operator. It is shown once, and has at most the permissions of its creator.',
  input: z.object({
    name: z
      .string()
      .regex(/^[\w.@-]+$/, 'must be letters, digits and . _ @ -')
      .max(KEY_NAME_CHARACTERS_MAX)
      .describe('Name of the holder, shown in the audit log.'),
    reason: reasonField,
    scopes: z
      .array(z.enum(OPERATOR_SCOPES))
      .min(1)
      .max(OPERATOR_SCOPES.length)
      .default(['read'])
      .describe(
        'read: view. moderate: hide entries, end jobs. money: grant, refund, block. keys: revoke keys, create tokens. upkeep: download museums and networks.',
      ),
    days: z.int().min(1).max(TOKEN_DAYS_MAX).default(90).describe('Validity of the token.'),
  }),
  answer: z.object({ token: z.string().describe('Shown only now.'), ...tokenFields }),
  operator: 'keys',
  answersSecret: true,
  limit: OPERATOR_LIMIT,
  async run({ name, reason, scopes, days }, { operators }: Pick<Services, 'operators'>, call) {
    const beyond = scopes.filter((scope) => !call.operator!.scopes.includes(scope));
    if (beyond.length > 0)
      throw new AtelierError('operator_denied', `Your own token lacks ${beyond.join(', ')}.`);
    const expiresAt = new Date(Date.now() + days * DAY_MS);
    const wanted = { name, scopes: [...new Set(scopes)], expiresAt };
    const { token, made } = await operators.createToken(attributionOf(call, reason), wanted);
    return { token, ...tokenAnswer(made) };
  },
});

export const listTokens = defineOperation({
  name: 'operator_tokens',
  methods: ['GET'],
  path: '/api/operator/tokens',
  tag: 'operator',
  summary: 'The tokens of operators, newest first, without their secret.',
  input: z.object({}),
  answer: z.object({ tokens: z.array(z.object(tokenFields)) }),
  operator: 'keys',
  limit: OPERATOR_LIMIT,
  run: async (_input, { operators }: Pick<Services, 'operators'>) => ({
    tokens: (await operators.tokens(TOKENS_SHOWN_MAX)).map(tokenAnswer),
  }),
});
