/** Lists of the table: images, history, comments and viewers. Rows are cloned from server-rendered templates. */
import {
  actFacts,
  authorText,
  type Comment,
  currentBranch,
  factsText,
  historyOf,
  type Item,
  type ShownSize,
  type TableState,
  undoneActs,
} from './table_state.ts';

/** Context for rendering rows. */
export interface RowContext {
  address(item: number, size: ShownSize): string;
  toolTitle(name: string): string;
}

const element = <E extends HTMLElement>(id: string): E | null => document.querySelector<E>(`#${id}`);

/** Orders rows and keeps existing ones, to preserve focus and images. */
function arrange(list: HTMLElement, rows: readonly HTMLElement[]): void {
  const wanted = new Set(rows);
  for (const row of [...list.children]) if (!wanted.has(row as HTMLElement)) row.remove();
  for (const [at, row] of rows.entries())
    if (list.children[at] !== row) list.insertBefore(row, list.children[at] ?? null);
}

/** The row of a number: the existing one, or a clone of the template. */
function rowsOf(list: HTMLElement, key: string, template: string): (number: number) => HTMLElement {
  const known = new Map(
    [...list.children].map((row) => [(row as HTMLElement).dataset[key], row as HTMLElement]),
  );
  const blank = element<HTMLTemplateElement>(template)!.content.firstElementChild!;
  return (number) => {
    const there = known.get(String(number));
    if (there) return there;
    const row = blank.cloneNode(true) as HTMLElement;
    row.dataset[key] = String(number);
    return row;
  };
}

/** Updates a text only if it differs, to avoid layout work. */
function put(row: Element, selector: string, text: string): void {
  const place = row.querySelector(selector);
  if (place && place.textContent !== text) place.textContent = text;
}

function thumb(row: HTMLElement, address: string | undefined, side: number): void {
  const place = row.querySelector('.thumb')!;
  const image = place.querySelector('img');
  if (!address) image?.remove();
  if (!address || image?.getAttribute('src') === address) return;
  const fresh = image ?? new Image(side, side);
  Object.assign(fresh, { alt: '', loading: 'lazy', decoding: 'async', src: address });
  if (!image) place.append(fresh);
}

export function drawItems(items: readonly Item[], context: RowContext): void {
  const list = element('items')!;
  const rowOf = rowsOf(list, 'item', 'item-row');
  const rows = items.map((item) => {
    const row = rowOf(item.item);
    row.querySelector('a')!.href = `?items=${item.item}`;
    put(row, '.name', item.name);
    put(row, '.facts', factsText(item));
    thumb(row, item.kind === 'image' ? context.address(item.item, 'tiny') : undefined, 56);
    return row;
  });
  arrange(list, rows);
  element('count')!.textContent = String(items.length);
}

/** Marks the selected images in the list and scrolls to the first newly selected one. */
export function markSelected(selected: ReadonlySet<number>): void {
  const list = element('items')!;
  for (const link of list.querySelectorAll('[aria-current]'))
    if (!selected.has(Number(link.parentElement!.dataset.item))) link.removeAttribute('aria-current');
  let isShown = false;
  for (const row of list.children) {
    const { item } = (row as HTMLElement).dataset;
    const link = row.firstElementChild!;
    if (!selected.has(Number(item)) || link.hasAttribute('aria-current')) continue;
    link.setAttribute('aria-current', 'true');
    if (!isShown) row.scrollIntoView({ block: 'nearest' });
    isShown = true;
  }
}

/** Lists of hidden and deleted images. */
export function drawAside(name: 'hidden' | 'trash', items: readonly Item[], context: RowContext): void {
  const [place, list] = [element(name), element(`${name}-list`)];
  if (!place || !list) return;
  const rowOf = rowsOf(list, name, `${name}-row`);
  const rows = items.map((item) => {
    const row = rowOf(item.item);
    put(row, '.name', item.name);
    thumb(row, item.kind === 'image' ? context.address(item.item, 'tiny') : undefined, 40);
    row.querySelector<HTMLInputElement>('[name=items]')!.value = String(item.item);
    return row;
  });
  arrange(list, rows);
  for (const count of place.querySelectorAll('.count')) count.textContent = String(items.length);
  place.hidden = items.length === 0;
}

export function drawHistory(state: TableState, context: RowContext, acts = historyOf(state)): void {
  const list = element('acts')!;
  const undone = undoneActs(state);
  const isAtEnd = list.scrollLeft + list.clientWidth >= list.scrollWidth - 8;
  const rowOf = rowsOf(list, 'act', 'act-row');
  const rows = acts.map((act) => {
    const row = rowOf(act.act);
    row.dataset.state = act.state;
    row.classList.toggle('undone', undone.has(act.act));
    row.querySelector('a')!.href = `?act=${act.act}`;
    put(row, '.name', context.toolTitle(act.tool));
    put(row, '.facts', actFacts(act, undone.has(act.act)));
    const made = state.items.find(({ item, kind }) => item === act.outputs[0] && kind === 'image');
    thumb(row, made && context.address(made.item, 'tiny'), 48);
    return row;
  });
  arrange(list, rows);
  if (isAtEnd) list.scrollLeft = list.scrollWidth;
  drawBranch(state);
}

function drawBranch(state: TableState): void {
  const branch = currentBranch(state);
  const [undo, redo] = document.querySelectorAll<HTMLButtonElement>('#undo button');
  if (undo) undo.disabled = branch === undefined || branch.head === null;
  if (redo) redo.disabled = branch === undefined || branch.head === branch.tip;
  element('compare-branches')!.hidden = state.branches.length < 2;
  const select = document.querySelector<HTMLSelectElement>('#branches select');
  if (!select) return;
  const names = state.branches.map((one) => one.branch);
  if ([...select.options].map(({ value }) => value).join('\n') !== names.join('\n'))
    select.replaceChildren(...names.map((name) => new Option(name, name)));
  if (branch) select.value = branch.branch;
}

export function drawComments(comments: readonly Comment[]): void {
  const list = element('comment-list')!;
  const shown = comments.filter(({ deleted }) => !deleted);
  const rowOf = rowsOf(list, 'comment', 'comment-row');
  const rows = shown.map((comment) => {
    const row = rowOf(comment.comment);
    put(row, '.name', authorText(comment.author));
    put(row, '.text', comment.text);
    put(row, '.about', comment.item === null ? '' : ` on image ${comment.item}`);
    const time = row.querySelector('time')!;
    time.dateTime = comment.created_at;
    put(
      row,
      'time',
      new Date(comment.created_at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }),
    );
    return row;
  });
  arrange(list, rows);
  put(element('comments')!, '.count', shown.length > 0 ? String(shown.length) : '');
}

export function drawWatchers(watchers: TableState['watchers']): void {
  const others = watchers.filter(({ is_you: isYou }) => !isYou).map(authorText);
  element('watchers')!.textContent = others.length > 0 ? `Viewing: ${[...new Set(others)].join(', ')}` : '';
}
