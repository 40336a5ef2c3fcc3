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

/** Test card form for simulated card payments. */
export function testCardPage({ id, kind, ...bill }: TestCardBill): Promise<PageAnswer> {
  const title = titleOf(bill);
  return htmlPage({
    title,
    files: ['pay_with_test_card.ts'],
    body: html`${factsOf(bill, kind === 'intent')}
<p class="note">Cards are simulated on this server. No money moves. Do not enter a real card number.</p>
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
      body: html`<p>This server has no card form. The client that created this payment can confirm it with its client secret.</p>`,
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

/** Content Security Policy that Stripe documents for its card form, which may redirect to a bank. */
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
${isHeld ? html`<p>The amount is authorised now and captured when the first call succeeds. If no call succeeds within 24 hours, it is released.</p>` : ''}`;

interface Pack {
  readonly name: string;
  readonly credits: number;
  readonly price_usd: number;
}

/** Asks for the wallet that receives the credits of a pack. @param wallet initial value of the field */
export const checkoutPage = ({ name, credits, price_usd }: Pack, wallet = ''): Promise<PageAnswer> =>
  htmlPage({
    title: `${name}: ${credits} credits for ${price_usd} USD`,
    // Browsers apply form-action to redirects as well, and the form redirects to the card processor.
    policy: { 'form-action': '*' },
    body: html`<form method="get">
<label>Wallet to credit
<input name="wallet" required pattern="0[xX][0-9a-fA-F]{40}" placeholder="0x…" size="44" value="${wallet}"></label>
<p>The wallet address is 0x followed by 40 hexadecimal digits. A new address is registered automatically.</p>
<button>Continue to payment</button>
</form>`,
  });

/** Outcome of a purchase, with links to the page it was for and to the wallet. */
export const paidPage = (title: string, text: string): Promise<PageAnswer> =>
  htmlPage({
    title,
    body: html`<p>${text}</p>
<p><a class="button main" href="/wallet/back">Continue</a> <a class="button" href="/wallet">Go to wallet</a></p>`,
  });
