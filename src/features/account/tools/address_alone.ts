import { z } from 'zod';

/** Note in responses about an unlocked wallet. */
export const ADDRESS_ALONE =
  'Not locked: everyone who knows the address can spend its credits, and read, replace and delete its files. Its owner can lock it: manage_wallet, or POST /api/wallet/challenge.';

export const addressAloneField = z
  .string()
  .optional()
  .describe('Access that the address alone gives; absent for a locked wallet.');
