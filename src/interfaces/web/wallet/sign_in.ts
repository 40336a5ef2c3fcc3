import { html } from 'hono/html';
import { WELCOME_CREDITS } from '../../../config/limits.ts';
import type { Html } from '../../../core/html/html_page.ts';

/** Forms to open an account or sign in. @param back path of the page to return to */
export const signIn = (
  back: string | undefined,
): Html => html`<p class="lead quiet">A new account has ${WELCOME_CREDITS} credits and needs no email address or card. Free tools need no account.</p>
<div class="ways">
<form class="ticket" method="post" data-account>
<h2 class="minor">Open an account</h2>
<p class="small">This browser creates a key and stores it. Save a copy to sign in on other devices.<noscript> Without JavaScript, the server stores the key until you claim the account with a link.</noscript></p>
${backInput(back)}<input type="hidden" name="act" value="guest">
<button class="main" data-opens-account>Open an account (free)</button>
<p class="small account-status" role="status" aria-live="polite"></p>
</form>
<form class="ticket" id="bring-key" autocomplete="off">
<h2 class="minor">Sign in with a saved key</h2>
<p class="small">Use the saved key file or a private key. The key stays in this browser and is not sent.</p>
${backInput(back)}<fieldset disabled><label><span>File</span><input type="file" accept=".txt,text/plain"></label>
<label><span>Or private key</span><input type="password" placeholder="0x…" autocomplete="off" spellcheck="false"></label>
<button class="main">Sign in</button></fieldset>
<p class="small quiet" role="status" aria-live="polite"><noscript>This needs JavaScript.</noscript></p>
</form>
${connectForm(back)}
</div>
<details class="other-ways"><summary>Other ways: wallet address, API key or session</summary><div class="ways">
<form class="ticket" method="post">
<h2 class="minor">Register a wallet address</h2>
<p class="small">You receive ${WELCOME_CREDITS} credits. Anyone who knows the address can spend them until you verify that you own it and lock it.</p>
${backInput(back)}<label><span>Address</span><input name="wallet" required pattern="0[xX][0-9a-fA-F]{40}" placeholder="0x…" autocomplete="off" spellcheck="false" title="0x and 40 digits of 0 to 9, a to f"></label>
<button class="main" name="act" value="register">Register address</button>
</form>
<form class="ticket" method="post">
<h2 class="minor">Use an existing wallet</h2>
<p class="small">Enter a registered address, an API key or a session token.</p>
${backInput(back)}<label><span>Address, key or session</span><input name="bearer" required placeholder="0x… or atl_key_…" autocomplete="off" spellcheck="false"></label>
<button class="main" name="act" value="enter">Use wallet</button>
</form>
</div></details>`;

const backInput = (back: string | undefined): Html =>
  html`${back === undefined ? '' : html`<input type="hidden" name="back" value="${back}">`}`;

/** Verifies the owner by a signature of the browser's wallet (`connect.ts`). At most one per page. */
const connectForm = (back?: string): Html => html`<form class="ticket" method="post" id="connect">
<h2 class="minor">Connect a crypto wallet</h2>
<p class="small">The wallet shows a message to sign. Signing is free and sends no transaction.</p>
${backInput(back)}<input type="hidden" name="act" value="sign"><input type="hidden" name="message"><input type="hidden" name="signature">
<button type="button" class="main" id="sign" disabled>Connect</button>
<p class="small quiet" role="status" aria-live="polite"><noscript>This needs JavaScript.</noscript></p>
</form>`;
export const proveForm = connectForm();

/** Where the account key is and how to save it; filled by `wallet_key.ts`. Its space is reserved. */
export const keySection = (
  wallet: string,
): Html => html`<section class="first key"><h2 class="minor">Account key</h2>
<at-key data-wallet="${wallet}"><p class="small" role="status"><noscript>Checking whether this browser has the key needs JavaScript.</noscript></p><p class="row"></p></at-key></section>`;
