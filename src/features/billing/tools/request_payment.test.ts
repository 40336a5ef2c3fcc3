import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import { createCatalogue } from '../../../catalog/create_catalogue.ts';
import { credits, creditsBy, FREE } from '../../definitions/price.ts';
import type { PaymentNeeds } from './look_at_payment.ts';
import { requestPayment } from './request_payment.ts';

const tool = (name: string, price: object) => ({ ...requestPayment, name, price }) as never;
const catalogue = createCatalogue([
  tool('paint', credits(7)),
  tool('describe', creditsBy('tier', { brief: 1, long: 4 })),
  tool('look', FREE),
]);
const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';
const END = new Date('2026-11-22T12:00:00Z');

/** Card payments that record their requests. */
function services({ takesCards = true } = {}) {
  const asked: Record<string, unknown>[] = [];
  const open = (kind: string, answer: object) => async (request: object) => {
    asked.push({ kind, ...request });
    return answer;
  };
  const payments = {
    ...(takesCards && { takes: { processor: 'simulated', livemode: false } }),
    startCheckout: open('checkout', { id: 'cs_1', url: 'https://pay/cs_1', expiresAt: END }),
    createIntent: open('intent', {
      payUrl: 'https://pay/pi_1',
      intent: { id: 'pi_1', amount: 7000, amountCents: 70, livemode: false, expiresAt: END },
    }),
  };
  const consents = {
    requestKey: open('key', { id: 'id', code: 'keycode_x', check: 'ABC234', expiresAt: END }),
  };
  const all = { payments, consents, catalogue, site: { publicUrl: 'https://atelier.test' } };
  const ask = (input: object, wallet?: string) =>
    requestPayment.run(
      requestPayment.input.parse(input),
      all as unknown as PaymentNeeds,
      quietCall({ ...(wallet && { wallet }) }),
    );
  return { ask, asked };
}

test.each([
  [{}, undefined, 'key'],
  [{ tool: 'paint' }, undefined, 'call'],
  [{ tool: 'paint' }, WALLET, 'credits'],
  [{ wallet: WALLET }, undefined, 'credits'],
  [{ way: 'key', tool: 'paint' }, WALLET, 'key'],
])('%j with wallet %s selects a payment method: %s', async (input, wallet, way) => {
  expect(await services().ask(input, wallet)).toMatchObject({ way, state: 'waiting' });
});

test.each([
  [1, 'starter', 500],
  [50, 'starter', 500],
  [120, 'starter', 1500],
  [600, 'pro', 5000],
  [1000, 'studio', 10_000],
  [5000, 'studio', 40_000],
])('%s credits are bought at the lowest cost: pack %s, %s cents', async (wanted, pack, amountCents) => {
  const { ask, asked } = services();
  await ask({ wallet: WALLET, credits: wanted });
  expect(asked).toMatchObject([{ kind: 'checkout', pack, amountCents, wallet: WALLET }]);
  expect(asked[0]!.amount).toBeGreaterThanOrEqual(wanted * 1000);
});

test.each([
  [{ tool: 'describe', params: { tier: 'brief' } }, 1000],
  [{ tool: 'describe', params: { tier: 'none such' } }, 4000],
  [{ tool: 'paint' }, 7000],
])('%j requests payment of its price', async (input, price) => {
  const { ask, asked } = services();
  await ask(input);
  expect(asked).toMatchObject([{ kind: 'intent', price }]);
});

test('a key request names the tool and the spending limit', async () => {
  const { ask, asked } = services();
  const answer = await ask({ way: 'key', tool: 'paint', credits: 20, name: 'my agent' });
  expect(asked).toMatchObject([{ kind: 'key', name: 'my agent', tools: ['paint'], maxTotal: 20_000 }]);
  expect(answer).toMatchObject({ url: 'https://atelier.test/grant/id', code: 'keycode_x', check: 'ABC234' });
});

test.each([
  [{ tool: 'look' }, 'tool_is_free'],
  [{ tool: 'none' }, 'unknown_tool'],
  [{ way: 'call' }, 'invalid_input'],
  [{ way: 'credits' }, 'invalid_input'],
  [{ code: 'xx_1' }, 'invalid_input'],
])('%j is rejected as %s', async (input, code) => {
  await expect(services().ask(input)).rejects.toMatchObject({ code });
});

test('without card payments a key is requested', async () => {
  const { ask } = services({ takesCards: false });
  expect(await ask({ tool: 'paint' })).toMatchObject({ way: 'key' });
  await expect(ask({ way: 'call', tool: 'paint' })).rejects.toMatchObject({ code: 'invalid_input' });
});
