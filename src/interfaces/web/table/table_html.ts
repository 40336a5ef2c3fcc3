import { html, raw } from 'hono/html';
import { UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import { CELL_PX, cellOf, frameOf, placesOf } from '../../../core/html/browser/table_plane.ts';
import {
  type Act,
  actFacts,
  authorText,
  type Comment,
  currentBranch,
  historyOf,
  shownItems,
  undoneActs,
} from '../../../core/html/browser/table_state.ts';
import type { Html } from '../../../core/html/html_page.ts';
import type { PageFileName } from '../../../core/html/page_files.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { accountForm } from '../tools/ticket.ts';
import type { Shown, Visit } from '../types.ts';
import { asideHtml, itemAddress, itemsHtml } from './items_html.ts';
import { ACTS_SHOWN_MAX, FIRST_IMAGES_MAX, FIRST_TILES_MAX } from './limits.ts';
import { addressWith, type Panel } from './panel_html.ts';
import type { OpenTable } from './read_table.ts';
import { timeText, toolTitle } from './words.ts';

/** Styles and scripts of the table page. */
const TABLE_FILES: readonly PageFileName[] = [
  'studio.css',
  'tool.css',
  'editor.css',
  'table.css',
  'copy.ts',
  'account.ts',
  'table.ts',
];

/** Scripts of tool forms, loaded with the first form if none is open initially. */
const FORM_FILES: readonly PageFileName[] = ['editor.ts', 'object_fields.ts', 'color_field.ts'];

/** Content security policy: images of this server and of chosen files (blob:). */
const TABLE_POLICY = { 'form-action': "'self'", 'img-src': "'self' blob:" };

interface Drawn {
  readonly panel: Panel;
  readonly panelHtml: Html;
  /** Preview stage of the open tool, if it has previews. */
  readonly stage: Html | undefined;
  readonly isToolOpen: boolean;
  readonly visit: Visit;
  /** The share dialog is open. */
  readonly isShareOnly: boolean;
  readonly status?: number;
}

/** Page layout: images left, table centre, tools right, history below. */
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
<div class="row actions"><a class="button" href="${path}/images.zip" download>Download all</a>${role === 'own' ? html`<details class="pop" id="share"${isShareOnly ? html` open` : ''}><summary class="button">Share</summary><div class="sheet-over">${shareHtml(table, path)}</div></details>` : ''}<button type="button" id="show-keys">Shortcuts</button></div></header>
<nav class="sheets" aria-label="Sheets"><button type="button" data-sheet="images">Images</button><button type="button" data-sheet="table" aria-current="true">Table</button><button type="button" data-sheet="tools">Tools</button></nav>
<section class="rail" aria-label="Images"><div class="rail-head"><h2 class="minor">Images <span class="quiet" id="count">${shownItems(state).length}</span></h2>${canWork ? addForm(path) : ''}</div>
<ul id="sending" hidden></ul>${itemsHtml(table, chosen)}${canWork ? html`${asideHtml('hidden', table, path)}${asideHtml('trash', table, path)}` : ''}</section>
<section class="centre" id="centre" aria-label="Table">${centreHtml(panel, stage)}</section>
${panelHtml}
${historyHtml(table, around)}
${stateData(table)}</at-table>${visit.visitor.wallet ? '' : accountForm(addressWith(panel))}`,
  };
}

/** Initial state for the scripts, which saves a request. */
function stateData({ state }: OpenTable): Html {
  const { workspace, items, acts, branches, comments, watchers } = state;
  const json = JSON.stringify({ workspace, items, acts, branches, comments, watchers });
  return html`<script type="application/json" id="state">${raw(json.replaceAll('<', '\\u003c'))}</script>`;
}

const renameForm = (title: string, path: string): Html =>
  html`<details class="pop" id="rename"><summary class="bare">Rename</summary><form method="post" action="${path}" class="sheet-over row"><label class="grow"><span class="unseen">Title</span><input name="title" value="${title}" maxlength="120" required autocomplete="off"></label><button name="do" value="rename">Rename</button></form></details>`;

const addForm = (path: string): Html =>
  html`<form method="post" action="${path}" enctype="multipart/form-data" id="add" class="row"><label class="button add">Add images<input type="file" name="files" accept="image/*" multiple class="file"></label><noscript><button name="do" value="add">Add</button></noscript></form>`;

/** Without JavaScript: the selected image, large. Scripts replace it with the table. */
function centreHtml({ table, selected, canWork }: Panel, stage: Html | undefined): Html {
  const [first] = selected;
  const isEmpty = shownItems(table.state).length === 0;
  const large =
    first && first.kind === 'image'
      ? html`<img class="large" src="${itemAddress(table.pass, first.item, 'large')}" width="${first.width ?? 1200}" height="${first.height ?? 900}" alt="${first.caption || first.name}" loading="lazy">`
      : '';
  return html`<div id="board" class="board-area">${firstViewHtml(table)}</div><div id="fill">${stage ?? large}</div>
<p class="empty-table" id="empty"${isEmpty ? '' : html` hidden`}><b class="lead">${canWork ? 'Drop images here' : 'No images yet'}</b>${canWork ? html`<span class="quiet">or paste them, or choose Add images</span>` : ''}</p>
<div class="board-bar" id="board-bar"></div>`;
}

const ROLES = [
  ['view', 'Can view', 'View images and history, download, follow changes live.'],
  ['work', 'Can edit', 'Also add images, run tools, undo, comment.'],
  ['own', 'Owner', 'Also rename, share and delete.'],
] as const;

/** Links to the table, each with a role. */
function shareHtml({ state }: OpenTable, path: string): Html {
  const links = state.links.filter(({ revoked }) => !revoked);
  const { owned, is_mine: isMine, expires_at: ends } = state.workspace;
  return html`<div class="share stack" id="share-links"><h2 class="minor">Share</h2>
<p class="small quiet">Anyone with a link can open this table with the role of the link, without an account. The URL of this page works only for you.</p>
<ul>${links.map(
    ({ link, role, name, url }) =>
      html`<li data-link="${link}"><label><span>${ROLES.find(([one]) => one === role)![1]}${name ? html` <small class="quiet">${name}</small>` : ''}</span><input value="${url}" readonly></label><div class="row"><button type="button" class="copy" hidden>Copy</button><form method="post" action="${path}"><input type="hidden" name="link" value="${link}"><button name="do" value="revoke">Revoke</button></form></div></li>`,
  )}</ul>
<form method="post" action="${path}" class="stack" id="share-form"><fieldset><legend>New link</legend>${ROLES.map(
    ([role, title, about], at) =>
      html`<label class="tick"><input type="radio" name="role" value="${role}"${at === 0 ? html` checked` : ''}><span><b>${title}</b> <span class="small quiet">${about}</span></span></label>`,
  )}</fieldset><label><span>Name of the link <small class="quiet">optional</small></span><input name="name" maxlength="40" autocomplete="off" placeholder="Anna"></label><button class="main" name="do" value="share">Create link</button></form>
${owned && isMine ? '' : html`<p class="small quiet">${owned ? '' : `This table belongs to no account. It is deleted ${ends ? `on ${ends.slice(0, 10)}` : 'after 7 days'} unless it changes before then.`}</p>${owned ? '' : html`<form method="post" action="${path}"><button name="do" value="claim">Add to my wallet</button></form>`}`}</div>`;
}

/** Table width in px up to which images are shown at nearly their own size. */
const NARROW_PX = 3 * CELL_PX;

/**
 * First view of the table before its scripts run: the first images, then plain rectangles. CSS scales it as `homeView` does; `Board`
 * removes it when its own tiles are drawn.
 */
function firstViewHtml({ state, pass }: OpenTable): Html {
  const items = shownItems(state);
  if (items.length === 0) return html``;
  const places = placesOf(
    items.map(({ item, x, y }) => ({
      id: String(item),
      ...(x !== null && y !== null && { at: { x, y } }),
    })),
  );
  const { left, top, width, height } = frameOf(places.values());
  const images = items.filter(({ kind }) => kind === 'image').slice(0, FIRST_TILES_MAX);
  const addresses = images
    .slice(0, FIRST_IMAGES_MAX)
    .map(({ item }) => itemAddress(pass, item, width > NARROW_PX ? 'tiny' : 'small'));
  const tiles = images.map((item, at) => {
    const { x, y } = places.get(String(item.item))!;
    const cell = cellOf(item);
    const box = html`x="${x + cell.left}" y="${y + cell.top}" width="${cell.width}" height="${cell.height}"`;
    return addresses[at] === undefined ? html`<rect ${box}/>` : html`<image href="${addresses[at]}" ${box}/>`;
  });
  // The preload scanner of browsers finds links but not images in SVG.
  const links = addresses.map((address) => html`<link rel="preload" as="image" href="${address}">`);
  return html`${links}<svg class="first-view" viewBox="${left} ${top} ${width} ${height}" width="${width}" height="${height}" aria-hidden="true">${tiles}</svg>`;
}

interface Around {
  readonly tools: readonly AnyTool[];
  readonly canWork: boolean;
  /** Path of the page, for forms without JavaScript. */
  readonly path: string;
}

/** History with authors and prices, undo, redo, branches and comments. */
function historyHtml(table: OpenTable, around: Around): Html {
  const { state } = table;
  const acts = historyOf(state).slice(-ACTS_SHOWN_MAX);
  const undone = undoneActs(state);
  return html`<section class="history" id="history" aria-labelledby="history-title"><div class="history-head"><h2 class="unseen" id="history-title">History</h2>${around.canWork ? undoHtml(table, around) : ''}${branchesHtml(table, around)}<a class="small" id="compare-branches" href="${around.path}?view=branches" data-view="branches"${state.branches.length > 1 ? '' : html` hidden`}>Compare branches</a></div>
<ol id="acts" tabindex="0" aria-label="Steps, oldest first">${acts.map((act) => actHtml(act, table, { isUndone: undone.has(act.act), tools: around.tools }))}</ol>
<template id="act-row">${actHtml(BLANK, table, { isUndone: false, tools: around.tools })}</template>
${commentsHtml(table, around)}</section>`;
}

function actHtml(
  act: Act,
  { pass, state }: OpenTable,
  { isUndone, tools }: { readonly isUndone: boolean; readonly tools: readonly AnyTool[] },
): Html {
  const made = state.items.find(({ item, kind }) => item === act.outputs[0] && kind === 'image');
  return html`<li data-act="${act.act}" data-state="${act.state}"${isUndone ? html` class="undone"` : ''}><a href="?act=${act.act}"><span class="thumb">${made ? html`<img src="${itemAddress(pass, made.item, 'tiny')}" width="48" height="48" alt="" loading="lazy" decoding="async">` : ''}</span><span class="words"><b class="name">${act.tool ? toolTitle(tools, act.tool) : ''}</b><span class="facts small quiet">${actFacts(act, isUndone)}</span></span></a></li>`;
}

const undoHtml = ({ state }: OpenTable, { path }: Around): Html => {
  const branch = currentBranch(state);
  const canUndo = branch !== undefined && branch.head !== null;
  const canRedo = branch !== undefined && branch.tip !== branch.head;
  return html`<form method="post" action="${path}" class="row" id="undo"><button name="do" value="undo"${canUndo ? '' : html` disabled`}>Undo</button><button name="do" value="redo"${canRedo ? '' : html` disabled`}>Redo</button></form>`;
};

function branchesHtml({ state }: OpenTable, { canWork, path }: Around): Html {
  const branches = state.branches.map(
    ({ branch, is_current: isCurrent }) =>
      html`<option value="${branch}"${isCurrent ? html` selected` : ''}>${branch}</option>`,
  );
  if (!canWork) return html`<p class="small quiet" id="branches">Branch ${state.workspace.branch}</p>`;
  return html`<form method="post" action="${path}" class="row branches" id="branches"><label><span class="unseen">Branch</span><select name="branch">${branches}</select></label><noscript><button name="do" value="switch">Switch</button></noscript><details class="new-branch"><summary>New branch</summary><div class="row"><label><span class="unseen">Name of the new branch</span><input name="name" maxlength="120" placeholder="Name" autocomplete="off"></label><button name="do" value="branch">Create</button></div></details></form>`;
}

function commentsHtml({ state }: OpenTable, { canWork, path }: Around): Html {
  const shown = state.comments.filter(({ deleted }) => !deleted);
  return html`<details class="comments" id="comments"><summary>Comments <span class="count">${shown.length || ''}</span></summary><ol id="comment-list">${shown.map(commentHtml)}</ol><template id="comment-row">${commentHtml(BLANK_COMMENT)}</template>
${canWork ? html`<form method="post" action="${path}" class="row" id="comment-form"><label class="grow"><span class="unseen">Comment</span><input name="text" maxlength="2000" required placeholder="Comment" autocomplete="off"></label><button name="do" value="comment">Comment</button></form>` : ''}</details>`;
}

const commentHtml = ({ comment, text, author, created_at: at, item }: Comment): Html =>
  html`<li data-comment="${comment}"><b class="name">${author.name && authorText(author)}</b> <time class="small quiet" datetime="${at}">${at && timeText(at)}</time><span class="about small quiet">${item === null ? '' : `on image ${item}`}</span><p class="text">${text}</p></li>`;

const NO_AUTHOR = { name: '', is_agent: false, is_you: false };
const BLANK: Act = {
  act: 0,
  tool: '',
  state: 'done',
  parent: null,
  inputs: [],
  outputs: [],
  author: NO_AUTHOR,
  credits: 0,
  error: null,
  started_at: '',
  ended_at: null,
};
const BLANK_COMMENT: Comment = {
  comment: 0,
  text: '',
  item: null,
  act: null,
  author: NO_AUTHOR,
  created_at: '',
  deleted: false,
};
