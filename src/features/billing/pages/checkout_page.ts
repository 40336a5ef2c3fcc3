import { html } from 'hono/html';
import { htmlPage, type PageAnswer } from '../../../core/html/html_page.ts';

interface Pack {
  readonly name: string;
  readonly credits: number;
  readonly price_usd: number;
}

/** Asks which wallet gets the credits of a pack. @param wallet what to show there, if anything */
export const checkoutPage = ({ name, credits, price_usd }: Pack, wallet = ''): Promise<PageAnswer> =>
  htmlPage({
    title: `${name}: ${credits} credits for ${price_usd} USD`,
    // Browsers hold the policy against where the form is led on to as well, which is a page of the card processor.
    policy: { 'form-action': '*' },
    body: html`<form method="get">
<label>Wallet that gets the credits
<input name="wallet" required pattern="0[xX][0-9a-fA-F]{40}" placeholder="0x…" size="44" value="${wallet}"></label>
<p>An address: 0x followed by 40 hex digits. It is registered if it is not yet.</p>
<button>Go on to payment</button>
</form>`,
  });
