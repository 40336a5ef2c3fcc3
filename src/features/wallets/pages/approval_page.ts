import { html } from 'hono/html';
import { htmlPage, type PageAnswer } from '../../../core/html/html_page.ts';
import { signForm } from './sign_form.ts';

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
<dt>Cost</dt><dd>${creditsOf(amount)} (${(amount / 10_000).toFixed(2)} USD)</dd>
<dt>Requested by</dt><dd>${askedBy}</dd>
<dt>Wallet</dt><dd>${wallet}</dd>
<dt>Expires</dt><dd><time datetime="${expiresAt.toISOString()}">${expiresAt.toISOString().slice(11, 16)} UTC</time></dd>
</dl>
<p>Parameters:</p>
<pre>${shown || 'none'}</pre>
<form data-id="${id}" data-wallet="${wallet}">
${signForm('Approve this call')}
</form>`,
  });

const creditsOf = (millicredits: number): string =>
  `${millicredits / 1000} ${millicredits === 1000 ? 'credit' : 'credits'}`;
