import { html } from 'hono/html';
import { type Html, htmlPage, type PageAnswer } from '../../../core/html/html_page.ts';

interface AskedCall {
  readonly id: string;
  readonly wallet: string;
  readonly tool: string;
  /** In thousandths of a credit. */
  readonly amount: number;
  readonly shown: string;
  readonly askedBy: string;
  readonly expiresAt: Date;
}

/** Page on which an owner approves or refuses one call. */
export const approvalPage = ({
  id,
  wallet,
  tool,
  amount,
  shown,
  askedBy,
  expiresAt,
}: AskedCall): Promise<PageAnswer> =>
  htmlPage({
    title: `Approve ${tool} for ${creditsOf(amount)}?`,
    files: ['sign.css', 'approve.ts'],
    body: html`<p>Your wallet requires your approval for calls at this price. If you did not expect this call, refuse it.</p>
<dl>
<dt>Tool</dt><dd>${tool}</dd>
<dt>Price</dt><dd>${creditsOf(amount)} (${(amount / 10_000).toFixed(2)} USD)</dd>
<dt>Requested by</dt><dd>${askedBy}</dd>
<dt>Wallet</dt><dd>${wallet}</dd>
<dt>Expires</dt><dd><time datetime="${expiresAt.toISOString()}">${expiresAt.toISOString().slice(11, 16)} UTC</time></dd>
</dl>
<p>Parameters:</p>
<pre>${shown || 'none'}</pre>
<form data-id="${id}" data-wallet="${wallet}">
${signForm('Approve call')}
</form>`,
  });

const creditsOf = (millicredits: number): string =>
  `${millicredits / 1000} ${millicredits === 1000 ? 'credit' : 'credits'}`;

interface AskedForKey {
  readonly id: string;
  readonly name: string;
  readonly check: string;
  readonly withFiles: boolean;
  readonly tools?: readonly string[] | null | undefined;
  /** In thousandths of a credit. */
  readonly maxTotal?: number | null | undefined;
  readonly maxDaily?: number | null | undefined;
  readonly expiresAt: Date;
}

/** Default credit limit of a requested key. */
const CREDITS = 10;

/** Page on which an owner grants a key and may change its limits. */
export const keyRequestPage = ({
  id,
  name,
  check,
  withFiles,
  tools,
  maxTotal,
  maxDaily,
  expiresAt,
}: AskedForKey): Promise<PageAnswer> =>
  htmlPage({
    title: 'Grant an API key to an assistant?',
    files: ['sign.css', 'grant.ts'],
    body: html`<p>An assistant requests an API key for your wallet. The key allows only what you set here. You can revoke it at any time.</p>
<dl>
<dt>Name given</dt><dd>${name}</dd>
<dt>Check code</dt><dd><strong>${check}</strong></dd>
<dt>Expires</dt><dd><time datetime="${expiresAt.toISOString()}">${expiresAt.toISOString().slice(11, 16)} UTC</time></dd>
</dl>
<p class="note">Your assistant shows the same six characters. If it does not, or if you did not request a key, refuse: the link may come from someone else.</p>
<form data-id="${id}">
<label for="wallet">Wallet</label>
<input id="wallet" placeholder="0x…" autocomplete="off" spellcheck="false">
<label for="total">Total credits (1 credit is 0.10 USD)</label>
<input id="total" type="number" min="1" step="1" value="${maxTotal ? maxTotal / 1000 : CREDITS}">
<label for="daily">Credits per day (empty: no daily limit)</label>
<input id="daily" type="number" min="1" step="1" value="${maxDaily ? maxDaily / 1000 : ''}">
<label for="tools">Allowed tools (empty: all tools)</label>
<input id="tools" value="${tools?.join(', ') ?? ''}" autocomplete="off" spellcheck="false">
<label class="check"><input id="files" type="checkbox" ${withFiles ? 'checked' : ''}> Allow reading and changing the files of the wallet</label>
<label for="days">Valid for, days</label>
<input id="days" type="number" min="1" max="365" step="1" value="30" required>
${signForm('Grant key')}
</form>`,
  });

/** Form to sign a decision with the browser wallet, or to paste a signature. Uses `sign.ts`. */
const signForm = (grant: string): Html => html`<div class="choice">
<button type="button" id="grant">${grant}</button>
<button type="button" id="refuse" class="quiet">Refuse</button>
</div>
<p class="small">Your wallet shows a message with exactly these terms to sign. Signing is free and sends no transaction.</p>
<section id="by-hand" hidden>
<h2>Sign elsewhere</h2>
<p>This browser has no wallet. Sign this text with the key of the wallet (<code>personal_sign</code>) and paste the signature.</p>
<pre id="message"></pre>
<label for="signature">Signature</label>
<input id="signature" placeholder="0x…" autocomplete="off" spellcheck="false">
<button type="button" id="send">Send signature</button>
</section>
<p role="status" aria-live="polite"></p>
<noscript><p>This page needs JavaScript.</p></noscript>`;
