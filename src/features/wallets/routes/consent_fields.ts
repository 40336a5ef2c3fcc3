import { z } from 'zod';
import { CHAIN_ID_MAX, SIGNATURE_CHARACTERS_MAX } from '../../account/routes/limits.ts';
import { costFields } from '../../definitions/free_answer.ts';

export const idField = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be the last part of the link')
  .describe('Last part of the link.');

export const decisionFields = {
  decision: z.enum(['grant', 'refuse']),
  chain_id: z
    .int()
    .min(1)
    .max(CHAIN_ID_MAX)
    .default(1)
    .describe('EIP-155 chain the message names; of a contract wallet its own.'),
};

export const signatureField = z
  .string()
  .min(1)
  .max(SIGNATURE_CHARACTERS_MAX)
  .describe('0x and hex: of the owner, over the message for exactly this decision.');

/** What is to be signed. */
export const messageAnswer = z.object({ message: z.string(), ...costFields });

export const decidedAnswer = z.object({ state: z.enum(['granted', 'refused']), ...costFields });

export const LIMIT = {
  name: 'consents',
  calls: 600,
  perSeconds: 3600,
  by: 'address',
  failuresCount: true,
} as const;
