import { html } from 'hono/html';
import { htmlPage, type PageAnswer } from '../../../core/html/html_page.ts';
import type { ClaimedAccount } from '../guests/guests.ts';

/** Page on which the owner of a guest account claims its private key. Opening it changes nothing, because link scanners open it too. */
export const claimPage = (wallet: string): Promise<PageAnswer> =>
  htmlPage({
    title: 'Claim this account?',
    files: ['studio.css', 'claim.ts'],
    policy: { 'form-action': "'self'" },
    body: html`<p>An assistant or a browser opened this account. The server stores the private key of its wallet until you claim it. The limits of the assistant do not change.</p>
<dl><dt>Wallet</dt><dd><code>${wallet}</code></dd></dl>
<div id="take" hidden><p>Move the key into this browser and sign in. Save a copy on the next page.</p>
<p><button class="main" type="button">Claim in this browser</button></p><p role="status" aria-live="polite"></p>
<h2 class="minor">Claim with another wallet</h2></div>
<p class="note">The key is shown once, on the next page, and then deleted from this server. Have your wallet app or password manager ready. The account cannot be managed without the key.</p>
<form method="post"><button>Show private key</button></form>`,
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
<p>Import it into a wallet app, such as MetaMask. Then <a href="/wallet">sign in</a> to change the spending limits of the assistant or to revoke its key.</p>`,
  });
