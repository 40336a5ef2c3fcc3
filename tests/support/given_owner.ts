import { randomUUID } from 'node:crypto';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Database } from '../../src/core/database/types.ts';
import { createOwnership } from '../../src/features/wallets/ownership/ownership.ts';
import type { NewKey } from '../../src/features/wallets/ownership/types.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';
export const START = Date.parse('2026-11-21T10:00:00Z');
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/**
 * An owner with a registered wallet (10 credits), and a clock that starts at START and only moves on request.
 */
export async function givenOwner(database: Database) {
  const time = { now: START };
  const clock = () => new Date(time.now);
  const ownership = createOwnership({ database, publicUrl: 'https://atelier.test', clock });
  const wallets = createWallets(database, clock);
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = account.address.toLowerCase();
  await wallets.register(wallet);
  const proven = async (by: PrivateKeyAccount = account) => {
    const { message } = await ownership.challenge(wallet, 1);
    return { message, signature: await by.signMessage({ message }) };
  };
  const key = (more: Partial<NewKey> = {}) =>
    ownership.createKey(wallet, { name: 'agent', scopes: ['spend'], ...more });
  const call = (amount = 1000) => ({
    id: `call_${randomUUID()}`,
    wallet,
    amount,
    tool: 'paint',
    expiresAt: new Date(time.now + 15 * MINUTE_MS),
  });
  const keyNow = async (id: string) => (await ownership.keys(wallet)).find((one) => one.id === id)!;
  return { time, ownership, wallets, account, wallet, proven, key, call, keyNow };
}
