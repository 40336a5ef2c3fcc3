import type { Wallets } from '../../src/features/wallets/types.ts';

/** Holds 1 credit of a wallet for a call of a tool, for a minute. */
export const holdFor = (wallets: Pick<Wallets, 'hold'>, wallet: string, tool: string) => (id: string) =>
  wallets.hold({ id, wallet, amount: 1000, tool, expiresAt: new Date(Date.now() + 60_000) });
