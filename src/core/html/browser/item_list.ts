/** Editor for a list of operations or layers. The text area below holds the same list as JSON, which the form sends. */
import { disclosure } from './disclosure.ts';
import { fill, readControl, showOutput } from './item_controls.ts';
import { itemStage } from './item_stage.ts';
import { type Item, itemsIn, listText, summaryOf, valueAt, withValue } from './item_values.ts';
import { uploadFile } from './post_to_server.ts';
import { pressable } from './pressable.ts';
import type { Stage } from './stage.ts';

export class ItemList extends HTMLElement {
  items: Item[] = [];
  /** Index of the item whose form is open; −1: none. */
  opened = -1;
  list = document.createElement('ol');
  said = document.createElement('p');
  /** Undo and redo stacks of the JSON text. */
  past: string[] = [];
  future: string[] = [];

  /** Aborts listeners outside of this element. */
  gone = new AbortController();
  /** Time of the last change on the stage, ms. */
  drawnAt = 0;

  connectedCallback() {
    const { area } = this;
    this.addHistory();
    if (this.key === 'type') this.takeImages();
    this.list.className = 'items';
    this.said.className = 'unseen';
    this.said.setAttribute('role', 'status');
    const json = disclosure('JSON', area);
    json.className = 'small';
    this.append(this.list, this.adders(), json, this.said);
    area.addEventListener('input', ({ isTrusted }) => {
      if (isTrusted) this.read();
    });
    this.read();
  }

  disconnectedCallback() {
    this.gone.abort();
  }

  addHistory() {
    const undo = pressable('Undo', () => this.step(this.past, this.future));
    const redo = pressable('Redo', () => this.step(this.future, this.past));
    this.stage?.bar.prepend(undo, redo);
    if (!this.stage) this.prepend(undo, redo);
    const pressKey = (event: KeyboardEvent) => {
      // Text fields have their own undo.
      const isTyping = (event.target as Element).matches('input:not([type=range]), textarea');
      if (isTyping || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
      event.preventDefault();
      (event.shiftKey ? redo : undo).click();
    };
    document.addEventListener('keydown', pressKey, { signal: this.gone.signal });
  }

  /** Dropped or pasted images become layers. */
  takeImages() {
    const take = (event: Event) => {
      const data = event instanceof DragEvent ? event.dataTransfer : (event as ClipboardEvent).clipboardData;
      if (!data?.types.includes('Files')) return;
      event.preventDefault();
      if (event.type !== 'dragover') void this.addImages([...data.files]);
    };
    const { signal } = this.gone;
    document.addEventListener('input', ({ target }) => target === this.layout && this.flow(), { signal });
    for (const name of ['dragover', 'drop', 'paste']) document.addEventListener(name, take, { signal });
  }

  /** The layout field of the form, if any. */
  get layout(): HTMLTextAreaElement | null {
    return this.closest('form')?.querySelector('textarea[name=layout]') ?? null;
  }

  /** Initial values of a new layer, without a box if a layout places it. */
  startOf(type: string): Item {
    const { box, ...others } = LAYER_STARTS[type] ?? {};
    return box === undefined || (type === 'image' && this.layout?.value) ? others : { box, ...others };
  }

  /** Once a layout is set, images still at their initial box become part of it. */
  flow() {
    const start = JSON.stringify(LAYER_STARTS.image!.box);
    const isStill = ({ type, box }: Item) => type === 'image' && JSON.stringify(box) === start;
    if (!this.layout?.value || !this.items.some(isStill)) return;
    this.change(this.items.map((item) => (isStill(item) ? withValue(item, 'box', undefined) : item)));
  }

  get area(): HTMLTextAreaElement {
    return this.querySelector('textarea[name]')!;
  }

  /** Null on pages that show no image, such as the steps of a recipe. */
  get stage(): Stage | null {
    return document.querySelector<Stage>('at-stage');
  }

  get key(): string {
    return this.dataset.key!;
  }

  templateOf(item: Item): HTMLTemplateElement | undefined {
    return [...this.querySelectorAll('template')].find(({ dataset }) => dataset.item === item[this.key]);
  }

  /** Reads the text area; invalid JSON stays there to be corrected. */
  read() {
    const items = itemsIn(this.area.value);
    if (!items) return this.say('The JSON is not a list of objects.');
    this.items = items;
    this.opened = Math.min(this.opened, items.length - 1);
    this.draw();
  }

  /** Buttons to add items: frequent ones first, then groups. */
  adders(): HTMLElement {
    const box = document.createElement('div');
    box.className = 'adders';
    const groups = new Map<string, HTMLElement>();
    for (const { dataset } of this.querySelectorAll('template')) {
      const { item = '', title = '', group } = dataset;
      const button = pressable(title, () => this.add(item));
      button.setAttribute('aria-label', `Add: ${title}`);
      if (group === undefined) {
        box.append(button);
        continue;
      }
      const known = groups.get(group) ?? groupOf(group);
      groups.set(group, known);
      known.append(button);
    }
    if (groups.size > 0) box.append(disclosure('More operations', ...groups.values()));
    return box;
  }

  add(name: string) {
    const start = this.key === 'type' ? this.startOf(name) : STARTS[name];
    this.change([...this.items, { [this.key]: name, ...start }], this.items.length);
    this.say(`${name} added at position ${this.items.length}`);
    this.list.lastElementChild?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }

  /** @param opened index of the item whose form is open afterwards */
  change(items: Item[], opened = this.opened) {
    this.remember();
    this.items = items;
    this.opened = opened;
    this.write();
    this.draw();
  }

  remember() {
    this.past.push(this.area.value);
    this.future = [];
  }

  /** Sets one field of an item without redrawing its form, which may have the focus. */
  set(at: number, path: string, value: unknown) {
    this.items = this.items.map((item, place) => (place === at ? withValue(item, path, value) : item));
    this.write();
    const button = this.list.children[at]?.querySelector('.summary');
    if (button) button.textContent = summaryOf(this.items[at]!, this.key);
  }

  write() {
    this.area.value = listText(this.items);
    this.area.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** @param from stack to restore from @param to stack that receives the current text */
  step(from: string[], to: string[]) {
    let text = from.pop();
    while (text === this.area.value) text = from.pop();
    if (text === undefined) return this.say('No further changes.');
    to.push(this.area.value);
    this.area.value = text;
    this.read();
    this.write();
  }

  open(at: number) {
    this.opened = at;
    this.draw();
  }

  draw() {
    this.list.replaceChildren(...this.items.map((item, at) => this.row(item, at)));
    this.stage?.use(itemStage(this, this.opened));
  }

  row(item: Item, at: number): HTMLElement {
    const row = document.createElement('li');
    const title = this.templateOf(item)?.dataset.title ?? String(item[this.key]);
    const isOpen = at === this.opened;
    const head = pressable(title, () => this.open(isOpen ? -1 : at));
    head.className = 'name';
    head.setAttribute('aria-expanded', String(isOpen));
    const words = document.createElement('span');
    words.className = 'summary quiet';
    words.textContent = summaryOf(item, this.key);
    head.append(words);
    const move = (to: number) => {
      const items = this.items.toSpliced(at, 1);
      items.splice(to, 0, item);
      this.change(items, isOpen ? to : -1);
      this.list.children[to]?.querySelector<HTMLElement>('.name')?.focus();
    };
    const place = `${title}, ${at + 1} of ${this.items.length}`;
    const up = small('Up', `Move up: ${place}`, () => move(at - 1));
    const down = small('Down', `Move down: ${place}`, () => move(at + 1));
    const remove = small('Remove', `Remove: ${place}`, () => {
      this.change(this.items.toSpliced(at, 1), -1);
      this.say(`${title} removed`);
      (
        this.list.querySelector<HTMLElement>('.name') ?? this.querySelector<HTMLElement>('.adders button')
      )?.focus();
    });
    up.disabled = at === 0;
    down.disabled = at === this.items.length - 1;
    const header = document.createElement('div');
    header.className = 'head';
    header.append(head, up, down, remove);
    row.append(header);
    if (isOpen) row.append(this.form(item, at));
    return row;
  }

  /** The form of an item, filled in. */
  form(item: Item, at: number): HTMLElement {
    const box = document.createElement('div');
    box.className = 'fields';
    const template = this.templateOf(item);
    if (template) box.append(template.content.cloneNode(true));
    for (const control of box.querySelectorAll<HTMLInputElement>('[data-field]')) {
      const path = control.dataset.field!;
      fill(control, valueAt(item, path));
      control.addEventListener('focus', () => this.remember(), { once: true });
      control.addEventListener('input', () => {
        const value = readControl(control);
        this.set(at, path, value);
        // A new ratio invalidates the box of the old one.
        if (path === 'aspect' && item.op === 'crop')
          this.drawn('box', value === undefined ? STARTS.crop!.box : undefined);
        showOutput(control);
        if (/^(where|box|aspect|degrees|corners|width|height|gravity)/.test(path))
          this.stage?.use(itemStage(this, at));
      });
    }
    for (const chooser of box.querySelectorAll<HTMLInputElement>('[data-upload]')) {
      chooser.multiple = item.type === 'image' && chooser.dataset.upload === 'image';
      chooser.addEventListener('change', () => void this.upload(chooser, at));
    }
    return box;
  }

  async upload(chooser: HTMLInputElement, at: number) {
    const [file, ...others] = chooser.files ?? [];
    const uri = file && (await this.send(file));
    if (!uri) return;
    const path = chooser.dataset.upload!;
    const values: Item = { [path]: uri, ...(chooser.multiple && { name: file.name }) };
    for (const [name, value] of Object.entries(values)) {
      this.set(at, name, value);
      const control = chooser.closest('.fields')!.querySelector<HTMLInputElement>(`[data-field="${name}"]`);
      if (control) fill(control, value);
    }
    if (others.length > 0) await this.addImages(others);
  }

  /** Adds images as layers, in order. */
  async addImages(files: readonly File[]) {
    for (const file of files) {
      const image = await this.send(file);
      if (image)
        this.change(
          [...this.items, { type: 'image', image, name: file.name, ...this.startOf('image') }],
          this.items.length,
        );
    }
  }

  /** Uploads a file. @returns its handle, or undefined after an error, which is shown on the stage */
  async send(file: File): Promise<string | undefined> {
    this.say(`Uploading ${file.name}`);
    try {
      const uri = await uploadFile(file);
      this.say(`${file.name} uploaded`);
      return uri;
    } catch (error) {
      if (this.stage) this.stage.say((error as Error).message, true);
      else this.say((error as Error).message);
      return undefined;
    }
  }

  /** Writes a change on the stage into the form of the open item. */
  drawn(path: string, value: unknown) {
    // One drag, or one series of key presses, is one change.
    if (performance.now() - this.drawnAt > ONE_CHANGE_MS) this.remember();
    this.drawnAt = performance.now();
    this.set(this.opened, path, value);
    for (const control of this.list.querySelectorAll<HTMLInputElement>('.fields [data-field]')) {
      const { field = '' } = control.dataset;
      if (field === path || field.startsWith(`${path}.`))
        fill(control, valueAt(this.items[this.opened]!, field));
    }
  }

  say(text: string) {
    this.said.textContent = text;
  }
}

const ONE_CHANGE_MS = 1000;

/** Initial values of operations with required fields. */
const STARTS: Readonly<Record<string, Item>> = {
  crop: { box: { x: '10%', y: '10%', width: '80%', height: '80%' } },
  rotate: { degrees: 90 },
  text: { text: 'Your text' },
  qr: { text: 'https://example.com' },
  opacity: { value: 0.5 },
  blur: {},
  pixelate: {},
  redact: { where: 'faces' },
  curve: {
    points: [
      [0, 0],
      [128, 150],
      [255, 255],
    ],
  },
  shape: { type: 'rect', box: { x: '20%', y: '20%', width: '60%', height: '60%' }, stroke: 'white' },
  background: { color: 'white' },
  resize: { width: 1200 },
  pad: { aspect: '1:1' },
};

const LAYER_STARTS: Readonly<Record<string, Item>> = {
  text: { text: 'Your text', box: { x: '10%', y: '70%', width: '80%', height: '20%' } },
  image: { box: { x: '10%', y: '10%', width: '80%', height: '60%' } },
  shape: {
    shape: 'rect',
    box: { x: '10%', y: '10%', width: '80%', height: '30%' },
    fill: '#2a6f97',
  },
  qr: { text: 'https://example.com', gravity: 'southeast', width: '20%' },
};

function small(text: string, label: string, press: () => void): HTMLButtonElement {
  const button = pressable(text, press);
  button.className = 'bare';
  button.setAttribute('aria-label', label);
  return button;
}

function groupOf(name: string): HTMLElement {
  const group = document.createElement('fieldset');
  const legend = document.createElement('legend');
  legend.className = 'small quiet';
  legend.textContent = name;
  group.append(legend);
  return group;
}

customElements.define('at-list', ItemList);
