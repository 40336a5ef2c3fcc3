import { html } from 'hono/html';
import { ERRORS } from '../../../core/errors/codes.ts';
import type { Html } from '../../../core/html/html_page.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { imageName, resultName } from './file_names.ts';
import { pictureAddress, thumbnailAddress } from './picture_operation.ts';
import { newPress } from './post_run.ts';
import { isLive, isUnsuccessful, type Job, type Run } from './read_runs.ts';
import { type Around, addressHere, proofHtml, type Result, resultHtml } from './result_html.ts';
import type { Made } from './slug.ts';
import { secondsText, tookText, typeText } from './words.ts';

/** The runs of a page. */
export interface Shown extends Around {
  readonly tool: AnyTool;
  readonly runs: readonly Run[];
  /** Input handles: one for all runs, or one for each. */
  readonly pictures: readonly string[];
  /** The page itself. */
  readonly link: string;
  /** The page with one of the pictures and no run. */
  linkTo(picture: string): string;
  /** The page with one of the runs alone. */
  openRun(picture: string | undefined, id: string): string;
}

/** Status and results of runs: a single run, several runs of one image, or a list with one image each. */
export function runsHtml(shown: Shown): Html {
  const { runs, pictures } = shown;
  const [only] = runs;
  if (!only) return html``;
  if (runs.length === 1 && pictures.length <= 1) return runHtml(only, shown);
  const results = runs.flatMap((run) => resultOf(run, shown) ?? []);
  const isOfOne = pictures.length <= 1;
  return html`${isOfOne ? proofHtml(results, shown) : ''}${listHtml(shown)}${takeAlong(shown, results)}`;
}

/** Actions for all runs: download a ZIP with the input file names, download a CSV table, retry failed runs. */
function takeAlong({ runs, pictures, link }: Shown, results: readonly Result[]): Html {
  const recipe = results[0]?.recipe;
  const query = new URLSearchParams({
    run: runs.map(({ id }) => id).join(','),
    image: pictures.join(' '),
  });
  const failed = pictures.filter((_, at) => runs[at] === undefined || isUnsuccessful(runs[at])).length;
  return html`<div class="row actions">${results.length > 1 ? html`<a class="button main" href="/results.zip?${query}" download>Download all (ZIP)</a>` : ''}${failed > 0 && pictures.length > 1 && !runs.some(isLive) ? html`<form method="post" action="${link}"><button name="retry" value="${newPress()}">${failed === 1 ? 'Retry failed run' : `Retry ${failed} failed runs`}</button></form>` : ''}<a class="button" href="/results.csv?${query}" download>Download table (CSV)</a>${recipe ? html`<a class="button" href="${recipe}">Save as recipe</a>` : ''}</div>`;
}

/** Text of the live region. @param sent number of images sent; some may not have started a run */
export function statusOf(runs: readonly Run[], sent = 1): string {
  const all = Math.max(sent, runs.length);
  if (all > 1) return batchText(runs, all);
  const [run] = runs;
  if (run?.refused) return 'Not started.';
  return run?.job ? stateText(run.job) : 'This run has expired.';
}

function batchText(runs: readonly Run[], all: number): string {
  const live = runs.filter(isLive);
  const failed = runs.filter(isUnsuccessful).length + Math.max(0, all - runs.length);
  const done = all - failed - live.length;
  const failures = failed === 0 ? '' : ` ${failed} failed; see the reason beside each.`;
  if (live.length === 0)
    return failed === 0 ? `All ${all} are done.` : `${done} of ${all} are done.${failures}`;
  const lefts = live.map(({ job }) => job!.estimate.seconds_left);
  const last = lefts.includes(null) ? undefined : Math.max(...lefts.map(Number));
  const isLate = live.some(({ job }) => job!.estimate.late);
  return `${done} of ${all} are done.${failures}${isLate ? ' Longer than expected.' : ''}${last === undefined ? '' : ` The last is ready in about ${secondsText(last)}.`}`;
}

/** Why a run has no result: what happened and what to do. */
export function reasonOf({ job, refused }: Run): string {
  if (refused) return `${ERRORS[refused].title}. ${ERRORS[refused].fix}`;
  if (!job) return 'Runs are kept for 24 hours and are visible only to the wallet that started them.';
  const { detail = '', fix = '' } = (job.problem ?? {}) as { detail?: string; fix?: string };
  return `${detail} ${detail.includes(fix) ? '' : fix}`.trim();
}

function runHtml(run: Run, shown: Shown): Html {
  const { job } = run;
  if (!job)
    return html`<p>${run.refused ? reasonOf(run) : 'Runs are kept for 24 hours and are visible only to the wallet that started them.'} Your settings are still here, so you can run it again.</p>`;
  if (isLive(run)) return liveHtml(job, shown);
  if (job.state === 'canceled') return html`<p>You were not charged. Your settings are still here.</p>`;
  const result = resultOf(run, shown);
  if (result) return resultHtml(result, shown);
  return html`<p>${reasonOf(run)}</p><p class="quiet">You were not charged. Your settings are still here.</p>`;
}

/** The input image reserves the space of the result. */
function liveHtml({ job_id: id, progress, state, credits }: Job, { link, pictures }: Shown): Html {
  const before = pictures[0] === undefined ? undefined : pictureAddress(pictures[0]);
  return html`${before ? html`<div class="proof"><div class="stage"><img src="${before}" width="1200" height="900" alt="The image you sent"></div></div>` : ''}<div class="live stack"><progress max="1"${state === 'running' ? html` value="${progress.fraction}"` : ''} aria-label="Progress"></progress>
<form method="post" action="${link}" class="row"><input type="hidden" name="cancel" value="${id}"><button>Cancel</button><span class="small quiet">${credits.held > 0 ? 'You are charged only if the run succeeds.' : 'This run is free.'}</span></form></div>`;
}

/** "Running, 40% done. Ready in about 3 s."; an estimate that rises is announced. */
function stateText({ state, place, progress, estimate, started_at: from }: Job): string {
  const left = leftText(estimate, from);
  if (state === 'queued') return `Queued: ${(place ?? 1) - 1} ahead of you.${left}`;
  if (state === 'running') {
    const part = progress.fraction > 0 ? `, ${Math.round(progress.fraction * 100)}% done` : '';
    return `Running${part}.${left}`;
  }
  return { succeeded: 'Done.', failed: 'Failed.', canceled: 'Cancelled.' }[state];
}

function leftText({ seconds_left: seconds, late }: Job['estimate'], startedAt: string | null): string {
  const ready = seconds === null ? '' : ` Ready in about ${secondsText(seconds)}.`;
  if (!late) return ready;
  const since =
    startedAt === null ? '' : ` Running for ${tookText((Date.now() - Date.parse(startedAt)) / 1000)}.`;
  return ` Longer than expected.${ready || since}`;
}

function resultOf({ id, job }: Run, { tool, runs, pictures, link }: Shown): Result | undefined {
  if (job?.state !== 'succeeded' || !job.result) return undefined;
  const at = runs.findIndex((run) => run.id === id);
  return {
    tool,
    answer: job.result as Made & Record<string, unknown>,
    seconds: secondsOf(job),
    before: pictures[pictures.length === 1 ? 0 : at],
    link,
    recipe: tool.steps || tool.answersSecret ? undefined : `/recipes/new?run=${id}`,
  };
}

export const secondsOf = ({ started_at: from, finished_at: to }: Job): number | undefined =>
  from && to ? (Date.parse(to) - Date.parse(from)) / 1000 : undefined;

/** One row per run and per rejected image. */
function listHtml(shown: Shown): Html {
  const { runs, pictures } = shown;
  const count = pictures.length <= 1 ? runs.length : Math.max(runs.length, pictures.length);
  return html`<table class="ledger runs"><thead><tr><th scope="col">Image</th><th scope="col">Result</th><th scope="col">Duration</th><th scope="col"><span class="unseen">Open and download</span></th></tr></thead>
<tbody>${Array.from({ length: count }, (_, at) => row(shown, at))}</tbody></table>`;
}

function row(shown: Shown, at: number): Html {
  const { runs, pictures, tool, publicUrl, linkTo, openRun } = shown;
  const run: Run = runs[at] ?? { id: '' };
  const picture = pictures[pictures.length === 1 ? 0 : at];
  const isBatch = pictures.length > 1;
  const name = (isBatch && picture && imageName(picture)) || `${isBatch ? 'Image' : 'Run'} ${at + 1}`;
  const result = resultOf(run, shown);
  const { answer, seconds } = result ?? {};
  const address = answer?.result_url && addressHere(publicUrl)(answer.result_url);
  const made = answer?.result && thumbnailAddress(answer.result);
  const isImage = /^image\//.test(answer?.content_type ?? '');
  const open = result ? openRun(picture, run.id) : isLive(run) || !picture ? undefined : linkTo(picture);
  return html`<tr${isUnsuccessful(run) ? html` class="failed"` : ''}><td><span class="row">${isBatch ? thumb(picture && !run.refused ? thumbnailAddress(picture) : undefined) : ''}<bdi>${name}</bdi></span></td>
<td><span class="row">${made && isImage ? thumb(made) : ''}<span>${result ? sizeText(answer!) : html`<span class="${isUnsuccessful(run) ? 'bad' : ''}">${statusOf([run])}</span>${isUnsuccessful(run) ? html` <span class="small quiet">${reasonOf(run)}</span>` : ''}`}</span></span></td>
<td>${seconds === undefined ? '' : tookText(seconds)}</td>
<td>${open ? html`<a href="${open}">${result ? 'Open' : 'Change settings'}<span class="unseen"> ${name}</span></a>` : ''}${address && answer ? html` <a href="${address}" download="${resultName(tool.name, answer, isBatch ? picture : undefined)}">Download<span class="unseen"> ${name}</span></a>` : ''}</td></tr>`;
}

/** Thumbnail at its display size, so that the layout does not shift. */
const thumb = (address: string | undefined): Html =>
  html`<span class="thumb">${address ? html`<img src="${address}" width="48" height="48" alt="" loading="lazy">` : ''}</span>`;

const sizeText = ({ width, height, content_type: type = '' }: Made): string =>
  [width && height ? `${width} × ${height}` : 'Done', type && typeText(type)].filter(Boolean).join(', ');
