import { html } from 'hono/html';
import { type Act, type Branch, imageAt } from '../../../core/html/browser/table_state.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { compareActs } from '../../../features/workspaces/routes/index.ts';
import type { Difference } from '../../../features/workspaces/types.ts';
import { creditsLabel } from '../frame.ts';
import type { Visit } from '../types.ts';
import { itemAddress } from './items_html.ts';
import { addressWith, type Panel } from './panel_html.ts';
import { askTable } from './read_table.ts';
import { toolTitle } from './words.ts';

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
export async function branchesHtml(
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
