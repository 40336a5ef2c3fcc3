import { html } from 'hono/html';
import { WELCOME_CREDITS } from '../../../config/limits.ts';
import type { Html } from '../../../core/html/html_page.ts';

/** How a visitor opens an account, or signs in. @param back path of the page to return to */
export const signIn = (
  back: string | undefined,
): Html => html`<p class="lead quiet">An account begins with ${WELCOME_CREDITS} credits. It needs no e-mail and no card, and free tools need no account.</p>
<div class="ways">
<form class="ticket" method="post" data-account>
<h2 class="minor">Open an account</h2>
<p class="small">A key is made in this browser and stays there. Save a copy of it when you like; sign in with it anywhere.<noscript> Without JavaScript, this server keeps the key until you take it over by a link.</noscript></p>
${backInput(back)}<input type="hidden" name="act" value="guest">
<button class="main" data-opens-account>Open an account, free</button>
<p class="small account-status" role="status" aria-live="polite"></p>
</form>
<form class="ticket" id="bring-key" autocomplete="off">
<h2 class="minor">Sign in with a saved key</h2>
<p class="small">The file that you saved, or a private key. It is read in this browser and not sent.</p>
${backInput(back)}<fieldset disabled><label><span>File</span><input type="file" accept=".txt,text/plain"></label>
<label><span>Or private key</span><input type="password" placeholder="0x…" autocomplete="off" spellcheck="false"></label>
<button class="main">Sign in</button></fieldset>
<p class="small quiet" role="status" aria-live="polite"><noscript>This needs JavaScript.</noscript></p>
</form>
${connectForm(back)}
</div>
<details class="other-ways"><summary>Other ways: an address, a key for agents, a session</summary><div class="ways">
<form class="ticket" method="post">
<h2 class="minor">Register an address</h2>
<p class="small">Everyone who knows the address can spend from it until you prove that it is yours and lock it.</p>
${backInput(back)}<label><span>Address</span><input name="wallet" required pattern="0[xX][0-9a-fA-F]{40}" placeholder="0x…" autocomplete="off" spellcheck="false" title="0x and 40 digits of 0 to 9, a to f"></label>
<button class="main" name="act" value="register">Register it for ${WELCOME_CREDITS} credits</button>
</form>
<form class="ticket" method="post">
<h2 class="minor">Use what you have</h2>
<p class="small">An address that is registered, a key or a session.</p>
${backInput(back)}<label><span>Address, key or session</span><input name="bearer" required placeholder="0x… or atl_key_…" autocomplete="off" spellcheck="false"></label>
<button class="main" name="act" value="enter">Use it</button>
</form>
</div></details>`;

const backInput = (back: string | undefined): Html =>
  html`${back === undefined ? '' : html`<input type="hidden" name="back" value="${back}">`}`;

/** The browser's wallet signs, and its owner is known. One on a page; `connect.ts` works with it. */
const connectForm = (back?: string): Html => html`<form class="ticket" method="post" id="connect">
<h2 class="minor">Connect a wallet program</h2>
<p class="small">It shows a message, and you sign it. That moves nothing on any chain and costs nothing.</p>
${backInput(back)}<input type="hidden" name="act" value="sign"><input type="hidden" name="message"><input type="hidden" name="signature">
<button type="button" class="main" id="sign" disabled>Connect</button>
<p class="small quiet" role="status" aria-live="polite"><noscript>This needs JavaScript.</noscript></p>
</form>`;
export const proveForm = connectForm();

/** Where the key of the account is and how to save it; `wallet_key.ts` knows. The room for its words is there from the first. */
export const keySection = (
  wallet: string,
): Html => html`<section class="first key"><h2 class="minor">The key of this account</h2>
<at-key data-wallet="${wallet}"><p class="small" role="status"><noscript>Whether this browser has it takes JavaScript to say.</noscript></p><p class="row"></p></at-key></section>`;
