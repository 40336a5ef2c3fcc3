import { html } from 'hono/html';
import {
  factsText,
  hiddenItems,
  type Item,
  type ShownSize,
  shownItems,
  trashedItems,
} from '../../../core/html/browser/table_state.ts';
import type { Html } from '../../../core/html/html_page.ts';
import type { OpenTable } from './read_table.ts';

/** URL of the file of an item, for pages and scripts. */
export const itemAddress = (pass: string, item: number, size: 'full' | ShownSize): string =>
  `/api/workspaces/${pass}/items/${item}/file?size=${size}`;

/** The list of images; scripts update it from its template. */
export const itemsHtml = ({ state, pass }: OpenTable, selected: ReadonlySet<number>): Html =>
  html`<ul id="items">${shownItems(state).map((item) => itemHtml(item, pass, selected.has(item.item)))}</ul>
<template id="item-row">${itemHtml(BLANK, '', false)}</template>`;

/** Lists of hidden and deleted images with a button to restore each. */
const ASIDES = {
  hidden: { title: 'Hidden', of: hiddenItems, deed: 'unhide', label: 'Show' },
  trash: { title: 'Trash', of: trashedItems, deed: 'restore', label: 'Restore' },
} as const;

/** Hidden or deleted images; an owner can empty the trash. */
export function asideHtml(name: keyof typeof ASIDES, { state, pass }: OpenTable, path: string): Html {
  const { title, of } = ASIDES[name];
  const items = of(state);
  const row = (item: Item) => asideRow(name, item, { pass, path });
  return html`<details class="hidden-items" id="${name}"${items.length === 0 ? html` hidden` : ''}><summary class="small">${title} <span class="count">${items.length}</span></summary><ul id="${name}-list">${items.map(row)}</ul><template id="${name}-row">${asideRow(name, BLANK, { pass: '', path })}</template>${name === 'trash' && state.workspace.role === 'own' ? emptyForm(path, items.length) : ''}</details>`;
}

function asideRow(
  name: keyof typeof ASIDES,
  item: Item,
  { pass, path }: { pass: string; path: string },
): Html {
  const { deed, label } = ASIDES[name];
  return html`<li data-${name}="${item.item}"><form method="post" action="${path}" class="row"><input type="hidden" name="items" value="${item.item}"><span class="thumb">${thumbHtml(item, pass, 40)}</span><span class="name small">${item.name}</span><button name="do" value="${deed}" class="bare small">${label}</button></form></li>`;
}

const emptyForm = (path: string, count: number): Html =>
  html`<details class="small empty-trash"><summary>Empty trash</summary><form method="post" action="${path}" class="stack-small"><p>Permanently delete all files in the trash (<span class="count">${count}</span>)? You cannot undo this.</p><button name="do" value="empty">Delete permanently</button></form></details>`;

function thumbHtml({ kind, item }: Item, pass: string, side: number): Html {
  if (pass === '' || kind === 'file') return html``;
  return html`<img src="${itemAddress(pass, item, 'tiny')}" width="${side}" height="${side}" alt="" loading="lazy" decoding="async">`;
}

/** Slots are filled by `table_lists.ts`. */
function itemHtml(item: Item, pass: string, isSelected: boolean): Html {
  return html`<li data-item="${item.item}"><a href="?items=${item.item}"${isSelected ? html` aria-current="true"` : ''}><span class="thumb">${thumbHtml(item, pass, 56)}</span><span class="words"><b class="name">${item.name}</b><span class="facts small quiet">${factsText(item)}</span></span></a></li>`;
}

const BLANK: Item = {
  item: 0,
  kind: 'image',
  name: '',
  caption: '',
  x: null,
  y: null,
  hidden: false,
  deleted: false,
  act: null,
  media_type: 'image/png',
  bytes: 0,
  width: null,
  height: null,
  author: { name: '', is_agent: false, is_you: false },
};
