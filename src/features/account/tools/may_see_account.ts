import type { CallContext } from '../../definitions/tool.ts';

/** Whether the caller has proved a locked wallet well enough to be told about its money. */
export const maySeeAccount = (wallet: string, { proof }: Pick<CallContext, 'proof'>): boolean =>
  proof?.wallet === wallet && (proof.key?.scopes.includes('account:read') ?? true);
