import { html } from 'hono/html';
import { type Html, htmlPage, type PageAnswer } from '../../../core/html/html_page.ts';

/** The purchase shown at a card form. */
interface Bill {
  readonly what: string;
  readonly amountCents: number;
  readonly currency: string;
}

interface TestCardBill extends Bill {
  readonly id: string;
  /** An intent is authorised now and captured later. */
  readonly kind: 'checkout' | 'intent';
}

interface StripeBill extends Bill {
  readonly publishableKey: string | undefined;
  readonly livemode: boolean;
}

/** Form for a test card where cards are simulated. */
export function testCardPage({ id, kind, ...bill }: TestCardBill): Promise<PageAnswer> {
  const title = titleOf(bill);
  return htmlPage({
    title,
    files: ['pay_with_test_card.ts'],
    body: html`${factsOf(bill, kind === 'intent')}
<p class="note">Cards are simulated on this server. No money moves; never type a real card number.</p>
<form data-id="${id}" data-kind="${kind}">
<label for="card">Test card number</label>
<input id="card" name="card" inputmode="numeric" autocomplete="off" required maxlength="23" value="4242 4242 4242 4242">
<button>${title} with the test card</button>
<p role="status" aria-live="polite"></p>
</form>
${NEEDS_JAVASCRIPT}`,
  });
}

/** Card form of Stripe; without a publishable key, instructions for the payer. */
export function stripePage({ publishableKey, livemode, ...bill }: StripeBill): Promise<PageAnswer> {
  const title = titleOf(bill);
  if (publishableKey === undefined) {
    return htmlPage({
      title,
      body: html`<p>This server has no card form. The program that created this payment can confirm it with its client secret.</p>`,
    });
  }
  return htmlPage({
    title,
    files: ['pay_with_stripe.ts'],
    policy: STRIPE_POLICY,
    body: html`${factsOf(bill, true)}
${livemode ? '' : html`<p class="note">Test mode: no money moves. Use a test card such as 4242 4242 4242 4242.</p>`}
<form data-key="${publishableKey}">
<div id="card"></div>
<button disabled>${title}</button>
<p role="status" aria-live="polite">Loading the card form …</p>
</form>
${NEEDS_JAVASCRIPT}`,
  });
}

/** As Stripe documents it for its card form, which may redirect to a bank. */
const STRIPE_POLICY = {
  'script-src': "'self' https://js.stripe.com https://*.js.stripe.com",
  'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  'connect-src': "'self' https://api.stripe.com",
  'form-action': '*',
};

const NEEDS_JAVASCRIPT = html`<noscript><p>This page needs JavaScript.</p></noscript>`;

const titleOf = ({ amountCents, currency }: Bill): string =>
  `Pay ${(amountCents / 100).toFixed(2)} ${currency.toUpperCase()}`;

const factsOf = ({ what }: Bill, isHeld: boolean): Html => html`<dl><dt>For</dt><dd>${what}</dd></dl>
${isHeld ? html`<p>The amount is authorised now and charged after the first successful call. If no call succeeds within 24 hours, it is released.</p>` : ''}`;
