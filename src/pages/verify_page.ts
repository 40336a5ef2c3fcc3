import { html } from 'hono/html';
import { htmlPage, type PublicPage } from './html_page.ts';

/** Where a person drops a picture and reads what is known of it. */
export const verifyPage: PublicPage = {
  name: 'verify_page',
  path: '/verify',
  summary: 'The page where a person checks where a picture comes from.',
  description: 'A place to drop a picture, and what is known of it.',
  show: () =>
    htmlPage({
      title: 'Where does this picture come from?',
      files: ['drop.css', 'verify.css', 'verify.ts'],
      policy: { 'img-src': "'self' blob: data:" },
      body: html`<p>Drop a picture, and see what is known of it here: whether it, or the picture it was made from, is registered, and what was changed. A picture nobody registered is unknown. That says nothing against it.</p>
<form>
<label class="drop" for="file"><strong>Choose a picture</strong><span>or drop or paste it here</span></label>
<input class="file" id="file" type="file" accept="image/png,image/jpeg,image/webp,image/avif,image/tiff,image/gif" aria-describedby="kept">
<p id="kept" class="small">It is kept for an hour, for this answer alone, and not published.</p>
<p role="status" aria-live="polite"></p>
</form>
<section id="answer" hidden aria-labelledby="verdict">
<h2 id="verdict" tabindex="-1"></h2>
<p id="summary"></p>
<dl id="match"></dl>
<h3>What the witnesses say</h3>
<ul id="witnesses"></ul>
<div id="codex" hidden>
<h3>What is written in the file</h3>
<figure id="whisper" hidden><blockquote id="message"></blockquote><figcaption id="sender"></figcaption></figure>
<details id="content" hidden><summary>The codex</summary><p id="sureness" class="small"></p><dl id="facts"></dl></details>
</div>
<div id="policy" hidden>
<h3>What the file says about rights</h3>
<dl id="statements"></dl>
<ul id="conflicts"></ul>
</div>
<div id="evidence" hidden>
<h3>Marks of AI, measure by measure</h3>
<p class="small">What this file itself shows. Whom a law binds, and what else it asks of them, is not in a file.</p>
<div id="laws"></div>
</div>
<div id="difference" hidden>
<h3>What differs</h3>
<div class="pictures">
<figure id="sent-figure"><div class="sent"><img id="sent" alt="The picture you sent"><svg id="marks" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"></svg></div><figcaption>The picture you sent, changed places outlined</figcaption></figure>
<figure><img id="heat" alt=""><figcaption>Changes from yellow to red; blue lies outside the registered picture</figcaption></figure>
</div>
<ul id="changes"></ul>
</div>
</section>
<noscript><p>This page needs JavaScript. Programs call <code>POST /api/tools/verify_provenance</code>.</p></noscript>`,
    }),
};
