import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { type Act, type Branch, type Item, imageAt } from '../../../core/html/browser/table_state.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { foreseeSheet } from '../../../features/print/tools/print_ready.ts';
import { compareActs, readAct } from '../../../features/workspaces/routes/index.ts';
import type { ActDetails, Difference } from '../../../features/workspaces/types.ts';
import { creditsLabel } from '../frame.ts';
import { expectRun } from '../tools/expect_run.ts';
import { addressHere } from '../tools/result_html.ts';
import { paramsOrPlain } from '../tools/runnable.ts';
import { settingsAmong } from '../tools/settings.ts';
import { refusalOf } from '../tools/words.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { failuresHtml } from './failures_html.ts';
import { itemAddress } from './items_html.ts';
import { isComposing, jobsOf, selectionField } from './jobs.ts';
import { RUN_ITEMS_MAX, TABLE_FORM_BYTES_MAX } from './limits.ts';
import {
  addressWith,
  jobsHtml,
  numbersIn,
  type OpenedTool,
  type Panel,
  quoteHtml,
  REPAIR_FORM,
  selectionHtml,
  toolHtml,
} from './panel_html.ts';
import { askTable, type OpenTable, openTable } from './read_table.ts';
import { tablesCookie } from './remembered_tables.ts';
import { type RunOutcome, runOnItems } from './run_tool.ts';
import { stepsHtml } from './steps_html.ts';
import { actStarted, TABLE_ACTIONS } from './table_forms.ts';
import { tableHtml } from './table_html.ts';
import { type TableRunnable, tableRecipes, tableRunnable } from './table_runnable.ts';
import { altTextHtml, answerHtml, verdictHtml } from './verdict_html.ts';
import { imagesText, toolTitle } from './words.ts';

/** Requested part of the page: all of it, or a part that scripts replace. */
const PARTS = ['page', 'panel', 'quote', 'share'] as const;

const BRANCH_TEXT_MAX = 200;

const input = z.looseObject({
  id: z.string().max(200),
  /** Comma-separated numbers of the selected items. */
  items: z.string().max(8_000).default(''),
  tool: z.string().max(100).optional(),
  act: z.coerce.number().int().min(1).optional().catch(undefined),
  view: z.enum(['steps', 'branches']).optional().catch(undefined),
  /** Names of branches to compare. */
  a: z.string().max(BRANCH_TEXT_MAX).optional().catch(undefined),
  b: z.string().max(BRANCH_TEXT_MAX).optional().catch(undefined),
  /** Numbers of failed acts of a batch. */
  failed: z.string().max(8_000).default(''),
  part: z.enum(PARTS).catch('page').default('page'),
});
type Query = z.output<typeof input>;

/** A table: images, tools and history. */
export const tablePage = definePage({
  name: 'table',
  path: '/table/{id}',
  room: '/table',
  input,
  form: {
    bytesMax: TABLE_FORM_BYTES_MAX,
    limit: { name: 'table-forms', calls: 1_200, perSeconds: 3600 },
  },
  async show(query, visit) {
    const table = await openTable(visit, query.id);
    const { id, role, is_mine: isMine } = table.state.workspace;
    // An owner link must not stay in the URL, where it could be shared by accident.
    if (role === 'own' && query.id.includes('.') && query.part === 'page' && !visit.form)
      return isMine
        ? { goTo: `/table/${id}` }
        : { goTo: `/table/${id}`, cookie: tablesCookie(visit, query.id) };
    return visit.form ? press(table, query, visit) : draw(table, query, visit);
  },
});

const pathOf = ({ id }: Query): string => `/table/${id}`;

function selectedItems({ state }: OpenTable, { items }: Query): readonly Item[] {
  const wanted = numbersIn(items);
  const byNumber = new Map(state.items.map((item) => [item.item, item]));
  return wanted.flatMap((number) => byNumber.get(number) ?? []).filter(({ deleted }) => !deleted);
}

/** Runs the posted action and redirects back; errors are shown on the page. */
async function press(table: OpenTable, query: Query, visit: Visit): Promise<Shown> {
  const form = visit.form!;
  const name = String(form.get('do') ?? '');
  const posted = { ...query, items: String(form.get('items') ?? query.items) };
  try {
    if (name === 'run') return await run(table, posted, visit);
    const deed = Object.hasOwn(TABLE_ACTIONS, name) ? TABLE_ACTIONS[name] : undefined;
    if (!deed) throw new AtelierError('invalid_input', 'Use one of the buttons on the page.');
    const act = actStarted(await deed({ visit, form, table, items: numbersIn(posted.items) }));
    return { goTo: backTo(act ? { ...query, act } : query) };
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    return draw(table, posted, visit, error);
  }
}

const backTo = ({ id, items, act }: Query): string => {
  const query = new URLSearchParams({ ...(items && { items }), ...(act && { act: String(act) }) });
  return `/table/${id}${query.size > 0 ? `?${query}` : ''}`;
};

async function run(table: OpenTable, query: Query, visit: Visit): Promise<Shown> {
  const runnable = await runnableOf(query, visit);
  if (!runnable) throw new AtelierError('invalid_input', 'tool must be the name of an image tool.');
  const settings = settingsAmong(runnable.fields, Object.fromEntries(visit.form!));
  const items = selectedItems(table, query);
  const outcome = await runOnItems(
    runnable,
    { key: table.key, items, settings, press: String(visit.form!.get('press') ?? '') },
    visit,
  );
  const [first] = outcome.failed;
  const error = first?.error ?? (outcome.left.length > 0 ? tooManyAtOnce(outcome) : undefined);
  if (error) return draw(table, { ...query, ...settings }, visit, error);
  return { goTo: backTo({ ...query, act: undefined }) };
}

const runnableOf = ({ tool }: Query, visit: Visit): Promise<TableRunnable | undefined> =>
  tool === undefined ? Promise.resolve(undefined) : tableRunnable(visit, tool);

/** Without JavaScript, nothing starts the remaining runs later. */
const tooManyAtOnce = ({ acts, left }: RunOutcome): AtelierError =>
  new AtelierError(
    'too_many_jobs',
    `${imagesText(acts.length)} started, ${left.length} not: the limit of concurrent jobs is reached. When these are done, select the others and apply again.`,
  );

async function draw(table: OpenTable, query: Query, visit: Visit, error?: AtelierError): Promise<Shown> {
  const canWork = table.state.workspace.role !== 'view';
  const panel: Panel = {
    table,
    path: pathOf(query),
    selected: selectedItems(table, query).slice(0, RUN_ITEMS_MAX),
    canWork,
    visitor: visit.visitor,
  };
  const opened = await openTool(panel, query, visit, error);
  if (query.part === 'quote' && opened)
    return part(
      html`<div id="foreseen">${foreseenHtml(opened, panel, visit)}</div><div id="quote">${quoteHtml(opened, panel)}</div>`,
      error,
    );
  const refusal = opened || !error ? undefined : refusalOf(error, []);
  const body = await panelBody(panel, { query, visit, opened });
  const panelHtml = html`<section class="panel" id="panel" aria-label="Tools">${refusal ? html`<p class="note refusal" role="alert">${refusal.text}${refusal.isPurse ? html` <a href="/wallet">Buy credits</a>` : ''}</p>` : ''}${body}</section>`;
  const stage = stageHtml(panel, opened);
  if (query.part === 'panel')
    return part(html`${panelHtml}${stage ? html`<template id="stage">${stage}</template>` : ''}`, error);
  return tableHtml({
    panel,
    panelHtml,
    stage,
    isToolOpen: opened !== undefined,
    visit,
    isShareOnly: query.part === 'share',
    ...(error && { status: error.status }),
  });
}

/** A part of the page, for its scripts. */
const part = (body: Html, error: AtelierError | undefined): Shown => ({
  title: 'Table',
  shape: 'wide',
  files: [],
  heading: html``,
  body,
  ...(error && { status: error.status }),
});

async function openTool(
  panel: Panel,
  query: Query,
  visit: Visit,
  error?: AtelierError,
): Promise<OpenedTool | undefined> {
  const runnable = await runnableOf(query, visit);
  if (!runnable) return undefined;
  const settings = settingsAmong(runnable.fields, query);
  const main = selectionField(runnable.fields);
  const [first] = panel.selected;
  const sent = main && first ? { ...settings, [main.name]: `item:${first.item}` } : settings;
  const params = paramsOrPlain(runnable, sent, visit.visitor);
  const megapixels = first?.width && first.height ? (first.width * first.height) / 1e6 : undefined;
  const known = await expectRun(
    runnable.tool,
    { ...params, workspace: panel.table.key },
    { ...visit, megapixels },
  );
  const expected = { ...known, credits: known.credits ?? runnable.listed };
  return {
    ...runnable,
    settings,
    input: params,
    expected,
    refusal: error && refusalOf(error, runnable.fields),
  };
}

async function panelBody(
  panel: Panel,
  { query, visit, opened }: { query: Query; visit: Visit; opened: OpenedTool | undefined },
): Promise<Html> {
  const [only] = panel.selected.length === 1 ? panel.selected : [];
  const failures = (await failuresHtml(numbersIn(query.failed), panel, visit)) ?? '';
  if (query.view === 'steps' && only) return stepsHtml(only, panel, visit);
  if (query.view === 'branches') return branchesHtml(query, panel, visit);
  const act = await actOf(panel, query, visit);
  const verdict = act ? html`${verdictHtml(act, panel)}` : '';
  if (opened) return html`${verdict}${toolHtml(opened, panel, foreseenHtml(opened, panel, visit))}`;
  const answer =
    act && query.act
      ? html`${actHead(act, visit)}${verdict}${altTextOf(act, panel)}${answerHtml(act, addressHere(visit.studio.publicUrl))}`
      : verdict;
  return html`${failures}${answer}${selectionHtml(panel, visit.studio.tools)}${jobsHtml(jobsOf(visit.studio.tools), await tableRecipes(visit), panel)}`;
}

const actHead = ({ tool }: ActDetails, { studio }: Visit): Html =>
  html`<h2 class="minor">${toolTitle(studio.tools, tool)}</h2>`;

/** Alt text form of an act on one image. */
function altTextOf(act: ActDetails, { table: { state }, canWork, path }: Panel): Html {
  const item = state.items.find((one) => one.item === act.inputs[0]);
  return item && canWork ? altTextHtml(act, item, path) : html``;
}

/** The requested act, else the act that made the only selected item. */
async function actOf(
  { table, selected }: Panel,
  query: Query,
  visit: Visit,
): Promise<ActDetails | undefined> {
  const number = query.act ?? (selected.length === 1 ? selected[0]!.act : null);
  if (!number || !table.state.acts.some(({ act }) => act === number)) return undefined;
  return askTable<ActDetails>(visit, readAct, { id: table.key, act: number });
}

/** Preview stage of a tool; scripts take it over. */
function stageHtml({ selected, table }: Panel, opened: OpenedTool | undefined): Html | undefined {
  if (!opened?.tool.preview) return undefined;
  const [first] = selected;
  const isComposed = isComposing(opened.tool);
  const side = first && Math.max(first.width ?? 0, first.height ?? 0);
  const image =
    first && !isComposed
      ? html`<img src="${itemAddress(table.pass, first.item, 'large')}" width="${first.width ?? 1200}" height="${first.height ?? 900}" alt="Your image">`
      : html`<span class="lead">The preview appears here</span>`;
  return html`<at-stage data-tool="${opened.tool.name}"${side ? html` data-side="${side}"` : ''}><div class="stage">${image}</div><div class="bar stage-bar"></div><p class="small quiet" role="status"></p>${opened.tool.name === 'make_variants' ? html`<ul class="sheet" tabindex="0" aria-label="Variants"></ul>` : ''}</at-stage>`;
}

interface Comparison {
  readonly common: number | null;
  readonly a: Difference;
  readonly b: Difference;
}

/** Acts listed per side. */
const ACTS_LISTED_MAX = 50;

/**
 * Two branches side by side: the latest image of each and the acts unique to it. Scripts overlay the images in the middle.
 * @param sides names of branches. Unset: the current one and another
 */
async function branchesHtml(
  sides: { readonly a?: string | undefined; readonly b?: string | undefined },
  panel: Panel,
  visit: Visit,
): Promise<Html> {
  const { key, state } = panel.table;
  const { branches } = state;
  const left = branches.find(({ branch }) => branch === sides.a) ?? branches.find((one) => one.is_current);
  const right =
    branches.find((one) => one !== left && one.branch === sides.b) ?? branches.find((one) => one !== left);
  const back = html`<a class="small back" href="${addressWith(panel)}">All tools</a>`;
  if (!left || !right)
    return html`${back}<p>This table has one branch. To compare branches, create one, or undo a step and run another tool.</p>`;
  const { a, b } = await askTable<Comparison>(visit, compareActs, {
    id: key,
    a: left.branch,
    b: right.branch,
  });
  const images = [left, right].map(({ head }) => imageAt(state, head)?.item ?? '');
  return html`${back}<div class="stack" id="branches-compared"><h2 class="minor" id="tool-title" tabindex="-1">Compare branches</h2>
<form method="get" action="${panel.path}" class="row" id="sides"><input type="hidden" name="view" value="branches">${sideSelect('a', left, branches)}${sideSelect('b', right, branches)}<noscript><button>Compare</button></noscript></form>
<div id="tips" data-before="${images[0]}" data-after="${images[1]}">${sideHtml(left, a, panel, visit)}${sideHtml(right, b, panel, visit)}</div></div>`;
}

const sideSelect = (name: 'a' | 'b', chosen: Branch, branches: readonly Branch[]): Html =>
  html`<label class="grow"><span class="unseen">${name === 'a' ? 'First branch' : 'Second branch'}</span><select name="${name}">${branches.map(
    ({ branch }) =>
      html`<option value="${branch}"${branch === chosen.branch ? html` selected` : ''}>${branch}</option>`,
  )}</select></label>`;

function sideHtml(
  { branch, head, is_current: isCurrent }: Branch,
  { acts: numbers, credits }: Difference,
  { table: { pass, state }, path, canWork }: Panel,
  { studio }: Visit,
): Html {
  const image = imageAt(state, head);
  const known = new Map(state.acts.map((act) => [act.act, act]));
  const cost = credits > 0 ? `, ${creditsLabel(credits)}` : '';
  return html`<section><h3>${branch}</h3>${image ? html`<img src="${itemAddress(pass, image.item, 'small')}" width="320" height="320" alt="${image.caption || image.name}" decoding="async">` : html`<p class="small quiet">No image yet.</p>`}
<p class="small quiet">${numbers.length === 0 ? 'No steps of its own' : `${numbers.length} ${numbers.length === 1 ? 'step' : 'steps'} of its own${cost}`}</p>
<ol class="small">${numbers.slice(-ACTS_LISTED_MAX).map((number) => html`<li>${actText(known.get(number), number, studio.tools)}</li>`)}</ol>
${canWork && !isCurrent ? html`<form method="post" action="${path}"><input type="hidden" name="branch" value="${branch}"><button name="do" value="switch" class="small">Switch to ${branch}</button></form>` : html`<p class="small quiet">${isCurrent ? 'Current branch' : ''}</p>`}</section>`;
}

const actText = (act: Act | undefined, number: number, tools: Visit['studio']['tools']): string =>
  act ? toolTitle(tools, act.tool) : `Step ${number}`;

const SVG = 'image/svg+xml';

/** Low-resolution images listed by name. */
const NAMED_MAX = 3;

/**
 * Resolution check of a print sheet before it is made, with buttons for repairs. Empty for other tools.
 */
function foreseenHtml(opened: OpenedTool, panel: Panel, { studio }: Visit): Html {
  if (opened.tool.name !== 'print_ready') return html``;
  const { catalogue } = studio.context.services;
  if (panel.selected.length > 0 && panel.selected.every(({ media_type }) => media_type === SVG))
    return html`<p class="foreseen small"><b class="good">Vector shapes are sharp at any size.</b>${opened.settings.output_format === 'pdf' ? '' : ' Choose PDF to keep them as vectors.'}</p>`;
  const sheets = panel.selected.flatMap(({ item, name, width, height, media_type }) => {
    if (!width || !height || media_type === SVG) return [];
    const handle = `item:${item}`;
    const params = { ...opened.input, image: handle };
    const sheet = foreseeSheet(params, { picture: { width, height }, handle, catalogue });
    return sheet ? [{ ...sheet, name }] : [];
  });
  const poor = sheets.filter(({ check }) => check.status !== 'pass');
  const [first] = poor.length > 0 ? poor : sheets;
  if (!first) return html``;
  const paper = paperText(opened.settings.product_size, first.trimMm);
  if (poor.length === 0)
    return html`<p class="foreseen small"><b class="good">${first.dpi} dpi</b> ${sheets.length === 1 ? `on ${paper}: sufficient.` : `or more on each sheet: sufficient.`}</p>`;
  if (sheets.length > 1) {
    const names = poor.slice(0, NAMED_MAX).map(({ name, dpi }) => `${name} (${dpi} dpi)`);
    const more = poor.length > NAMED_MAX ? ` and ${poor.length - NAMED_MAX} more` : '';
    return html`<p class="foreseen"><b class="warn">${poor.length} of ${imagesText(sheets.length)} have too low a resolution for ${paper}:</b> ${names.join(', ')}${more}. Select one to fix it.</p>`;
  }
  const { check, dpi } = first;
  // The cheapest way, and the smaller sheet, which comes last.
  const mends = new Set([check.mend, check.other_mends?.at(-1)].flatMap((mend) => mend ?? []));
  return html`<div class="foreseen"><p><b class="${check.status === 'fail' ? 'bad' : 'warn'}">${dpi} dpi is ${check.status === 'fail' ? 'too low' : 'a little low'} for ${paper}.</b> ${needText(check.message)}</p>
${panel.canWork ? [...mends].map(repairButton) : ''}${panel.canWork && check.status === 'fail' ? html`<p class="small"><a href="${addressWith(panel, 'vectorize_image')}">A logo or a drawing? Vectorize it first</a>: vector shapes are sharp at any size.</p>` : ''}</div>`;
}

const repairButton = ({
  action,
  cost,
  gives,
  endpoint,
  params,
}: {
  readonly action: string;
  readonly cost: string;
  readonly gives: string;
  readonly endpoint: string;
  readonly params: Readonly<Record<string, unknown>>;
}): Html =>
  html`<button form="${REPAIR_FORM}" name="repair" value="${JSON.stringify({ tool: endpoint.split('/').at(-1), ...params })}">${action} (${cost.replace(/ \(.*\)$/, '')})</button> <span class="small quiet">${gives}</span>`;

/** "It takes 150 dpi at least, 225 dpi is good." */
const needText = (message: string): string =>
  message.replace(/^.*; (\w)/, (_, letter: string) => letter.toUpperCase());

/** "A4", "148 × 210 mm" */
function paperText(size: string | undefined, { width, height }: { width: number; height: number }): string {
  const name = size ?? 'a4';
  if (/^a\d$/.test(name)) return name.toUpperCase();
  return name === 'letter' ? 'Letter' : `${width} × ${height} mm`;
}
