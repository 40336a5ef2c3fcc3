import { html } from 'hono/html';
import { z } from 'zod';
import { ASSET_KEY_CHARACTERS_MAX, WELCOME_CREDITS } from '../../../config/limits.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { saveAsset } from '../../../features/assets/tools/save_asset.ts';
import { postToGallery } from '../../../features/community/routes/gallery.ts';
import {
  GALLERY_TITLE_CHARACTERS_MAX,
  NAME_CHARACTERS_MAX,
} from '../../../features/community/routes/limits.ts';
import { highestPrice } from '../../../features/definitions/price.ts';
import { askTool } from '../ask.ts';
import { callEndpoint } from '../feeds/feed.ts';
import { creditsLabel } from '../frame.ts';
import { ageLabel } from '../labels.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { rememberedRuns } from './earlier_results.ts';
import { RUNS_MAX, RUNS_REMEMBERED_MAX } from './limits.ts';
import { pictureAddress } from './picture_operation.ts';
import { isLive, type Job, type Run, readRuns } from './read_runs.ts';
import { addressHere, fileName } from './result_html.ts';
import { reasonOf, statusOf } from './runs_html.ts';
import type { Made } from './slug.ts';
import { typeText } from './words.ts';

const FORM_BYTES_MAX = 16_384;

/** Runs of the last 24 hours of this browser and its wallet, with their results. */
export const runsPage = definePage({
  name: 'runs',
  path: '/runs',
  room: '/tools',
  input: z.object({ done: z.enum(['saved', 'posted']).optional().catch(undefined) }),
  form: {
    bytesMax: FORM_BYTES_MAX,
    limit: { name: 'runs-page', calls: 120, perSeconds: 3600 },
  },
  async show({ done }, visit) {
    const runs = await readRuns(visit, await runsOf(visit));
    try {
      if (visit.form) return { goTo: `/runs?done=${await act(visit, visit.form, runs)}` };
    } catch (error) {
      if (!(error instanceof AtelierError)) throw error;
      return draw(runs, visit, error);
    }
    return draw(runs, visit, undefined, done);
  },
});

/** Ids of the runs of this browser and wallet, without duplicates. */
async function runsOf(visit: Visit): Promise<readonly string[]> {
  const { wallet } = visit.visitor;
  const { jobs } = visit.studio.context.services;
  const ofWallet = wallet === undefined ? [] : await jobs.recentOf(wallet, RUNS_REMEMBERED_MAX);
  return [...new Set([...rememberedRuns(visit), ...ofWallet])];
}

/** Saves a result as a file and posts it to the gallery if requested. @throws AtelierError */
async function act(visit: Visit, form: FormData, runs: readonly Run[]): Promise<'saved' | 'posted'> {
  const field = (name: string) => String(form.get(name) ?? '').trim();
  const { wallet } = visit.visitor;
  const result = runs.find(({ id }) => id === field('run'))?.job?.result as Made | undefined;
  if (!result?.result)
    throw invalidField('run', 'The result of this run is no longer stored. Run the tool again.');
  if (wallet === undefined)
    throw new AtelierError('payment_required', 'Sign in to save a result: files belong to a wallet.');
  const key = field('key');
  const { result: data, content_type: contentType } = result;
  await askTool(visit, saveAsset, { wallet, key, data, ...(contentType && { content_type: contentType }) });
  if (field('act') !== 'post') return 'saved';
  const image = `/api/gallery/image/${wallet}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const post = { name: field('name'), title: field('title'), image_url: image, wallet };
  await callEndpoint(postToGallery, post, visit, 'POST');
  return 'posted';
}

const DONE = {
  saved: html`File saved. <a href="/wallet/files">Show files</a>`,
  posted: html`File saved and posted. <a href="/gallery">Show gallery</a>`,
} as const;

function draw(runs: readonly Run[], visit: Visit, refusal?: AtelierError, done?: 'saved' | 'posted'): Shown {
  const known = runs.flatMap(({ id, job }) => (job ? [{ id, job }] : []));
  known.sort((one, other) => Date.parse(other.job.created_at) - Date.parse(one.job.created_at));
  const count = known.length;
  const live = known.filter(isLive).length;
  const title = count === 1 ? '1 run in the last 24 hours' : `${count} runs in the last 24 hours`;
  return {
    title: 'Runs',
    shape: 'wide',
    files: ['studio.css', 'collection.css', 'runs.css', 'picture.ts', 'run.ts'],
    policy: { 'form-action': "'self'" },
    ...(refusal && { status: refusal.status }),
    ...(live > 0 && { refreshSeconds: 5 }),
    heading: html`<div class="head"><h1>${count === 0 ? 'No runs yet' : title}</h1>${count > 1 ? html`<a class="button" href="/results.zip?run=${zipped(known)}" download="results.zip">Download all (ZIP)</a>` : ''}</div>`,
    body: html`${done ? html`<p class="note" role="status">${DONE[done]}</p>` : ''}${refusal ? html`<p class="note" role="alert">${refusal.message} <a href="/wallet">Go to wallet</a></p>` : ''}
${count === 0 ? html`<p class="lead quiet">Results appear here for 24 hours. <a href="/tools">Choose a tool</a></p>` : html`<at-run><p class="small quiet" role="status">${live > 0 ? `${live} still running.` : 'Results are deleted after 24 hours. Save the ones you want to keep.'}</p><ul id="shown" class="hang runs-of"${live > 0 ? html` data-live` : ''}>${known.map((run) => entry(run, visit))}</ul></at-run>`}`,
  };
}

const zipped = (runs: readonly Run[]): string =>
  runs
    .slice(0, RUNS_MAX)
    .map(({ id }) => id)
    .join(',');

type KnownRun = Run & { readonly job: Job };

/** A run with its result and actions. */
function entry(run: KnownRun, visit: Visit): Html {
  const { id, job } = run;
  const { tools, publicUrl } = visit.studio;
  const title = tools.find(({ name }) => name === job.tool)?.title ?? job.tool;
  const made = (job.result ?? {}) as Made;
  const open = `/tools/${job.tool}?run=${id}`;
  const credits = job.credits.charged;
  const said =
    job.state === 'succeeded'
      ? [made.content_type && typeText(made.content_type), credits === 0 ? 'free' : creditsLabel(credits)]
          .filter(Boolean)
          .join(', ')
      : statusOf([run]).replace(/\.$/, '');
  const reason = job.state === 'failed' ? html`<p class="small">${reasonOf(run)}</p>` : '';
  return html`<li><a href="${open}"><span class="wall unsized">${wall(made, title)}</span><span class="label"><b>${title}</b><span class="quiet">${said}, ${ageLabel(job.created_at)} ago</span></span></a>
${reason}${made.result && made.result_url ? actions(id, made, { tool: job.tool, publicUrl, visit }) : ''}</li>`;
}

function wall({ result, content_type: type = '' }: Made, title: string): Html {
  const address = result && /^image\/(?!svg)/.test(type) ? pictureAddress(result) : undefined;
  return address
    ? html`<at-picture><img src="${address}" width="400" height="400" alt="Result: ${title}" loading="lazy"></at-picture>`
    : html`<span class="away">${type ? typeText(type) : 'No file'}</span>`;
}

interface Around {
  readonly tool: string;
  readonly publicUrl: string;
  readonly visit: Visit;
}

function actions(id: string, made: Made, { tool, publicUrl, visit }: Around): Html {
  const address = addressHere(publicUrl)(made.result_url!);
  return html`<p class="row small"><a href="${address}" download="${fileName(tool, made)}">Download</a><at-link><a href="${made.result_url}" data-label="Copy link">Link</a></at-link></p>
${visit.visitor.wallet === undefined ? html`<p class="small quiet"><a href="/wallet">Sign in</a> to save or post this result. A new wallet has ${WELCOME_CREDITS} credits.</p>` : forms(id, made, tool)}`;
}

const SAVE_PRICE = creditsLabel(highestPrice(saveAsset.price));

function forms(id: string, made: Made, tool: string): Html {
  const key = fileName(`${tool}_${id.slice(-6)}`, made);
  const keyInput = html`<label><span>File name</span><input name="key" value="${key}" required maxlength="${ASSET_KEY_CHARACTERS_MAX}" autocomplete="off"></label>`;
  const isPosted = /^image\/(png|jpeg|webp|gif|avif)/.test(made.content_type ?? '');
  return html`<details class="small"><summary>Save to files</summary><form method="post" action="/runs" class="stack"><input type="hidden" name="run" value="${id}">${keyInput}<button name="act" value="save">Save (${SAVE_PRICE})</button></form></details>
${
  isPosted
    ? html`<details class="small"><summary>Post to the gallery</summary><form method="post" action="/runs" class="stack"><input type="hidden" name="run" value="${id}">${keyInput}<label><span>Title</span><input name="title" required maxlength="${GALLERY_TITLE_CHARACTERS_MAX}"></label><label><span>Your name</span><input name="name" required maxlength="${NAME_CHARACTERS_MAX}"></label><button name="act" value="post">Save and post (${SAVE_PRICE})</button><p class="quiet">Posts are public and permanent.</p></form></details>`
    : ''
}`;
}
