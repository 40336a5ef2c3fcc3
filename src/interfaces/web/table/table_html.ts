import { html, raw } from 'hono/html';
import { UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import { shownItems } from '../../../core/html/browser/table_state.ts';
import type { Html } from '../../../core/html/html_page.ts';
import type { PageFileName } from '../../../core/html/page_files.ts';
import { accountForm } from '../tools/ticket.ts';
import type { Shown, Visit } from '../types.ts';
import { firstViewHtml } from './first_view_html.ts';
import { historyHtml } from './history_html.ts';
import { asideHtml, itemAddress, itemsHtml } from './items_html.ts';
import { addressWith, type Panel } from './panel_html.ts';
import type { OpenTable } from './read_table.ts';
import { shareHtml } from './share_html.ts';

/** Styles and programs of the table; the editors of tools are among them. */
export const TABLE_FILES: readonly PageFileName[] = [
  'studio.css',
  'tool.css',
  'editor.css',
  'table.css',
  'copy.ts',
  'account.ts',
  'table.ts',
];

/** Programs of the forms of tools; the page loads them with the first form, where none is open at the beginning. */
const FORM_FILES: readonly PageFileName[] = ['editor.ts', 'object_fields.ts', 'color_field.ts'];

/** Programs show images of the table and of files that were just chosen, and the server is asked for the rest. */
export const TABLE_POLICY = { 'form-action': "'self'", 'img-src': "'self' blob:" };

interface Drawn {
  readonly panel: Panel;
  readonly panelHtml: Html;
  /** Of a tool with previews; absent: none is opened. */
  readonly stage: Html | undefined;
  readonly isToolOpen: boolean;
  readonly visit: Visit;
  /** Opened for its links: they stand first. */
  readonly isShareOnly: boolean;
  readonly status?: number;
}

/** The page: images left, the table in the middle, tools right, history below. */
export function tableHtml({ panel, panelHtml, stage, isToolOpen, visit, isShareOnly, status }: Drawn): Shown {
  const { table, path, canWork, selected } = panel;
  const { state, pass } = table;
  const { title, role } = state.workspace;
  const chosen = new Set(selected.map(({ item }) => item));
  const titles = Object.fromEntries(visit.studio.tools.map((tool) => [tool.name, tool.title]));
  const around = { tools: visit.studio.tools, canWork, path };
  return {
    title,
    summary: 'Images, tools and history on one page, shared by people and agents.',
    shape: 'window',
    // Editors draw a part of the form: the page is painted after them.
    files: isToolOpen ? [...TABLE_FILES, ...FORM_FILES] : TABLE_FILES,
    policy: TABLE_POLICY,
    ...(status !== undefined && { status }),
    heading: html``,
    body: html`<at-table class="table" data-id="${path.slice('/table/'.length)}" data-path="${path}" data-pass="${pass}" data-role="${role}" data-bytes="${UPLOAD_BYTES_MAX}" data-titles="${JSON.stringify(titles)}" data-sheet="table"${stage ? html` data-mode="stage"` : ''}>
<header class="table-bar"><h1 id="title">${title}</h1>${role === 'own' ? renameForm(title, path) : ''}<p id="watchers" class="small quiet"></p><p role="status" id="said" class="small"></p>
<div class="row actions"><a class="button" href="${path}/images.zip" download>Download all</a>${role === 'own' ? html`<details class="pop" id="share"${isShareOnly ? html` open` : ''}><summary class="button">Share</summary><div class="sheet-over">${shareHtml(table, path)}</div></details>` : ''}<button type="button" id="show-keys">Keys</button></div></header>
<nav class="sheets" aria-label="Sheets"><button type="button" data-sheet="images">Images</button><button type="button" data-sheet="table" aria-current="true">Table</button><button type="button" data-sheet="tools">Tools</button></nav>
<section class="rail" aria-label="Images"><div class="rail-head"><h2 class="minor">Images <span class="quiet" id="count">${shownItems(state).length}</span></h2>${canWork ? addForm(path) : ''}</div>
<ul id="sending" hidden></ul>${itemsHtml(table, chosen)}${canWork ? html`${asideHtml('hidden', table, path)}${asideHtml('trash', table, path)}` : ''}</section>
<section class="centre" id="centre" aria-label="Table">${centreHtml(panel, stage)}</section>
${panelHtml}
${historyHtml(table, around)}
${stateData(table)}</at-table>${visit.visitor.wallet ? '' : accountForm(addressWith(panel))}`,
  };
}

/** The state that the page was drawn from, for its programs: they need not ask for it. */
function stateData({ state }: OpenTable): Html {
  const { workspace, items, acts, branches, comments, watchers } = state;
  const json = JSON.stringify({ workspace, items, acts, branches, comments, watchers });
  return html`<script type="application/json" id="state">${raw(json.replaceAll('<', '\\u003c'))}</script>`;
}

const renameForm = (title: string, path: string): Html =>
  html`<details class="pop" id="rename"><summary class="bare">Rename</summary><form method="post" action="${path}" class="sheet-over row"><label class="grow"><span class="unseen">Title</span><input name="title" value="${title}" maxlength="120" required autocomplete="off"></label><button name="do" value="rename">Rename</button></form></details>`;

const addForm = (path: string): Html =>
  html`<form method="post" action="${path}" enctype="multipart/form-data" id="add" class="row"><label class="button add">Add images<input type="file" name="files" accept="image/*" multiple class="file"></label><noscript><button name="do" value="add">Send</button></noscript></form>`;

/** Without programs: the one image that is selected, large. Programs put the table in its place. */
function centreHtml({ table, selected, canWork }: Panel, stage: Html | undefined): Html {
  const [first] = selected;
  const isEmpty = shownItems(table.state).length === 0;
  const large =
    first && first.kind === 'image'
      ? html`<img class="large" src="${itemAddress(table.pass, first.item, 'large')}" width="${first.width ?? 1200}" height="${first.height ?? 900}" alt="${first.caption || first.name}" loading="lazy">`
      : '';
  return html`<div id="board" class="board-area">${firstViewHtml(table)}</div><div id="fill">${stage ?? large}</div>
<p class="empty-table" id="empty"${isEmpty ? '' : html` hidden`}><b class="lead">${canWork ? 'Drop images here' : 'No images yet'}</b>${canWork ? html`<span class="quiet">or paste them, or press Add images</span>` : ''}</p>
<div class="board-bar" id="board-bar"></div>`;
}
