import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { handleIn } from '../../../features/definitions/images_in.ts';
import { isFree } from '../../../features/definitions/price.ts';
import type { CallResponse } from '../../../pipeline/types.ts';
import { callsOf, callTabs } from '../call_tabs.ts';
import type { Shown, Visit } from '../types.ts';
import { walletFrom } from '../wallet/back.ts';
import { earlierResults, runsCookie } from './earlier_results.ts';
import { describesImage, hasEditor } from './editors.ts';
import { expectRoughly, expectRun } from './expect_run.ts';
import { FORM_BYTES_MAX, LOOK_AGAIN_SECONDS, RUNS_COMPARED_MAX } from './limits.ts';
import { openPicture, pictureAddress, sampleIn } from './picture_operation.ts';
import { batchField, picturesIn, readPosted, startRuns, withSamples } from './post_run.ts';
import { askOfJob, idsIn, isLive, isUnsuccessful, type Run, readRuns } from './read_runs.ts';
import { resultHtml } from './result_html.ts';
import { paramsOrPlain, type Runnable } from './runnable.ts';
import { runsHtml, statusOf } from './runs_html.ts';
import { queryOf, type Settings, settingsAmong, textOf } from './settings.ts';
import type { Made } from './slug.ts';
import { accountForm, ticketHtml } from './ticket.ts';
import { type Refusal, refusalOf } from './words.ts';

/** Limits of the forms of all pages that run tools; the rate limit is shared. */
export const RUN_FORM = {
  bytesMax: FORM_BYTES_MAX,
  limit: { name: 'studio-runs', calls: 600, perSeconds: 3600 },
} as const;

/** Run ids of a URL, separated by commas. */
export const runField = z.string().max(1_000).default('');

/** Content of a run page outside its form. */
interface RunPageQuery {
  /** As `runField` has it. */
  readonly run: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly heading: Html;
  /** Shown in place of the result, below the image if there is one. */
  readonly about: Html;
}

/** Page of a tool or recipe: shows it, starts runs, retries or cancels them. */
export async function runPage(runnable: Runnable, asked: RunPageQuery, visit: Visit): Promise<Shown> {
  const drawn = { ...runnable, ...asked, settings: settingsAmong(runnable.fields, asked.query), runs: [] };
  const ids = idsIn(asked.run);
  if (visit.form?.has('cancel')) return cancel(drawn, ids, visit);
  if (visit.form?.has('retry')) return retry(drawn, ids, visit);
  if (visit.form) return press(drawn, visit);
  return draw({ ...drawn, runs: await readRuns(visit, ids) }, visit);
}

/** State that the page is rendered from. */
interface Drawn extends Runnable, Omit<RunPageQuery, 'run' | 'query'> {
  readonly settings: Settings;
  readonly runs: readonly Run[];
  readonly refusal?: AtelierError;
  /** Shown once (contains a secret), so it has no link. */
  readonly answer?: CallResponse;
}

async function cancel(
  { path, fields, settings }: Drawn,
  ids: readonly string[],
  visit: Visit,
): Promise<Shown> {
  await askOfJob(visit, 'stop_job_by_post', String(visit.form?.get('cancel')));
  return { goTo: `${path}${queryOf(fields, settings, { run: ids.join(',') })}` };
}

/** Retries the failed runs of a batch with the settings of its link; successful runs stay. */
async function retry(drawn: Drawn, ids: readonly string[], visit: Visit): Promise<Shown> {
  const { path, fields, settings } = drawn;
  const batch = batchField(fields)?.name;
  const pictures = batch === undefined ? [] : picturesIn(settings[batch]);
  const runs = await readRuns(visit, ids);
  const again = pictures.flatMap((picture, at) => {
    const run = runs[at];
    return run === undefined || isUnsuccessful(run) ? [{ at, picture }] : [];
  });
  if (batch === undefined || again.length === 0)
    return { goTo: `${path}${queryOf(fields, settings, { run: ids.join(',') })}` };
  const sent = { ...settings, [batch]: again.map(({ picture }) => picture).join(' ') };
  try {
    const press = String(visit.form?.get('retry'));
    const started = await startRuns(drawn, { settings: sent, press, visit });
    if ('answer' in started) return draw({ ...drawn, answer: started.answer }, visit);
    const merged = pictures.map((_, at) => {
      const place = again.findIndex((one) => one.at === at);
      return place < 0 ? ids[at] : started.runs[place];
    });
    const run = merged.join(',');
    return { goTo: `${path}${queryOf(fields, settings, { run })}`, cookie: runsCookie(visit, started.runs) };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    return draw({ ...drawn, runs, refusal: error }, visit);
  }
}

/** Starts the posted runs and redirects to them; on an error the form is shown again with its values. */
async function press(drawn: Drawn, visit: Visit): Promise<Shown> {
  const { path, fields } = drawn;
  let settings: Settings = settingsAmong(fields, Object.fromEntries(visit.form ?? []));
  try {
    settings = await readPosted(fields, visit);
    const sent = { settings, press: String(visit.form?.get('press') ?? ''), visit };
    const started = await startRuns(drawn, sent);
    if ('answer' in started) return draw({ ...drawn, settings, answer: started.answer }, visit);
    const beside = idsIn(String(visit.form?.get('beside') ?? ''));
    const run = idsIn([...beside, ...started.runs].join(',')).join(',');
    return { goTo: `${path}${queryOf(fields, settings, { run })}`, cookie: runsCookie(visit, started.runs) };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    return draw({ ...drawn, settings, refusal: error }, visit);
  }
}

async function draw(drawn: Drawn, visit: Visit): Promise<Shown> {
  const { tool, title, fields, runs, refusal: error } = drawn;
  const refusal = error && refusalOf(error, fields);
  const params = paramsOrPlain(drawn, withSamples(ofOnePicture(drawn)), visit.visitor);
  const expect = runs.some(isLive) ? expectRoughly : expectRun;
  const size = await sizeOf(drawn, visit);
  const megapixels = size && (size.width * size.height) / 1_000_000;
  const [known, earlier] = await Promise.all([
    expect(tool, params, { ...visit, megapixels }),
    earlierResults(visit),
  ]);
  const expected = { ...known, credits: known.credits ?? drawn.listed };
  const ids = runs.map(({ id }) => id);
  const back = `${drawn.path}${queryOf(fields, drawn.settings)}`;
  const isEdited = hasEditor(tool.name);
  const isLookedAt = describesImage(tool.name);
  const side = isEdited && size ? Math.max(size.width, size.height) : undefined;
  const hasResult = runs.length > 0 || drawn.answer !== undefined;
  return {
    title,
    summary: tool.summary,
    shape: 'wide',
    files: [
      'studio.css',
      'tool.css',
      'copy.ts',
      'tool_form.ts',
      'account.ts',
      'web_mcp.ts',
      ...(isEdited ? (['editor.css', 'editor.ts'] as const) : []),
      ...(isLookedAt ? (['editor.css', 'object_fields.ts'] as const) : []),
      ...(hasResult ? (['compare.ts', 'run.ts'] as const) : []),
    ],
    policy: { 'form-action': "'self'", 'img-src': "'self' blob:" },
    ...(error && { status: error.status }),
    ...(runs.some(isLive) && { refreshSeconds: LOOK_AGAIN_SECONDS }),
    heading: drawn.heading,
    body: html`${refusalHtml(refusal, { back, hasWallet: visit.visitor.wallet !== undefined })}<div class="split turn${hasResult ? ' has-result' : ''}${isEdited ? ' editing' : ''}${isLookedAt ? ' looking' : ''}"><div class="stack stage-of">${isEdited ? editorStage(drawn, side) : ''}${stage(drawn, visit, isEdited)}
<div id="calls">${callTabs('same-call', 'Run from code', callsOf(tool, paramsOrPlain(drawn, sendable(drawn), visit.visitor), { publicUrl: visit.studio.publicUrl, pays: !isFree(tool.price) || 'wallet' in params }))}</div></div>
${ticketHtml({ ...drawn, back, hasResult, expected, earlier, refusal, visitor: visit.visitor, runs: isLaidOver(drawn) ? ids.slice(1 - RUNS_COMPARED_MAX) : [] })}</div>${accountForm(back)}`,
  };
}

/** Image results of a single input image can be compared with it. */
function isLaidOver({ tool, fields, settings }: Drawn): boolean {
  const field = batchField(fields);
  const makesPicture = Object.hasOwn(tool.output.shape, 'result_url');
  return makesPicture && field !== undefined && picturesIn(settings[field.name]).length === 1;
}

/** Settings of the call for the first of several images. */
function ofOnePicture({ fields, settings }: Drawn): Settings {
  const batch = batchField(fields)?.name;
  const text = batch === undefined ? undefined : settings[batch];
  return batch === undefined || text === undefined
    ? settings
    : { ...settings, [batch]: picturesIn(text)[0]! };
}

/** Settings as shown in code examples: empty required fields get example values, files get a handle. */
function sendable(drawn: Drawn): Settings {
  const { fields } = drawn;
  const settings = ofOnePicture(drawn);
  const texts = fields.flatMap((field) => {
    const text = settings[field.name] || (field.isRequired ? textOf(field, field.example) : '');
    const isFile = field.kind === 'picture' || field.kind === 'file';
    return text === '' ? [] : [[field.name, isFile ? (handleIn(text) ?? 'upload:…') : text]];
  });
  return Object.fromEntries(texts);
}

/** @param hasWallet if false, the form offers to open an account */
const refusalHtml = (
  refusal: Refusal | undefined,
  { back, hasWallet }: { back: string; hasWallet: boolean },
): Html =>
  html`${refusal ? html`<p class="note refusal" role="alert">${refusal.text}${refusal.fix ? ` ${refusal.fix}` : ''}${refusal.isPurse ? (hasWallet ? html` <a href="${walletFrom(back)}#credits">Buy credits</a>` : ' Open an account below; your settings are kept.') : ''}</p>` : ''}`;

/** Left column: runs, else the image, else a drop area. */
function stage(drawn: Drawn, visit: Visit, isEdited: boolean): Html {
  const { tool, path, fields, settings, runs, answer } = drawn;
  const { publicUrl, tools } = visit.studio;
  const batch = batchField(fields)?.name;
  const pictures = batch === undefined ? [] : picturesIn(settings[batch]).filter(Boolean);
  const linkTo = (picture: string) =>
    `${path}${queryOf(fields, batch === undefined ? settings : { ...settings, [batch]: picture })}`;
  const link = `${path}${queryOf(fields, settings, { run: runs.map(({ id }) => id).join(',') })}`;
  const openRun = (picture: string | undefined, id: string) => {
    const one = batch === undefined || picture === undefined ? settings : { ...settings, [batch]: picture };
    return `${path}${queryOf(fields, one, { run: id })}`;
  };
  const around = { tool, publicUrl, tools };
  if (answer) {
    const body = answer.body as Made & Record<string, unknown>;
    return html`<div id="shown" class="stack">${resultHtml({ ...around, answer: body, seconds: undefined, before: pictures[0], link: undefined }, around)}</div>`;
  }
  if (runs.length > 0)
    return html`<at-run class="stack"><p role="status" class="lead">${statusOf(runs, pictures.length)}</p><div id="shown" class="stack"${runs.some(isLive) ? html` data-live` : ''}>${runsHtml({ ...around, runs, pictures, link, linkTo, openRun })}</div></at-run>`;
  return html`${batch === undefined || isEdited ? '' : empty(pictures, batch)}${drawn.about}`;
}

/** Stage of a page with previews; it stays visible beside a result to show the next change. */
function editorStage({ tool, fields, settings }: Drawn, side: number | undefined): Html {
  const batch = batchField(fields)?.name;
  const picture = batch === undefined ? '' : picturesIn(settings[batch])[0]!;
  return html`<at-stage data-tool="${tool.name}"${side ? html` data-side="${side}"` : ''}>${batch === undefined ? html`<div class="proof"><div class="stage"><span class="lead">Drop an image here</span><span class="quiet">or add a layer</span></div></div>` : empty([picture].filter(Boolean), batch)}
<div class="bar stage-bar"></div><p class="small quiet" role="status"></p>${tool.name === 'make_variants' ? html`<ul class="sheet" tabindex="0" aria-label="Variants"></ul>` : ''}</at-stage>`;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Size in px of an image stored on this server. Unreadable images are rejected by the run. */
async function sizeOf({ fields, settings }: Drawn, visit: Visit): Promise<Size | undefined> {
  const batch = batchField(fields)?.name;
  const text = batch === undefined ? '' : picturesIn(settings[batch])[0]!;
  const sample = sampleIn(text);
  if (sample) return sample;
  if (pictureAddress(text) === undefined) return undefined;
  try {
    const { picture } = await openPicture(visit, text);
    return picture;
  } catch (error) {
    if (error instanceof AtelierError) return undefined;
    throw error;
  }
}

/** The chosen image, or a large drop area. */
function empty(pictures: readonly string[], field: string): Html {
  const [first] = pictures;
  const address = first === undefined ? undefined : pictureAddress(first);
  const hasPicture = address !== undefined;
  return html`<div class="proof"><label class="stage" for="field-${field}">${hasPicture ? html`<img src="${address}" width="1200" height="900" alt="Your image">` : html`<span class="lead">Drop an image here</span><span class="quiet">or choose or paste one</span>`}</label></div>`;
}
