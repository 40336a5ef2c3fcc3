import { html } from 'hono/html';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Item } from '../../../core/html/browser/table_state.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { readAct } from '../../../features/workspaces/routes/index.ts';
import type { ActDetails } from '../../../features/workspaces/types.ts';
import { expectRun } from '../tools/expect_run.ts';
import { addressHere } from '../tools/result_html.ts';
import { paramsOrPlain } from '../tools/runnable.ts';
import { settingsAmong } from '../tools/settings.ts';
import { refusalOf } from '../tools/words.ts';
import { definePage, type Shown, type Visit } from '../types.ts';
import { branchesHtml } from './branches_html.ts';
import { failuresHtml } from './failures_html.ts';
import { foreseenHtml } from './foreseen_html.ts';
import { itemAddress } from './items_html.ts';
import { isComposing, jobsOf, selectionField } from './jobs.ts';
import { RUN_ITEMS_MAX, TABLE_FORM_BYTES_MAX } from './limits.ts';
import {
  jobsHtml,
  numbersIn,
  type OpenedTool,
  type Panel,
  quoteHtml,
  selectionHtml,
  toolHtml,
} from './panel_html.ts';
import { askTable, type OpenTable, openTable } from './read_table.ts';
import { tablesCookie } from './remembered_tables.ts';
import { type RunOutcome, runOnItems } from './run_tool.ts';
import { stepsHtml } from './steps_html.ts';
import { actStarted, DEEDS } from './table_forms.ts';
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
    const deed = Object.hasOwn(DEEDS, name) ? DEEDS[name] : undefined;
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
