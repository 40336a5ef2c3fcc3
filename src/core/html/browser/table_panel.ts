/** Right panel: server-rendered actions for the selection, and tool runs. */
import './compare.ts';
import { showBalance } from './balance.ts';
import { jsonIn } from './item_values.ts';
import { wordsInPage } from './words_in_page.ts';

interface Options {
  /** Path of the page. */
  readonly path: string;
  readonly id: string;
  /** Container for a stage with a live preview. */
  readonly fill: HTMLElement;
  /** Called when the stage of a tool is opened or closed. */
  staged(isStaged: boolean): void;
  say(text: string, hasFailed?: boolean): void;
  /** Runs were started. @param title name of the tool @param left number of images whose runs start later */
  ran(acts: readonly number[], title: string, left: number): void;
  /** Opens a tool to show what is missing. */
  open(tool: string): void;
  /** The panel was redrawn. */
  drawn(): void;
}

/** Debounce time of quote requests. */
const SETTLED_MS = 500;
const LEFT_RETRY_MS = 2_000;

/** Response to a batch start. */
interface Started {
  readonly acts: readonly number[];
  /** Items not started yet. */
  readonly left: readonly number[];
  readonly failed: readonly { readonly name: string; readonly detail: string }[];
}

/** Loaded with the first tool form: more than half of the script size, and many visits need none. */
const formPrograms = () => Promise.all([import('./editor.ts'), import('./color_field.ts')]);

/** Remaining images of a batch with their settings. */
interface Left {
  readonly tool: string;
  readonly title: string;
  readonly values: Readonly<Record<string, string>>;
  readonly count: number;
}

/** Session storage survives a reload but not the tab, so that no paid run starts on a later day. */
const leftKey = (id: string): string => `left ${id}`;

interface Refused {
  readonly detail?: string;
  readonly fix?: string;
  readonly status?: number;
}

const refusalText = ({ detail, fix }: Refused): string =>
  [detail, fix].filter(Boolean).join(' ').replaceAll('`', '') || 'The request was rejected.';

/** Display name from the heading or button of a form. */
const titleOf = (form: HTMLFormElement): string =>
  (form.querySelector('#tool-title') ?? form.querySelector('button'))!.textContent!.replace(/ \(.*/, '');

type Reply =
  | { readonly isTaken: true; readonly answer: Started }
  | { readonly isTaken: false; readonly answer: Refused };

async function send(tool: string, values: Readonly<Record<string, string>>): Promise<Reply> {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  const headers = { Accept: 'application/json' };
  const reply = await fetch(`/table-runs/${tool}`, { method: 'POST', body, headers });
  return { isTaken: reply.ok, answer: await reply.json() };
}

export class Panel {
  readonly options: Options;
  items: readonly number[] = [];
  tool: string | undefined;
  act: number | undefined;
  view: string | undefined;
  /** Failed acts of the last batch. */
  failed: readonly number[] = [];
  /** Batches with items over the job limit. */
  left: Left[];
  /** Names of the compared branches. */
  sides: Readonly<Record<string, string>> = {};
  /** Counts requests: a late answer to an earlier one is dropped. */
  turn = 0;
  settled = 0;

  constructor(options: Options) {
    this.options = options;
    const kept = jsonIn(sessionStorage.getItem(leftKey(options.id)) ?? '');
    this.left = Array.isArray(kept) ? kept : [];
    document.addEventListener('input', (event) => this.changed(event));
    document.addEventListener('submit', (event) => this.submit(event));
  }

  get place(): HTMLElement {
    return document.querySelector('#panel')!;
  }

  get query(): URLSearchParams {
    return new URLSearchParams({
      ...(this.items.length > 0 && { items: this.items.join(',') }),
      ...(this.tool && { tool: this.tool }),
      ...(this.act && { act: String(this.act) }),
      ...(this.view && { view: this.view }),
      ...(this.failed.length > 0 && { failed: this.failed.join(',') }),
      ...(this.view === 'branches' && this.sides),
    });
  }

  /** Disables the outdated panel until it is redrawn. */
  hold(): void {
    this.place.inert = true;
  }

  /** Renders the panel for the selection. @param settings field values of the tool */
  async show(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const turn = ++this.turn;
    const query = new URLSearchParams({ ...Object.fromEntries(this.query), ...settings, part: 'panel' });
    try {
      const reply = await fetch(`${this.options.path}?${query}`, { headers: { Accept: 'text/html' } });
      const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
      if (turn !== this.turn) return;
      if (page.querySelector('#ticket')) await formPrograms();
      if (turn !== this.turn) return;
      if (page.querySelector('#panel')) this.take(page);
      else this.options.say(wordsInPage(page), true);
    } catch {
      if (turn === this.turn) this.options.say('No response from the server. Try again.', true);
    }
  }

  /** Inserts a panel and its stage. The stage comes first because editors in the form use it. */
  take(page: Document): void {
    const fresh = page.querySelector<HTMLElement>('#panel')!;
    showBalance(page);
    const stage = page.querySelector<HTMLTemplateElement>('#stage');
    const hadFocus = this.place.contains(document.activeElement);
    const focusedTool = document.activeElement?.closest<HTMLElement>('#jobs [data-tool]')?.dataset.tool;
    const findText = document.querySelector<HTMLInputElement>('#find-tool')?.value ?? '';
    this.place.inert = false;
    this.place.replaceChildren();
    if (stage) this.options.fill.replaceChildren(document.importNode(stage.content, true));
    this.options.staged(stage !== null);
    this.place.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
    const find = document.querySelector<HTMLInputElement>('#find-tool');
    if (find && findText) {
      find.value = findText;
      findTool(find);
    }
    if (hadFocus) this.focus(focusedTool);
    this.options.drawn();
  }

  /** Moves the focus into the panel. @param tool whose entry in the list of tools had the focus */
  focus(tool?: string): void {
    const entry = tool && this.place.querySelector<HTMLElement>(`#jobs [data-tool="${CSS.escape(tool)}"]`);
    const place =
      entry || this.place.querySelector<HTMLElement>('[role=alert], #tool-title, #find-tool, a, button');
    if (place && place.tabIndex < 0) place.tabIndex = -1;
    place?.focus();
  }

  changed(event: Event): void {
    const target = event.target as HTMLElement;
    if (target.id === 'find-tool') findTool(target as HTMLInputElement);
    if (!target.closest('#ticket')) return;
    clearTimeout(this.settled);
    this.settled = setTimeout(() => void this.quote(), SETTLED_MS);
  }

  /** Updates price and duration for the current settings. */
  async quote(): Promise<void> {
    await this.askQuote();
    document.dispatchEvent(new Event('redrawn'));
  }

  async askQuote(): Promise<void> {
    const { turn } = this;
    const form = document.querySelector<HTMLFormElement>('#ticket');
    if (!form) return;
    const settings = Object.fromEntries(
      [...new FormData(form)].filter(
        ([name, value]) =>
          typeof value === 'string' && value.length <= 3000 && !/^(press|workspace|items)$/.test(name),
      ) as [string, string][],
    );
    const query = new URLSearchParams({ ...settings, ...Object.fromEntries(this.query), part: 'quote' });
    const reply = await fetch(`${this.options.path}?${query}`).catch(() => undefined);
    if (!reply?.ok) return;
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    showBalance(page);
    const [foreseen, shown] = [page.querySelector('#foreseen'), document.querySelector('#foreseen')];
    if (foreseen && turn === this.turn) shown?.replaceChildren(...foreseen.childNodes);
    const [fresh, old] = [page.querySelector('#quote'), document.querySelector('#quote')];
    if (fresh && old && turn === this.turn && !old.contains(document.activeElement))
      old.replaceChildren(...fresh.childNodes);
    else if (fresh && old && turn === this.turn) {
      // Keep the focused button.
      const [now, then] = [fresh.querySelector('button'), old.querySelector('button')];
      if (now && then) then.textContent = now.textContent;
    }
  }

  submit(event: SubmitEvent): void {
    const form = event.target as HTMLFormElement;
    if (form.id !== 'ticket' && !form.matches('.quick')) return;
    event.preventDefault();
    void this.run(form);
  }

  async run(form: HTMLFormElement): Promise<void> {
    const button = form.querySelector<HTMLButtonElement>('button[value=run]');
    if (!button || button.disabled) return;
    button.disabled = true;
    const values = Object.fromEntries(
      [...new FormData(form), ['table', this.options.id]].filter(([, value]) => typeof value === 'string'),
    ) as Record<string, string>;
    const [tool, title] = [form.dataset.tool!, titleOf(form)];
    try {
      const { isTaken, answer } = await send(tool, values);
      if (isTaken) this.ran({ tool, title, values }, answer, form);
      else this.refuse(form, answer);
    } catch {
      this.say(form, 'No response from the server. Your settings are still here. Try again.');
    }
    button.disabled = false;
    // A new idempotency key for the next run.
    const press = form.querySelector<HTMLInputElement>('[name=press]');
    if (press) press.value += '+';
  }

  /** @param form submitted form. Unset: the rest of an earlier batch */
  ran(press: Omit<Left, 'count'>, { acts, left, failed }: Started, form?: HTMLFormElement): void {
    document.querySelector('#panel .no-answer')?.remove();
    if (failed.length > 0) this.say(form, failed.map(({ name, detail }) => `${name}: ${detail}`).join(' '));
    if (left.length > 0)
      this.left.push({ ...press, values: { ...press.values, items: left.join(',') }, count: left.length });
    this.keepLeft();
    this.options.ran(acts, press.title, this.leftCount);
  }

  keepLeft(): void {
    const key = leftKey(this.options.id);
    if (this.left.length > 0) sessionStorage.setItem(key, JSON.stringify(this.left));
    else sessionStorage.removeItem(key);
  }

  /** Continues unfinished batches after a reload. */
  takeUp(): void {
    const [next] = this.left;
    if (!next) return;
    this.options.ran([], next.title, this.leftCount);
    void this.goOn();
  }

  get leftCount(): number {
    return this.left.reduce((sum, { count }) => sum + count, 0);
  }

  isGoingOn = false;

  /** Starts remaining items; retries later while the job limit is reached. */
  async goOn(): Promise<void> {
    const [next] = this.left;
    if (!next || this.isGoingOn) return;
    this.isGoingOn = true;
    const reply = await send(next.tool, next.values).catch(() => undefined);
    this.isGoingOn = false;
    if (!reply || (!reply.isTaken && reply.answer.status === 429)) {
      setTimeout(() => void this.goOn(), LEFT_RETRY_MS);
      return;
    }
    this.left.shift();
    if (reply.isTaken) return this.ran(next, reply.answer);
    this.keepLeft();
    this.options.ran([], next.title, this.leftCount);
    this.say(undefined, refusalText(reply.answer));
  }

  refuse(form: HTMLFormElement, refused: Refused): void {
    const mustPay = refused.status === 402;
    if (mustPay && form.matches('.quick')) this.options.open(form.dataset.tool!);
    else this.say(form, refusalText(refused), mustPay);
  }

  /** Shows an error above the button, with a link to buy credits if needed. */
  say(form: HTMLFormElement | undefined, text: string, isPurse = false): void {
    if (!form?.isConnected) {
      this.options.say(text, true);
      return;
    }
    const said = document.querySelector('#panel .no-answer') ?? document.createElement('p');
    said.className = 'note bad no-answer';
    said.setAttribute('role', 'alert');
    said.textContent = text;
    if (isPurse) {
      const link = document.createElement('a');
      link.href = `/wallet?back=${encodeURIComponent(location.pathname + location.search)}`;
      link.textContent = 'Buy credits';
      said.append(' ', link);
    }
    (form.querySelector('#quote') ?? form.closest('.quick-row') ?? form).before(said);
  }
}

/** Filters the tools by name and search text. */
function findTool(input: HTMLInputElement): void {
  const words = input.value.toLowerCase().trim().split(/\s+/).filter(Boolean);
  let total = 0;
  for (const group of document.querySelectorAll<HTMLElement>('#jobs section')) {
    let shown = 0;
    for (const link of group.querySelectorAll<HTMLElement>('[data-tool]')) {
      const text = `${link.textContent} ${link.dataset.words}`.toLowerCase();
      const isFound = words.every((word) => text.includes(word));
      link.parentElement!.hidden = !isFound;
      if (isFound) shown += 1;
    }
    group.hidden = shown === 0;
    total += shown;
  }
  document.querySelector('#none-found')!.textContent =
    total === 0 ? 'No tool matches. Try another word.' : '';
}
