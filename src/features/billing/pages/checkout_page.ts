import { html } from 'hono/html';
import { htmlPage, type PageAnswer } from '../../../core/html/html_page.ts';

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
<label>Wallet that receives the credits
<input name="wallet" required pattern="0[xX][0-9a-fA-F]{40}" placeholder="0x…" size="44" value="${wallet}"></label>
<p>Enter an address: 0x followed by 40 hex digits. A new wallet is registered.</p>
<button>Continue to payment</button>
</form>`,
  });
