import { html } from 'hono/html';
import { htmlPage, type PageAnswer } from '../../../core/html/html_page.ts';
import { signForm } from './sign_form.ts';

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

/** Default limit of a requested key: enough to work with, and a small loss. */
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
    title: 'Give an assistant a key?',
    files: ['sign.css', 'grant.ts'],
    body: html`<p>An assistant asks for a key of your wallet. With it, it can do what you set here, and nothing else. You can end the key at any time.</p>
<dl>
<dt>It calls itself</dt><dd>${name}</dd>
<dt>Check</dt><dd><strong>${check}</strong></dd>
<dt>Ends</dt><dd><time datetime="${expiresAt.toISOString()}">${expiresAt.toISOString().slice(11, 16)} UTC</time></dd>
</dl>
<p class="note">Your assistant shows the same six characters. If it does not, or if you have not asked for this, the link comes from someone else: refuse.</p>
<form data-id="${id}">
<label for="wallet">Wallet</label>
<input id="wallet" placeholder="0x…" autocomplete="off" spellcheck="false">
<label for="total">Credits in all (1 credit is 0.10 USD)</label>
<input id="total" type="number" min="1" step="1" value="${maxTotal ? maxTotal / 1000 : CREDITS}">
<label for="daily">Credits a day (empty: no bound of its own)</label>
<input id="daily" type="number" min="1" step="1" value="${maxDaily ? maxDaily / 1000 : ''}">
<label for="tools">Only these tools (empty: every tool)</label>
<input id="tools" value="${tools?.join(', ') ?? ''}" autocomplete="off" spellcheck="false">
<label class="check"><input id="files" type="checkbox" ${withFiles ? 'checked' : ''}> It may also read and change the files the wallet keeps</label>
<label for="days">Days it is good for</label>
<input id="days" type="number" min="1" max="365" step="1" value="30" required>
${signForm('Give the key')}
</form>`,
  });
