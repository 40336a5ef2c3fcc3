import { z } from 'zod';

/** Note in responses about an unlocked wallet. */
export const ADDRESS_ALONE =
  'Not locked: anyone who knows the address can spend its credits, and read, replace and delete its files. The owner can lock it with manage_wallet or POST /api/wallet/challenge.';

export const addressAloneField = z
  .string()
  .optional()
  .describe('Access by the address alone; absent for a locked wallet.');
