import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { messagePage, type PageAnswer } from '../../../core/html/html_page.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { stripePage, testCardPage } from '../pages/pay_page.ts';
import type { SimulatedPurchase } from '../simulated/payment_simulator.ts';

export const payPage = defineOperation({
  name: 'pay_page',
  methods: ['GET'],
  path: '/pay/{id}',
  tag: 'payment',
  summary: 'The page where a person pays for calls of a tool by card.',
  input: z.object({ id: z.string().max(300) }),
  answer: { file: 'text/html', description: 'A card form, or the state of the payment.' },
  limit: { name: 'payment-pages', calls: 600, perSeconds: 3600, by: 'address' },
  run: async ({ id }, { payments }: Pick<Services, 'payments'>) => {
    const purchase = await payments.desk?.find(id);
    if (purchase) return simulatedPage(purchase);
    const intent = await payments.findIntent(id);
    const { takes } = payments;
    if (!intent || intent.processor !== takes?.processor || intent.livemode !== takes.livemode) {
      throw new AtelierError('payment_not_found', 'Payment not found on this server.');
    }
    const { tool, amountCents, currency, state } = intent;
    if (state === 'canceled' || state === 'captured' || state === 'reversed') {
      return overPage(state === 'canceled' ? 'This payment was canceled.' : 'This payment is complete.');
    }
    const { publishableKey, livemode } = takes;
    return stripePage({ what: tool, amountCents, currency, publishableKey, livemode });
  },
});

function simulatedPage({ status, description, ...bill }: SimulatedPurchase): Promise<PageAnswer> {
  if (status === 'requires_capture') return overPage('The amount is authorised. You can close this page.');
  if (status !== 'requires_payment_method') return overPage('This payment is closed.');
  return testCardPage({ ...bill, what: description });
}

const overPage = (text: string): Promise<PageAnswer> => messagePage('Payment', text);
