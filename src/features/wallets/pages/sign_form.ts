import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';

/** Form to sign a decision with the browser wallet, or to paste a signature. Uses `sign.ts`. */
export const signForm = (grant: string): Html => html`<div class="choice">
<button type="button" id="grant">${grant}</button>
<button type="button" id="refuse" class="quiet">Refuse</button>
</div>
<p class="small">Your wallet shows a message with exactly these terms for you to sign. Signing is free and moves nothing on any chain.</p>
<section id="by-hand" hidden>
<h2>Sign it elsewhere</h2>
<p>This browser has no wallet. Sign this text with the key of the wallet (<code>personal_sign</code>), and paste the signature.</p>
<pre id="message"></pre>
<label for="signature">Signature</label>
<input id="signature" placeholder="0x…" autocomplete="off" spellcheck="false">
<button type="button" id="send">Send the signature</button>
</section>
<p role="status" aria-live="polite"></p>
<noscript><p>This page needs JavaScript.</p></noscript>`;
