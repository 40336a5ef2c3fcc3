import type { Database } from '../../src/database/contract.ts';
import { ANY_NETWORK } from '../../src/services/fetching/reach.ts';
import { createWallets } from '../../src/services/wallets/wallets.ts';
import type { Parts } from '../../src/services/webhooks/parts.ts';
import { createWebhooks } from '../../src/services/webhooks/webhooks.ts';

export const WALLET = `0x${'a'.repeat(40)}`;

/** Webhooks that may reach this machine, on a clock that moves with the machine's and further where it is told. */
export function givenWebhooks(database: Database, more: Partial<Parts> = {}) {
  const time = { ahead: 0 };
  const failures: unknown[] = [];
  const clock = () => new Date(Date.now() + time.ahead);
  const webhooks = createWebhooks({
    ...{ database, reach: ANY_NETWORK, publicUrl: 'https://atelier.test', atOnce: 16, clock },
    ...{ random: () => 0, report: (error: unknown) => void failures.push(error) },
    ...more,
  });
  const register = (url: string, endpoint: Partial<Parameters<typeof webhooks.register>[0]> = {}) =>
    webhooks.register({ caller: WALLET, url, events: ['*'], unknownEvents: [], ...endpoint });
  const tell = (type = 'tool.completed', wallet = WALLET) =>
    webhooks.tell({ wallet, type, data: { tool: 'paint' } });
  return { webhooks, register, tell, time, failures, wallets: createWallets(database) };
}
