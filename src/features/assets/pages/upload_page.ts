import { html } from 'hono/html';
import { htmlPage, type PageAnswer } from '../../../core/html/html_page.ts';

/** Page to choose or drop the file of an upload link. @param expiresAt when the link expires */
export const uploadPageFor = (expiresAt: Date): Promise<PageAnswer> =>
  htmlPage({
    title: 'Upload an image',
    files: ['drop.css', 'upload.ts'],
    body: html`<p>Your assistant needs an image from your device. Choose the file, and the assistant can use it for one hour; then it is deleted.</p>
<form>
<label class="drop" for="file"><strong>Choose an image</strong><span>or drop or paste it here</span></label>
<input class="file" id="file" type="file" aria-describedby="terms">
<p id="terms" class="small">One file of up to 25 MB, until <time datetime="${expiresAt.toISOString()}">${expiresAt.toISOString().slice(11, 16)} UTC</time>.</p>
<progress max="1" value="0" hidden></progress>
<p role="status" aria-live="polite"></p>
</form>
<section id="done" hidden>
<h2 tabindex="-1">Upload complete. Go back to your assistant.</h2>
<p>Tell it that the upload is complete. If it needs the handle: <code id="handle"></code></p>
</section>
<noscript><p>This page needs JavaScript. In a terminal: <code>curl -T picture.jpg</code> and the URL of this page.</p></noscript>`,
  });
