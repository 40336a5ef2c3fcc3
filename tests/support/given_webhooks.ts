import type { Database } from '../../src/core/database/types.ts';
import { ANY_NETWORK } from '../../src/core/outbound_http/reach.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';
import { createWebhooks, type SenderDeps } from '../../src/features/webhooks/service.ts';

export const WALLET = `0x${'a'.repeat(40)}`;

/**
 * Webhooks that may reach this machine, with a clock that follows the system clock plus an adjustable offset.
 */
export function givenWebhooks(database: Database, more: Partial<SenderDeps> = {}) {
  const time = { ahead: 0 };
  const failures: unknown[] = [];
  const clock = () => new Date(Date.now() + time.ahead);
  const webhooks = createWebhooks({
    database,
    reach: ANY_NETWORK,
    publicUrl: 'https://atelier.test',
    atOnce: 16,
    clock,
    random: () => 0,
    report: (error: unknown) => void failures.push(error),
    ...more,
  });
  const register = (url: string, endpoint: Partial<Parameters<typeof webhooks.register>[0]> = {}) =>
    webhooks.register({ caller: WALLET, url, events: ['*'], unknownEvents: [], ...endpoint });
  const tell = (type = 'tool.completed', wallet = WALLET) =>
    webhooks.tell({ wallet, type, data: { tool: 'paint' } });
  return { webhooks, register, tell, time, failures, wallets: createWallets(database) };
}
