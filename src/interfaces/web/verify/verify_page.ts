import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { VERIFY_PATH, verifyAddress } from '../../../features/provenance/tools/verify_address.ts';
import { verifyProvenance } from '../../../features/provenance/tools/verify_provenance.ts';
import { callsOf, callTabs } from '../call_tabs.ts';
import { TELLING_SAMPLES } from '../samples.ts';
import { dropHtml } from '../tools/drop_html.ts';
import { type EarlierResult, earlierResults } from '../tools/earlier_results.ts';
import { FORM_BYTES_MAX } from '../tools/limits.ts';
import { sampleIn } from '../tools/picture_operation.ts';
import { pictureFields, postedText, takePicture } from '../tools/take_picture.ts';
import { type Refusal, refusalOf } from '../tools/words.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { toolAttributes } from '../web_mcp.ts';
import { type Checked, checkPicture } from './check_picture.ts';
import { foundHtml } from './found_html.ts';
import { verdictOf } from './verdict.ts';

/** Provenance check. `?image=upload:…` links to a result. */
export const verifyPage = definePage({
  name: 'verify',
  path: VERIFY_PATH,
  room: '/verify',
  input: z.object({ image: z.string().trim().max(300).catch('').default('') }),
  form: { bytesMax: FORM_BYTES_MAX, limit: { name: 'studio-checks', calls: 600, perSeconds: 3600 } },
  async show({ image }, visit) {
    try {
      if (visit.form) return { goTo: verifyAddress(await takePicture(visit)) };
      return image === '' ? await ask(visit) : await answer(await checkPicture(image, visit), visit);
    } catch (error) {
      if (!(error instanceof AtelierError)) throw error;
      return ask(visit, error, visit.form ? postedText(visit.form) : image);
    }
  },
});

const COMMON = {
  shape: 'wide',
  files: ['studio.css', 'tool.css', 'verify.css', 'copy.ts', 'picture.ts', 'verify.ts', 'web_mcp.ts'],
  policy: { 'form-action': "'self'", 'img-src': "'self' blob: data:" },
} as const;

const ABOUT =
  'See whether an image, or its original, is registered on this server, what was changed, and what its metadata says.';

/** The form, with the error of a failed check. */
async function ask(visit: Visit, error?: AtelierError, text = ''): Promise<Shown> {
  const refusal = error && refusalOf(error, pictureFields);
  return {
    ...COMMON,
    title: 'Check where an image comes from',
    summary: ABOUT,
    ...(error && { status: error.status }),
    heading: html`<h1 tabindex="-1">Check where an image comes from</h1>
<p class="lead quiet">${ABOUT}</p>`,
    body: html`${refusal ? refused(refusal, text) : ''}
<div class="split turn"><div class="stack stage-of"><div class="proof"><label class="stage" for="field-image"><span class="lead">Drop an image here</span><span class="quiet">or choose or paste one</span></label></div>
${sameQuestion(visit, text || 'upload:…')}</div>
${form(error?.status === 404 ? '' : text, await earlierResults(visit))}</div>`,
  };
}

const refused = ({ text, fix }: Refusal, handle: string): Html =>
  html`<p class="note refusal" role="alert">${text}${fix ? ` ${fix}` : ''}${handle ? html` <a href="${verifyAddress(handle)}">Try again</a>` : ''}</p>`;

/** @param text handle of the image to restore in the form */
function form(text: string, earlier: readonly EarlierResult[]): Html {
  const [field] = pictureFields;
  const drop = {
    field: field!,
    text,
    problem: undefined,
    linkTo: verifyAddress,
    isBatch: false,
    samples: TELLING_SAMPLES,
    earlier,
  };
  return html`<form class="ticket" id="check" method="post" action="${VERIFY_PATH}" enctype="multipart/form-data"${toolAttributes(verifyProvenance)}>
${dropHtml(drop)}
<p class="small quiet">An uploaded image is deleted after 1 hour and never published. URLs are fetched once.</p>
<button class="main">Check image (free)</button>
<p class="small" id="asking" role="status"></p>
</form>`;
}

const sameQuestion = ({ studio: { publicUrl } }: Visit, image: string): Html =>
  html`<div class="same-call">${callTabs('same-question', 'Run from code', callsOf(verifyProvenance, { image }, { publicUrl, pays: false }))}</div>`;

/** The name of an upload is a random id. */
const nameOf = (handle: string): string =>
  handle.startsWith('upload:') ? 'your image' : (sampleIn(handle)?.title ?? handle);

async function answer(checked: Checked, visit: Visit): Promise<Shown> {
  const { handle, found } = checked;
  const verdict = verdictOf(found);
  return {
    ...COMMON,
    title: verdict.answer,
    heading: html`<p class="quiet over">Verify: ${nameOf(handle)}</p>
<h1 class="verdict" tabindex="-1">${verdict.answer}</h1>
${verdict.more.map((sentence) => html`<p class="lead quiet">${sentence}</p>`)}`,
    body: html`${(found.warnings ?? []).map((warning) => html`<p class="note small">${warning}</p>`)}
${await foundHtml(checked, visit)}
<section class="split turn another" id="another"><div>${sameQuestion(visit, /^sample:/.test(handle) ? 'upload:…' : handle)}</div>
<div><h2 class="minor">Check another image</h2>${form('', await earlierResults(visit))}</div></section>`,
  };
}
