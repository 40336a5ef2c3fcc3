import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';

/** Short, so that whoever checks a receipt right after a change of keys need not wait long. */
const CACHE_SECONDS = 300;

export const receiptKeys = defineOperation({
  name: 'receipt_keys',
  methods: ['GET'],
  path: '/.well-known/jwks.json',
  tag: 'payment',
  summary:
    'The public keys of signed receipts as a JWK Set (RFC 7517), newest first; keys that no longer sign stay for ever, and those that were taken back are marked.',
  input: z.object({}),
  answer: z.object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
        kid: z.string(),
        x: z.string(),
        revoked: z
          .object({
            revoked_at: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('In Unix seconds.'),
            reason: z.enum(['unspecified', 'compromised', 'superseded']),
          })
          .optional()
          .describe('It signs no more. Of a compromised one only that counts which the log had before.'),
      }),
    ),
  }),
  cacheSeconds: CACHE_SECONDS,
  run: async (_input, { receipts }: Pick<Services, 'receipts'>) => ({
    keys: (await receipts.keys()).map(({ kid, x, revoked }) => ({
      ...ED25519,
      ...{ kid, x },
      ...(revoked && {
        revoked: { revoked_at: Math.floor(revoked.at.getTime() / 1000), reason: revoked.reason },
      }),
    })),
  }),
});

const ED25519 = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' } as const;
