import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { pictureAddress, thumbnailAddress } from './picture_operation.ts';
import { isLive, type Job, type Run } from './read_runs.ts';
import { type Around, addressHere, fileName, proofHtml, type Result, resultHtml } from './result_html.ts';
import type { Made } from './slug.ts';
import { secondsText, tookText } from './words.ts';

/** The runs a page shows. */
export interface Shown extends Around {
  readonly tool: AnyTool;
  readonly runs: readonly Run[];
  /** Handles of what was sent: one for all runs, or one for each. */
  readonly pictures: readonly string[];
  /** The page itself. */
  readonly link: string;
  /** The page with one of the pictures and no run. */
  linkTo(picture: string): string;
}

/** How runs stand and what they brought; one alone, several over the same picture, or a list with a picture each. */
export function runsHtml(shown: Shown): Html {
  const { runs, pictures } = shown;
  const [only] = runs;
  if (!only) return html``;
  if (runs.length === 1 && pictures.length <= 1) return runHtml(only, shown);
  const results = runs.flatMap((run) => resultOf(run, shown) ?? []);
  const isOfOne = pictures.length <= 1;
  return html`${isOfOne ? proofHtml(results, shown) : ''}${listHtml(shown)}
${results.length > 1 ? html`<p class="row actions"><a class="button main" href="/results.zip?run=${runs.map(({ id }) => id).join(',')}" download="${shown.tool.name}.zip">Download all, ZIP</a></p>` : ''}`;
}

/** What is said aloud while it changes. @param sent pictures, of which not all may have become runs */
export function statusOf(runs: readonly Run[], sent = 1): string {
  const live = runs.filter(isLive).length;
  const missing = Math.max(0, sent - runs.length);
  if (runs.length > 1 || missing > 0) {
    const ended = runs.length - live;
    const left = missing > 0 ? `, ${missing} could not be started` : '';
    return live === 0 && missing === 0
      ? 'All are done.'
      : `${ended} of ${runs.length + missing} are done${left}.`;
  }
  const job = runs[0]?.job;
  return job ? stateText(job) : 'This run is forgotten.';
}

function runHtml(run: Run, shown: Shown): Html {
  const { job } = run;
  if (!job)
    return html`<p>Runs are kept for 24 hours, and shown to the wallet that made them. The settings are still here: run it again.</p>`;
  if (isLive(run)) return liveHtml(job, shown);
  if (job.state === 'canceled') return html`<p>Nothing was charged. The settings are still here.</p>`;
  const result = resultOf(run, shown);
  if (result) return resultHtml(result, shown);
  const { detail = '', fix = '' } = (job.problem ?? {}) as { detail?: string; fix?: string };
  return html`<p>${detail} ${fix}</p><p class="quiet">Nothing was charged. The settings are still here.</p>`;
}

/** The picture keeps the room that its result will take. */
function liveHtml({ job_id: id, progress, state, credits }: Job, { link, pictures }: Shown): Html {
  const before = pictures[0] === undefined ? undefined : pictureAddress(pictures[0]);
  return html`${before ? html`<div class="proof"><div class="stage"><img src="${before}" width="1200" height="900" alt="The picture that was sent"></div></div>` : ''}<div class="live stack"><progress max="1"${state === 'running' ? html` value="${progress.fraction}"` : ''} aria-label="Progress"></progress>
<form method="post" action="${link}" class="row"><input type="hidden" name="cancel" value="${id}"><button>Cancel</button><span class="small quiet">${credits.held > 0 ? 'Nothing is charged unless it succeeds.' : 'It is free.'}</span></form></div>`;
}

/** "Running, 40 % done. Ready in about 3 s." */
function stateText({ state, place, progress, estimate: { seconds_left: seconds } }: Job): string {
  const left = seconds === null ? '' : ` Ready in about ${secondsText(seconds)}.`;
  if (state === 'queued') return `In the queue, ${(place ?? 1) - 1} ahead.${left}`;
  if (state === 'running') {
    const part = progress.fraction > 0 ? `, ${Math.round(progress.fraction * 100)} % done` : '';
    return `Running${part}.${left}`;
  }
  return { succeeded: 'Done.', failed: 'It did not work.', canceled: 'Canceled.' }[state];
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
  };
}

const secondsOf = ({ started_at: from, finished_at: to }: Job): number | undefined =>
  from && to ? (Date.parse(to) - Date.parse(from)) / 1000 : undefined;

/** A row a run, and one for each picture that was not taken. */
function listHtml(shown: Shown): Html {
  const { runs, pictures } = shown;
  const count = pictures.length <= 1 ? runs.length : Math.max(runs.length, pictures.length);
  return html`<table class="ledger runs"><thead><tr><th scope="col">Picture</th><th scope="col">State</th><th scope="col">Engine</th><th scope="col">Took</th><th scope="col"><span class="unseen">Download</span></th></tr></thead>
<tbody>${Array.from({ length: count }, (_, at) => row(shown, at))}</tbody></table>`;
}

function row(shown: Shown, at: number): Html {
  const { runs, pictures, tool, publicUrl, linkTo } = shown;
  const run = runs[at];
  const picture = pictures[pictures.length === 1 ? 0 : at];
  const result = run && resultOf(run, shown);
  const small = picture && thumbnailAddress(picture);
  const name = html`<span class="row">${small && pictures.length > 1 ? html`<img src="${small}" width="48" height="48" alt="" loading="lazy">` : ''}Run ${at + 1}</span>`;
  if (!run && picture)
    return html`<tr><td>${name}</td><td>Not started</td><td></td><td></td><td><a href="${linkTo(picture)}">Run it alone</a></td></tr>`;
  const { answer, seconds } = result ?? {};
  const address = answer?.result_url && addressHere(publicUrl)(answer.result_url);
  return html`<tr><td>${name}</td><td>${run ? statusOf([run]) : ''}</td><td>${answer?.engine?.name ?? ''}</td><td>${seconds === undefined ? '' : tookText(seconds)}</td><td>${address && answer ? html`<a href="${address}" download="${fileName(`${tool.name}_${at + 1}`, answer)}">Download</a>` : ''}</td></tr>`;
}
