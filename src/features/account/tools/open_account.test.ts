import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import type { Services } from '../../services.ts';
import { openAccount } from './open_account.ts';

const opened = (bonus: number) =>
  ({
    site: { publicUrl: 'https://atelier.test' },
    guests: { open: async () => ({ wallet: '0xa', token: 'atl_key_1', bonus, claimToken: 'c' }) },
  }) as unknown as Services;

test('the response contains the payment key, its limits and a link for the owner', async () => {
  expect(await openAccount.run({ name: 'an agent' }, opened(10_000), quietCall())).toEqual({
    wallet: '0xa',
    payer: 'atl_key_1',
    balance: 10,
    bonus_credits: 10,
    limits: { credits_a_day: 10, credits_in_all: 100 },
    claim_url: 'https://atelier.test/claim/c',
  });
});

test('an account without a bonus gets a warning', async () => {
  const warnings: string[] = [];
  await openAccount.run(
    { name: 'an agent' },
    opened(0),
    quietCall({ warn: (text: string) => warnings.push(text) }),
  );
  expect(warnings).toEqual([expect.stringContaining('No welcome bonus')]);
});
