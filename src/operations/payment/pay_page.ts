import { z } from 'zod';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Services } from '../../services/contract.ts';
import type { SimulatedPurchase } from '../../services/payments/simulated/desk.ts';
import { type Html, htmlPage, ofText } from '../html_page.ts';
import { defineOperation, type FileAnswer } from '../operation.ts';
import { SIMULATED_SCRIPT, STRIPE_SCRIPT, STRIPE_SOURCES } from './pay_page_scripts.ts';

export const payPage = defineOperation({
  name: 'pay_page',
  methods: ['GET'],
  path: '/pay/{id}',
  tag: 'payment',
  summary: 'The page where a person pays for calls of a tool by card.',
  input: z.object({ id: z.string().max(300) }),
  answer: { file: 'text/html', description: 'A card form, or what became of the payment.' },
  limit: { name: 'payment-pages', calls: 600, perSeconds: 3600, by: 'address' },
  run: async ({ id }, { payments }: Pick<Services, 'payments'>) => {
    const purchase = await payments.desk?.find(id);
    if (purchase) return simulatedPage(purchase);
    const intent = await payments.findIntent(id);
    const { takes } = payments;
    if (!intent || intent.processor !== takes?.processor || intent.livemode !== takes.livemode) {
      throw new AtelierError('payment_not_found', 'There is no such payment on this server.');
    }
    const { tool, amountCents, currency, state } = intent;
    if (state === 'canceled' || state === 'captured' || state === 'reversed') {
      return over(state === 'canceled' ? 'This payment was canceled.' : 'This payment has been made.');
    }
    return stripePage({
      tool,
      amount: moneyText(amountCents, currency),
      key: takes.publishableKey,
      livemode: takes.livemode,
    });
  },
});

function simulatedPage(purchase: SimulatedPurchase): FileAnswer {
  const { id, kind, status, description, amountCents, currency } = purchase;
  if (status === 'requires_capture')
    return over('The card has set the money aside. You can close this page.');
  if (status !== 'requires_payment_method') return over('This payment is over.');
  return htmlPage({
    title: `Pay ${moneyText(amountCents, currency)}`,
    body: ofText`${facts(description, kind === 'intent')}
<p class="note">Cards are simulated on this server. No money moves; never type a real card number.</p>
<form data-id="${id}" data-kind="${kind}">
<label for="card">Test card number</label>
<input id="card" name="card" inputmode="numeric" autocomplete="off" required maxlength="23" value="4242 4242 4242 4242">
<button>Pay ${moneyText(amountCents, currency)} with the test card</button>
<p role="status" aria-live="polite"></p>
</form>
<noscript><p>This page needs JavaScript.</p></noscript>`,
    script: SIMULATED_SCRIPT,
  });
}

function stripePage({
  tool,
  amount,
  key,
  livemode,
}: {
  tool: string;
  amount: string;
  key: string | undefined;
  livemode: boolean;
}): FileAnswer {
  const title = `Pay ${amount}`;
  if (key === undefined) {
    return htmlPage({
      title,
      body: ofText`<p>This server shows no card form of its own. The program that made this payment can confirm it with the client secret it was given.</p>`,
    });
  }
  return htmlPage({
    title,
    body: ofText`${facts(tool, true)}
${livemode ? '' : ofText`<p class="note">Test mode: no money moves. Use a test card such as 4242 4242 4242 4242.</p>`}
<form data-key="${key}">
<div id="card"></div>
<button disabled>Pay ${amount}</button>
<p role="status" aria-live="polite">Loading the card form …</p>
</form>
<noscript><p>This page needs JavaScript.</p></noscript>`,
    script: STRIPE_SCRIPT,
    sources: STRIPE_SOURCES,
  });
}

const facts = (what: string, isHeld: boolean): Html => ofText`<dl><dt>For</dt><dd>${what}</dd></dl>
${isHeld ? ofText`<p>The money is set aside now and taken when the first call has succeeded. If none does within 24 hours, it is let go.</p>` : ''}`;

const over = (text: string): FileAnswer => htmlPage({ title: 'Payment', body: ofText`<p>${text}</p>` });

const moneyText = (cents: number, currency: string): string =>
  `${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`;
