import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import type { Services } from '../../services.ts';
import { registerWallet } from './register_wallet.ts';

const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';
const REGISTERED_AT = new Date('2026-01-02T03:04:05Z');

const walletsAnswering = (alreadyRegistered: boolean, state = 'open') =>
  ({
    wallets: {
      register: async () => ({
        alreadyRegistered,
        registeredAt: REGISTERED_AT,
        balance: 10_000,
        bonus: alreadyRegistered ? 0 : 10_000,
      }),
    },
    ownership: { stateOf: async () => ({ state }) },
  }) as unknown as Services;

test('the first registration grants ten credits', async () => {
  const answer = await registerWallet.run({ wallet: WALLET }, walletsAnswering(false), quietCall());
  expect(answer).toMatchObject({ already_registered: false, bonus_credits: 10, bonus_usd: 1, balance: 10 });
});

test('registering again is idempotent and grants no bonus', async () => {
  const answer = await registerWallet.run({ wallet: WALLET }, walletsAnswering(true), quietCall());
  expect(answer).toMatchObject({ registered: true, already_registered: true, bonus_credits: 0 });
});

test('the response explains how to pay for later calls', async () => {
  const answer = await registerWallet.run({ wallet: WALLET }, walletsAnswering(false), quietCall());
  expect(answer.auth.header).toBe(`Authorization: Bearer ${WALLET}`);
});

test('the balance of a locked wallet is hidden from clients without proof', async () => {
  const answer = await registerWallet.run({ wallet: WALLET }, walletsAnswering(true, 'locked'), quietCall());
  expect(registerWallet.output.strict().parse(answer)).not.toHaveProperty('balance');
});
