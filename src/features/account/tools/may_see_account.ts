import type { CallContext } from '../../definitions/tool.ts';

/** Whether the caller may see the balance of a wallet: a locked one requires proof. */
export const maySeeAccount = (wallet: string, { proof }: Pick<CallContext, 'proof'>): boolean =>
  proof?.wallet === wallet && (proof.key?.scopes.includes('account:read') ?? true);
