import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import type { Proof, Scope } from '../../../core/principal.ts';
import type { Services } from '../../services.ts';
import type { WalletState } from '../../wallets/types.ts';
import { checkBalance } from './check_balance.ts';

const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';

const servicesKnowing = (state: WalletState | undefined, lockedAt?: Date) =>
  ({
    wallets: {
      find: async () => state,
      history: async () => [],
      isRegistered: async () => state !== undefined,
    },
    ownership: { lockedAt: async () => lockedAt },
    assets: { use: async () => ({ usedBytes: 5, limitBytes: 100 }) },
  }) as unknown as Services;

const STATE: WalletState = {
  wallet: WALLET,
  registeredAt: new Date(0),
  balance: 9050,
  held: 2000,
  available: 7050,
  isBlocked: false,
  totals: { granted: 10_000, purchased: 0, spent: 1000, creditBack: 50, refunded: 0 },
};

test('balances in thousandths are reported in credits', async () => {
  const answer = await checkBalance.run({ wallet: WALLET }, servicesKnowing(STATE), quietCall());
  expect(answer).toMatchObject({ balance: 9.05, available: 7.05, held: 2, value_usd: 0.905 });
  expect(answer.totals).toEqual({ granted: 10, purchased: 0, spent: 1, credit_back: 0.05, refunded: 0 });
});

test('an unknown wallet is not an error', async () => {
  const answer = await checkBalance.run({ wallet: WALLET }, servicesKnowing(undefined), quietCall());
  expect(answer).toMatchObject({
    registered: false,
    balance: 0,
    storage: { used_bytes: 5, limit_bytes: 100 },
  });
});

test('without proof, a locked wallet reports only that it is locked and how to prove ownership', async () => {
  const answer = await checkBalance.run({ wallet: WALLET }, servicesKnowing(STATE, new Date()), quietCall());
  expect(Object.keys(answer)).toEqual(['wallet', 'registered', 'locked', 'unlock']);
  expect(answer).toMatchObject({ registered: true, locked: true });
});

const keyWith = (scopes: readonly Scope[]): Proof => ({
  wallet: WALLET,
  by: 'key',
  key: { id: 'key_1', name: 'a', scopes },
});

test.each<[string, Proof, number | undefined]>([
  ['a session', { wallet: WALLET, by: 'session' }, 9.05],
  ['a key that may', keyWith(['account:read']), 9.05],
  ['a key that may not', keyWith(['spend']), undefined],
  ['a session of another wallet', { wallet: `0x${'b'.repeat(40)}`, by: 'session' }, undefined],
])('for a locked wallet, %s sees only permitted fields', async (_who, proof, balance) => {
  const call = quietCall({ wallet: proof.wallet, proof });
  const answer = await checkBalance.run({ wallet: WALLET }, servicesKnowing(STATE, new Date()), call);
  expect(answer).toMatchObject({ locked: true });
  expect(answer.balance).toBe(balance);
});
