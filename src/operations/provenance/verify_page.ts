import { z } from 'zod';
import { verifyProvenance } from '../../tools/creative/verify_provenance.ts';
import { htmlPage, ofText } from '../html_page.ts';
import { defineOperation } from '../operation.ts';
import { VERIFY_SCRIPT } from './verify_page_script.ts';
import { VERIFY_STYLE } from './verify_page_style.ts';

const UPLOADS = '/api/uploads';

export const verifyPage = defineOperation({
  name: 'verify_page',
  methods: ['GET'],
  path: '/verify',
  tag: 'discovery',
  summary: 'The page where a person checks where a picture comes from.',
  input: z.object({}),
  answer: { file: 'text/html', description: 'A place to drop a picture, and what is known of it.' },
  run: async () =>
    htmlPage({
      title: 'Where does this picture come from?',
      body: ofText`<p>Drop a picture, and see what is known of it here: whether it, or the picture it was made from, is registered, and what was changed. A picture nobody registered is unknown. That says nothing against it.</p>
<form data-uploads="${UPLOADS}" data-verify="/api/tools/${verifyProvenance.name}">
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
<div id="difference" hidden>
<h3>What differs</h3>
<div class="pictures">
<figure><div class="sent"><img id="sent" alt="The picture you sent"><svg id="marks" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"></svg></div><figcaption>The picture you sent, changed places outlined</figcaption></figure>
<figure><img id="heat" alt=""><figcaption>Changes from yellow to red; blue lies outside the registered picture</figcaption></figure>
</div>
<ul id="changes"></ul>
</div>
</section>
<noscript><p>This page needs JavaScript. Programs call <code>POST /api/tools/${verifyProvenance.name}</code>.</p></noscript>`,
      style: VERIFY_STYLE,
      script: VERIFY_SCRIPT,
      sources: { 'img-src': 'blob: data:' },
    }),
});
