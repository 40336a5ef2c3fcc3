import { html } from 'hono/html';
import { z } from 'zod';
import { walletReceipt } from '../../../features/billing/routes/receipt.ts';
import { ask } from '../ask.ts';
import { definePage } from '../types.ts';

/** A signed receipt, verified in the browser. */
export const receiptPage = definePage({
  name: 'receipt',
  path: '/wallet/receipts/{id}',
  input: walletReceipt.input.pick({ id: true }).extend({ id: z.string().max(200) }),
  show: async ({ id }, visit) => {
    const { receipt } = await ask(visit, walletReceipt, { id });
    return {
      title: 'Receipt',
      files: ['studio.css', 'wallet.css', 'copy.ts', 'receipt.ts'],
      body: html`<p id="verdict" class="lead" role="status" aria-live="polite">Not verified yet. Verification needs JavaScript.</p>
<dl id="claims">${Object.entries(claimsOf(receipt)).map(([name, value]) => html`<dt>${name}</dt><dd>${typeof value === 'object' ? JSON.stringify(value) : String(value)}</dd>`)}</dl>
<h2 class="minor">Signed receipt</h2>
<at-copy><pre class="wrap" id="receipt">${receipt}</pre></at-copy>
<p class="small quiet">Public keys: <a href="/.well-known/jwks.json">jwks.json</a>. <a href="/docs/guides/receipts">Verify a receipt without a browser</a></p>`,
    };
  },
});

/** Claims of a compact JWS of this server. */
const claimsOf = (jws: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString());
