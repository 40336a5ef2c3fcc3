import { z } from 'zod';
import type { CallContext } from '../../definitions/tool.ts';

/** Note in responses about an unlocked wallet. */
export const ADDRESS_ALONE =
  'Not locked: anyone who knows the address can spend its credits, and read, replace and delete its files. The owner can lock it with manage_wallet or POST /api/wallet/challenge.';

export const addressAloneField = z
  .string()
  .optional()
  .describe('Access by the address alone; absent for a locked wallet.');

/** Whether the caller may see the balance of a wallet: a locked one requires proof. */
export const maySeeAccount = (wallet: string, { proof }: Pick<CallContext, 'proof'>): boolean =>
  proof?.wallet === wallet && (proof.key?.scopes.includes('account:read') ?? true);
