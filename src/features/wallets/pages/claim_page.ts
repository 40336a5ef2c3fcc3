import { html } from 'hono/html';
import { htmlPage, type PageAnswer } from '../../../core/html/html_page.ts';
import type { ClaimedAccount } from '../guests/types.ts';

/** Page on which the owner of a guest account takes its private key. Opening it changes nothing: previews and scanners open links, too. */
export const claimPage = (wallet: string): Promise<PageAnswer> =>
  htmlPage({
    title: 'Take over this account?',
    files: ['studio.css', 'claim.ts'],
    policy: { 'form-action': "'self'" },
    body: html`<p>An assistant or a browser opened this account. This server stores the private key of its wallet until you take it over. The assistant keeps its own limits.</p>
<dl><dt>Wallet</dt><dd><code>${wallet}</code></dd></dl>
<div id="take" hidden><p>Move the key into this browser and sign in. Save a copy on the next page.</p>
<p><button class="main" type="button">Take over in this browser</button></p><p role="status" aria-live="polite"></p>
<h2 class="minor">Or use a wallet program</h2></div>
<p class="note">The next page shows the key once, and the server then deletes it. Have your wallet program or password manager ready. The account cannot be managed without the key.</p>
<form method="post"><button>Show the private key</button></form>`,
  });

/** The private key, once. */
export const claimedPage = ({ wallet, privateKey }: ClaimedAccount): Promise<PageAnswer> =>
  htmlPage({
    title: 'Your private key',
    files: ['studio.css', 'copy.ts'],
    body: html`<p>This server no longer has this key. Save it now: this page cannot be opened again.</p>
<dl><dt>Wallet</dt><dd><code>${wallet}</code></dd></dl>
<h2 class="minor">Private key</h2>
<at-copy><pre><code>${privateKey}</code></pre></at-copy>
<p>Import it into a wallet program, such as MetaMask. Then <a href="/wallet">sign in</a> to change the spending limits of the assistant, or to revoke its key.</p>`,
  });
