import { html } from 'hono/html';
import {
  type Act,
  actFacts,
  authorText,
  type Comment,
  currentBranch,
  historyOf,
  undoneActs,
} from '../../../core/html/browser/table_state.ts';
import type { Html } from '../../../core/html/html_page.ts';
import type { AnyTool } from '../../../features/definitions/tool.ts';
import { itemAddress } from './items_html.ts';
import { ACTS_SHOWN_MAX } from './limits.ts';
import type { OpenTable } from './read_table.ts';
import { timeText, toolTitle } from './words.ts';

interface Around {
  readonly tools: readonly AnyTool[];
  readonly canWork: boolean;
  /** Path of the page, for forms without JavaScript. */
  readonly path: string;
}

/** History with authors and prices, undo, redo, branches and comments. */
export function historyHtml(table: OpenTable, around: Around): Html {
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
