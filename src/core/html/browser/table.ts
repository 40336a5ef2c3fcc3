/** Table page: selection, view and changes by this visitor and others. */

import { postToServer } from './post_to_server.ts';
import { pressable } from './pressable.ts';
import { Board } from './table_board.ts';
import { areAlike, showFill } from './table_fill.ts';
import { takeForms } from './table_forms.ts';
import { Intake } from './table_intake.ts';
import { listenToKeys } from './table_keys.ts';
import {
  drawAside,
  drawComments,
  drawHistory,
  drawItems,
  drawWatchers,
  markSelected,
  type RowContext,
} from './table_lists.ts';
import { followTable } from './table_live.ts';
import { Panel } from './table_panel.ts';
import { onTable } from './table_plane.ts';
import { Runs, type RunsResult } from './table_runs.ts';
import {
  type Act,
  type Author,
  authorText,
  type Change,
  hiddenItems,
  type Item,
  movedActs,
  shownItems,
  type TableState,
  trashedItems,
} from './table_state.ts';

/** Debounce time of the panel while the selection changes. */
const PANEL_WAIT_MS = 60;
const ANNOUNCED_MS = 6_000;
/** Time until a lost connection is reported; planned reconnects take less. */
const RECONNECT_MS = 4_000;
/** Items per request. */
const EDITS_MAX = 200;
/** Remaining images of a batch are started once at most this many of its runs are active. */
const LEFT_STARTS_BELOW = 5;

/** Content over the table: none, one image, two with a slider, or the stage of a tool. */
type Mode = 'board' | 'open' | 'compare' | 'stage';

/** Names of the compared branches. */
const sidesIn = (query: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries([...query].filter(([name]) => name === 'a' || name === 'b'));

export class Table extends HTMLElement {
  state!: TableState;
  items: readonly Item[] = [];
  selected: readonly number[] = [];
  mode: Mode = 'board';
  board!: Board;
  panel!: Panel;
  intake!: Intake;
  /** Runs started on this page; their results are selected. */
  runs = new Runs();
  waiting = 0;
  silence = 0;
  fill = document.querySelector<HTMLElement>('#fill')!;

  connectedCallback() {
    const { pass = '', path = '', id = '', bytes = '0' } = this.dataset;
    const boardPlace = this.querySelector<HTMLElement>('#board')!;
    this.board = new Board(boardPlace, {
      address: (item, size) => this.context.address(item, size),
      canWork: this.canWork,
      select: (items) => this.select(items),
      open: (item) => this.open(item),
      move: (places) => void this.edit(places),
      viewed: (zoom) => this.showZoom(zoom),
    });
    this.panel = new Panel({
      path,
      id,
      fill: this.fill,
      staged: (isStaged) => this.staged(isStaged),
      say: (text, hasFailed) => this.say(text, hasFailed),
      ran: (acts, title, left) => this.ran(acts, title, left),
      open: (tool) => this.openTool(tool),
      drawn: () => this.showTips(),
    });
    this.intake = new Intake({
      address: `/api/workspaces/${pass}`,
      bytesMax: Number(bytes),
      added: (items) => this.added(items),
      settled: () => this.selectArrived(),
      say: (text) => this.say(text),
    });
    this.addBar();
    this.addSheets();
    this.listen();
    takeForms(this);
    listenToKeys(this);
    this.start();
  }

  get address(): string {
    return `/api/workspaces/${this.dataset.pass}`;
  }

  get canWork(): boolean {
    return this.dataset.role !== 'view';
  }

  context: RowContext = {
    address: (item, size) => `${this.address}/items/${item}/file?size=${size}`,
    toolTitle: (name) => this.toolTitle(name),
  };

  titles: Readonly<Record<string, string>> = JSON.parse(this.dataset.titles ?? '{}');

  toolTitle(name: string): string {
    const words = name.replaceAll('_', ' ');
    return this.titles[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
  }

  start() {
    const query = new URLSearchParams(location.search);
    this.state = JSON.parse(this.querySelector('#state')!.textContent!);
    this.panel.tool = query.get('tool') ?? undefined;
    this.panel.act = Number(query.get('act')) || undefined;
    this.panel.view = query.get('view') ?? undefined;
    this.panel.failed = (query.get('failed') ?? '').split(',').map(Number).filter(Boolean);
    this.panel.sides = sidesIn(query);
    // The server rendered the lists from this state.
    this.items = shownItems(this.state);
    this.board.setItems(this.items);
    drawHistory(this.state, this.context);
    drawComments(this.state.comments);
    const items = (query.get('items') ?? '').split(',').map(Number);
    this.selected = items.filter((number) => this.items.some(({ item }) => item === number));
    this.board.setSelected(this.selected);
    this.panel.items = this.selected;
    markSelected(new Set(this.selected));
    if (this.querySelector('#fill at-stage')) this.setMode('stage');
    this.showTips();
    if (this.panel.tool || this.panel.act) this.showSheet('tools');
    this.bar();
    followTable({
      address: this.address,
      state: this.state,
      changed: (state, change) => this.changed(state, change),
      reset: (state) => {
        this.state = state;
        this.drawAll();
      },
      watchers: drawWatchers,
      closed: () => this.say('This table was closed or its link was revoked.', true),
      connected: (isConnected) => this.sayConnected(isConnected),
    });
    this.panel.takeUp();
    this.dataset.ready = '';
  }

  /** Timer while the stream is disconnected; 0: connected. */
  lost = 0;
  isOffline = false;

  sayConnected(isConnected: boolean) {
    if (!isConnected) {
      this.lost ||= setTimeout(() => {
        this.isOffline = true;
        this.say('No connection to the server. Reconnecting.', true);
      }, RECONNECT_MS);
      return;
    }
    clearTimeout(this.lost);
    this.lost = 0;
    if (this.isOffline) this.say('Reconnected');
    this.isOffline = false;
  }

  drawAll() {
    this.items = shownItems(this.state);
    this.selected = this.selected.filter((number) => this.items.some(({ item }) => item === number));
    this.querySelector<HTMLElement>('#empty')!.hidden = this.items.length > 0;
    this.board.setItems(this.items);
    this.drawItems();
    drawAside('hidden', hiddenItems(this.state), this.context);
    drawAside('trash', trashedItems(this.state), this.context);
    drawHistory(this.state, this.context);
    drawComments(this.state.comments);
    const title = this.querySelector('#title')!;
    if (title.textContent !== this.state.workspace.title) title.textContent = this.state.workspace.title;
  }

  /** Images of the last drop, selected once they are on the table. */
  arriving: number[] = [];

  added(items: readonly Item[]) {
    this.arriving.push(...items.map(({ item }) => item));
    this.selectArrived();
  }

  selectArrived() {
    const here = this.arriving.filter((number) => this.items.some(({ item }) => item === number));
    if (here.length === 0 || here.length < this.arriving.length) return;
    if (!this.intake.isBusy) this.arriving = [];
    this.board.setSelected(here);
    this.select(here);
  }

  drawItems() {
    drawItems(this.items, this.context);
    markSelected(new Set(this.selected));
  }

  /** Handles a change by this visitor or another. */
  changed(state: TableState, change: Change) {
    const { selected: before, state: stateBefore } = this;
    this.state = state;
    this.drawAll();
    const { kind, act } = change;
    // First, because it clears the panel, where ended runs show their selection and failures.
    if (before.length !== this.selected.length) this.select(this.selected);
    if (act && act.state !== 'running' && change.by.is_you) this.ended(act);
    if (kind === 'items_added' && this.arriving.length > 0) this.selectArrived();
    this.announce(change, stateBefore);
  }

  /** Handles the end of a run. */
  ended(act: Act) {
    if (!this.runs.ended(act)) return;
    const { done, total, title, isBusy, awaited } = this.runs;
    if (isBusy && total > 1) this.say(`${title}: ${done} of ${total} done`);
    if (awaited.size <= LEFT_STARTS_BELOW) void this.panel.goOn();
    this.showResult();
  }

  /** Shows results and failures once all runs have ended. */
  showResult() {
    const result = this.runs.result();
    if (!result) return;
    const { made, between, failed, total, last } = result;
    this.sayResult(result);
    if (between.length > 0) void this.edit(between.map((item) => ({ item, hidden: true })));
    const images = made.filter((number) => this.items.some(({ item }) => item === number));
    if (images.length > 0) this.showMade(images, last, total);
    else if (total === 1) this.look((failed[0] ?? last).act);
    else this.leaveTool();
    if (total > 1 && failed.length > 0) this.showFailed(failed);
    else if (total > 1 && images.length === 0) this.look(last.act);
  }

  sayResult({ failed, total, title }: RunsResult) {
    const [first] = failed;
    if (!first) this.say(total === 1 ? `${title}: done` : `${title}: all ${total} done`);
    else if (total === 1) this.say(`${title} failed: ${first.error?.detail ?? ''}`, true);
    else this.say(`${title}: ${total - failed.length} done, ${failed.length} failed`, true);
  }

  showFailed(failed: readonly Act[]) {
    this.panel.act = undefined;
    this.panel.failed = failed.map(({ act }) => act);
    this.refresh();
    this.showSheet('tools');
  }

  /** @param runs number of runs; the response is shown only for a single run */
  showMade(images: readonly number[], { act, inputs }: Act, runs: number) {
    this.leaveTool();
    this.select(images);
    if (images.length > 1 && runs === 1) this.panel.act = act;
    this.board.setSelected(images, true);
    const made = this.items.find(({ item }) => item === images[0]);
    if (this.wasFilled && images.length === 1 && made?.kind === 'image') this.open(images[0]!, inputs[0]);
  }

  /** Whether an image was open when the last run started. */
  wasFilled = false;

  /** @param left number of images whose runs start later */
  ran(acts: readonly number[], title: string, left = 0) {
    this.runs.started(acts, { title, left });
    this.wasFilled = this.mode !== 'board';
    const { total, done } = this.runs;
    this.say(total === 1 ? `${title}: running` : `${title}: ${done} of ${total} done`);
    // Some may have ended before the response arrived.
    for (const act of this.state.acts)
      if (this.runs.awaited.has(act.act) && act.state !== 'running') this.ended(act);
    this.showResult();
  }

  leaveTool() {
    this.panel.tool = undefined;
    this.panel.act = undefined;
    this.panel.failed = [];
    if (this.mode === 'stage') this.setMode('board');
  }

  select(items: readonly number[]) {
    this.selected = items;
    this.panel.items = items;
    this.panel.act = undefined;
    this.panel.view = undefined;
    this.panel.failed = [];
    markSelected(new Set(items));
    this.bar();
    if (this.mode === 'open' || this.mode === 'compare') this.setMode('board');
    this.refresh();
  }

  /** The panel follows the selection. */
  refresh() {
    this.panel.hold();
    this.remember();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.panel.show(), PANEL_WAIT_MS);
  }

  /** Updates the URL to restore this state. */
  remember() {
    const query = this.panel.query.toString().replaceAll('%2C', ',');
    history.replaceState(null, '', query ? `?${query}` : location.pathname);
  }

  /** Shows the response of an act. */
  look(act: number) {
    this.panel.tool = undefined;
    this.panel.view = undefined;
    this.panel.act = act;
    if (this.mode === 'stage') this.setMode('board');
    this.remember();
    void this.panel.show();
    this.showSheet('tools');
  }

  openTool(name: string | undefined, view?: string) {
    this.panel.tool = name;
    this.panel.act = undefined;
    this.panel.view = view;
    if (!name && this.mode === 'stage') this.setMode('board');
    this.remember();
    void this.panel.show().then(() => {
      if (name || view) this.panel.focus();
    });
  }

  staged(isStaged: boolean) {
    if (isStaged) this.setMode('stage');
    else if (this.mode === 'stage') this.setMode('board');
  }

  setMode(mode: Mode) {
    if (mode === 'board') this.fill.replaceChildren();
    this.mode = mode;
    this.dataset.mode = mode;
    this.bar();
  }

  /** Opens one image, with its source under a slider. */
  open(number: number, source = this.sourceOf(number)) {
    const item = this.items.find((one) => one.item === number);
    if (item?.kind !== 'image') return;
    if (this.mode === 'stage') this.leaveTool();
    const before = this.state.items.find((one) => one.item === source && one.kind === 'image');
    this.setMode('open');
    this.showPair(item, before && areAlike(item, before) ? before : undefined);
    this.showSheet('table');
  }

  sourceOf(number: number): number | undefined {
    const item = this.items.find((one) => one.item === number);
    return this.state.acts.find(({ act }) => act === item?.act)?.inputs[0];
  }

  compare() {
    // The older image is on the left.
    const [first, second] = this.items.filter(({ item }) => this.selected.includes(item));
    if (!first || !second) return;
    this.setMode('compare');
    this.showPair(second, first);
  }

  /** Overlays the latest images of the two compared branches. */
  showTips() {
    const tips = this.querySelector<HTMLElement>('#tips');
    if (!tips) return;
    const [before, after] = [tips.dataset.before, tips.dataset.after].map((number) =>
      this.state.items.find(({ item }) => item === Number(number)),
    );
    if (!before || !after || before === after) return;
    this.setMode('compare');
    const { a = '', b = '' } = Object.fromEntries(
      [...this.querySelectorAll<HTMLSelectElement>('#sides select')].map(({ name, value }) => [name, value]),
    );
    this.showPair(after, before, [a, b]);
  }

  showPair(item: Item, before: Item | undefined, titles?: readonly [string, string]) {
    showFill(item, before, {
      titles,
      place: this.fill,
      address: this.context.address,
      close: () => this.back(),
    });
  }

  back() {
    if (this.mode === 'stage') this.openTool(undefined);
    this.setMode('board');
    this.board.element.focus({ preventScroll: true });
  }

  /** Edits items; the resulting event redraws them. */
  async edit(items: readonly object[]) {
    for (let at = 0; at < items.length; at += EDITS_MAX)
      await this.post('items/edit', { items: items.slice(at, at + EDITS_MAX) });
  }

  async setAside(how: { readonly hidden: true } | { readonly deleted: true }) {
    const items = this.selected.map((item) => ({ item, ...how }));
    if (items.length > 0 && this.canWork) await this.edit(items);
  }

  /** Sends a change of the table. @returns the response, or undefined after an error, which is announced */
  async post<Answer>(path: string, body: object): Promise<Answer | undefined> {
    try {
      return await postToServer<Answer>(`${this.address}/${path}`, body);
    } catch (error) {
      this.say((error as Error).message.replaceAll('`', ''), true);
      return undefined;
    }
  }

  /** Announces a text in the live region; successes disappear after ANNOUNCED_MS. */
  say(text: string, hasFailed = false) {
    const said = this.querySelector<HTMLElement>('#said')!;
    said.textContent = text;
    said.classList.toggle('bad', hasFailed);
    clearTimeout(this.silence);
    if (!hasFailed)
      this.silence = setTimeout(() => {
        said.textContent = '';
      }, ANNOUNCED_MS);
  }

  announce({ kind, by, act, items, comment, branch }: Change, before: TableState) {
    if (kind === 'branch_moved' && this.announceMove(by, before)) return;
    if (by.is_you && !by.is_agent) return;
    const who = authorText(by);
    if (kind === 'items_added') this.say(`${who} added ${items?.length ?? 0}`);
    else if (act && kind !== 'act_moved') this.say(`${who}: ${this.toolTitle(act.tool)}, ${act.state}`);
    else if (comment && !comment.deleted) this.say(`${who} commented: ${comment.text.slice(0, 80)}`);
    else if (kind === 'branch_moved' && branch) this.say(`${who} changed the branch ${branch.branch}`);
  }

  /** Announces undone or redone acts. @returns whether there were any */
  announceMove(by: Author, before: TableState): boolean {
    const { deed, acts } = movedActs(before, this.state);
    const titles = acts.map(({ tool }) => this.toolTitle(tool));
    if (titles.length === 0) return false;
    const who = by.is_you && !by.is_agent ? '' : ` by ${authorText(by)}`;
    this.say(`${deed === 'undone' ? 'Undone' : 'Redone'}${who}: ${titles.join(', ')}`);
    return true;
  }

  addBar() {
    const bar = this.querySelector<HTMLElement>('#board-bar')!;
    const button = (text: string, label: string, press: () => void, key: string) => {
      const made = pressable(text, press);
      made.setAttribute('aria-label', label);
      made.dataset.press = key;
      return made;
    };
    const zoom = document.createElement('output');
    zoom.id = 'zoom';
    bar.append(
      button('−', 'Zoom out', () => this.board.zoom(1 / 1.25), 'out'),
      zoom,
      button('+', 'Zoom in', () => this.board.zoom(1.25), 'in'),
      button('Fit', 'Fit all images', () => this.board.fit(), 'fit'),
      button('Open', 'Open the selected image', () => this.open(this.selected[0]!), 'open'),
      button('Compare', 'Compare the two selected images', () => this.compare(), 'compare'),
    );
    this.bar();
  }

  bar() {
    const button = (key: string) => this.querySelector<HTMLButtonElement>(`#board-bar [data-press=${key}]`);
    const [open, compare] = [button('open'), button('compare')];
    if (open) open.disabled = this.selected.length !== 1;
    if (compare) compare.disabled = this.selected.length !== 2;
  }

  showZoom(zoom: number) {
    const output = this.querySelector('#zoom');
    if (output) output.textContent = `${Math.round(zoom * 100)}%`;
  }

  addSheets() {
    for (const button of this.querySelectorAll<HTMLButtonElement>('.sheets button'))
      button.addEventListener('click', () => this.showSheet(button.dataset.sheet!));
  }

  /** On small screens only one of three sheets is visible. */
  showSheet(name: string) {
    this.dataset.sheet = name;
    for (const button of this.querySelectorAll('.sheets button'))
      if ((button as HTMLElement).dataset.sheet === name) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
  }

  listen() {
    this.addEventListener('click', (event) => this.follow(event));
    for (const name of ['dragover', 'dragleave', 'drop'] as const)
      document.addEventListener(name, (event) => this.dragFiles(event));
    document.addEventListener('paste', (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0 && this.canWork) this.intake.take(files);
    });
    this.addEventListener('change', ({ target }) => {
      const form = (target as Element).closest<HTMLFormElement>('#sides');
      if (!form) return;
      this.panel.sides = sidesIn(new URLSearchParams(new FormData(form) as never));
      this.openTool(undefined, 'branches');
    });
    this.querySelector<HTMLInputElement>('#add input')?.addEventListener('change', ({ target }) => {
      const input = target as HTMLInputElement;
      this.intake.take([...(input.files ?? [])]);
      input.value = '';
    });
  }

  dragFiles(event: DragEvent) {
    if (!event.dataTransfer?.types.includes('Files') || !this.canWork) return;
    event.preventDefault();
    this.classList.toggle('over', event.type === 'dragover');
    if (event.type !== 'drop') return;
    const { left, top } = this.board.element.getBoundingClientRect();
    const isOnBoard = (event.target as Element).closest('#board') !== null;
    const at = onTable(this.board.view, { x: event.clientX - left - 60, y: event.clientY - top - 60 });
    this.intake.take(
      [...event.dataTransfer.files],
      isOnBoard ? { x: Math.round(at.x), y: Math.round(at.y) } : undefined,
    );
  }

  /** Links of the lists and the panel act in place; with a modifier key they open normally. */
  follow(event: MouseEvent) {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (!link || event.defaultPrevented || event.button !== 0) return;
    const item = Number(link.closest<HTMLElement>('#items [data-item]')?.dataset.item);
    const act = Number(link.closest<HTMLElement>('#acts [data-act]')?.dataset.act);
    const { tool, view } = link.dataset;
    if (!item && !act && !tool && !view && !link.matches('.back')) return;
    if (event.altKey || (!item && (event.ctrlKey || event.metaKey || event.shiftKey))) return;
    event.preventDefault();
    if (item) this.choose(item, event.ctrlKey || event.metaKey, event.shiftKey);
    else if (act) this.look(act);
    else this.openTool(tool, view);
  }

  /** Click in the list: single, toggle or range selection. */
  choose(item: number, adds: boolean, isRange: boolean) {
    const last = this.selected.at(-1);
    const numbers = this.items.map((one) => one.item);
    let next: readonly number[] = [item];
    if (adds)
      next = this.selected.includes(item)
        ? this.selected.filter((one) => one !== item)
        : [...this.selected, item];
    else if (isRange && last !== undefined) {
      const [from, to] = [numbers.indexOf(last), numbers.indexOf(item)].toSorted((a, b) => a - b);
      next = [...new Set([...this.selected, ...numbers.slice(from, to! + 1)])];
    }
    this.board.setSelected(next, true);
    this.select(next);
  }
}

customElements.define('at-table', Table);
