import { html } from 'hono/html';
import { WELCOME_CREDITS } from '../../../config/limits.ts';
import type { Html } from '../../../core/html/html_page.ts';

/** How a visitor opens a wallet, or signs in with one. */
export const signIn =
  (): Html => html`<p class="lead quiet">A wallet is an address. A new one brings ${WELCOME_CREDITS} credits, and free tools need none.</p>
<div class="ways">
${proveForm}
<form class="ticket" method="post">
<h2 class="minor">Register an address</h2>
<p class="small">Everyone who knows the address can spend from it until you prove that it is yours and lock it.</p>
<label><span>Address</span><input name="wallet" required pattern="0[xX][0-9a-fA-F]{40}" placeholder="0x…" autocomplete="off" spellcheck="false" title="0x and 40 digits of 0 to 9, a to f"></label>
<button class="main" name="act" value="register">Register it for ${WELCOME_CREDITS} credits</button>
</form>
<form class="ticket" method="post">
<h2 class="minor">Use what you have</h2>
<p class="small">An address that is registered, a key or a session.</p>
<label><span>Address, key or session</span><input name="bearer" required placeholder="0x… or atl_key_…" autocomplete="off" spellcheck="false"></label>
<button class="main" name="act" value="enter">Use it</button>
</form>
</div>`;

/** The browser's wallet signs, and its owner is known. One on a page; `connect.ts` works with it. */
export const proveForm = html`<form class="ticket" method="post" id="connect">
<h2 class="minor">Connect the wallet of your browser</h2>
<p class="small">It shows a message, and you sign it. That moves nothing on any chain and costs nothing.</p>
<input type="hidden" name="act" value="sign"><input type="hidden" name="message"><input type="hidden" name="signature">
<button type="button" class="main" id="sign" disabled>Connect</button>
<p class="small quiet" role="status" aria-live="polite"><noscript>This needs JavaScript.</noscript></p>
</form>`;
