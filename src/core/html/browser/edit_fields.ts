/** Fields edited on the image: areas to erase or keep, sizes of a set. The form control holds the value. */
import { type Box, boxIn, inPx } from './box_geometry.ts';
import { brush, maskOf, type Stroke } from './brush.ts';
import { disclosure } from './disclosure.ts';
import { drawBoxes } from './draw_boxes.ts';
import { jsonIn } from './item_values.ts';
import { postToServer } from './post_to_server.ts';
import { pressable } from './pressable.ts';
import { findStage } from './stage.ts';

/** Brush radius as a fraction of the image width. */
const RADIUS = 0.02;
const RADIUS_MAX = 0.1;

class EditField extends HTMLElement {
  radius = RADIUS;
  strokes: Stroke[] = [];
  boxes: readonly Box[] = [];
  bar = document.createElement('div');

  connectedCallback() {
    this.bar.className = 'tools';
    const { edits = '' } = this.dataset;
    if (/^(canvas|boxes|place|strokes)$/.test(edits)) this.fold();
    if (edits === 'sizes') {
      this.fold('Custom sizes');
      this.offerPresets(
        'Set',
        this.dataset.options!.split(' ').map((name) => [titleOf(name), name]),
      );
    }
    if (edits === 'canvas')
      this.offerPresets(
        'Size',
        CANVASES.map(([name, canvas]) => [name, JSON.stringify(canvas)]),
      );
    if (edits === 'boxes') this.offerErasing();
    if (edits === 'place') this.offerPlace();
    if (edits === 'strokes') this.offerStrokes();
  }

  get control(): HTMLInputElement {
    return this.querySelector('[name]:not([type=radio], [type=file])')!;
  }

  /** Moves the control into a disclosure for exact values. */
  fold(title = 'Exact value') {
    const details = disclosure(title);
    details.className = 'small';
    const { control } = this;
    control.replaceWith(details);
    details.append(control);
  }

  write(text: string, control = this.control) {
    control.value = text;
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** Named values as buttons; the first is the default. */
  offerPresets(legend: string, presets: readonly (readonly [name: string, text: string])[]) {
    if (this.control.value === '') this.write(presets[0]![1]);
    const at = presets.findIndex(([, text]) => text === this.control.value);
    const names = presets.map(([name]) => name);
    this.prepend(choices(legend, names, at, (chosen) => this.write(presets[chosen]![1])));
  }

  /** Boxes, a brush, or automatic detection. */
  offerErasing() {
    const modes = ['Boxes', 'Brush', 'Faces', 'Text'];
    const mask = document.querySelector<HTMLInputElement>('[name=mask]:not([type=file])');
    const choose = (at: number) => {
      this.bar.replaceChildren();
      if (mask && at !== 1) this.write('', mask);
      if (at === 0) {
        // A mode word would still select the area to erase.
        if (/^\w+$/.test(this.control.value)) this.write('');
        this.draw(false);
      } else if (at === 1)
        this.paint('Erase', {
          keep: () => false,
          change: (painted) => this.sendMask(painted, mask!),
        });
      else {
        findStage().use(undefined);
        this.write(modes[at]!.toLowerCase());
      }
    };
    // Restores the selection after a run or from a link.
    const { value } = this.control;
    const found = modes.findIndex((mode) => mode.toLowerCase() === value);
    const at = mask?.value ? 1 : Math.max(found, 0);
    this.strokes = earlierStrokes(mask?.value ?? '');
    this.prepend(choices('Erase', modes, at, choose), this.bar);
    choose(at);
  }

  offerPlace() {
    const choose = (at: number) => {
      if (at === 1) return this.draw(true);
      findStage().use(undefined);
      this.write('');
    };
    const isDrawn = this.control.value.trim() !== '';
    this.prepend(choices('Subject', ['Automatic', 'Draw a box'], isDrawn ? 1 : 0, choose), this.bar);
    if (isDrawn) choose(1);
  }

  offerStrokes() {
    const modes = ['Off', 'Keep', 'Remove'];
    const choose = (at: number) => {
      this.bar.replaceChildren();
      if (at === 0) return findStage().use(undefined);
      this.paint(`${modes[at]} painted areas`, {
        keep: () => at === 1,
        change: (strokes) => this.write(strokes.length === 0 ? '' : JSON.stringify(inStrokes(strokes))),
      });
    };
    this.prepend(choices('Brush', modes, 0, choose), this.bar);
  }

  /** @param isOne only the last box counts, as one object with left and top */
  draw(isOne: boolean) {
    const stage = findStage();
    const write = (boxes: readonly Box[]) => {
      this.boxes = boxes;
      const px = boxes.map((box) => inPx(box, stage.full));
      const [last] = px.slice(-1);
      if (!last) return this.write('');
      this.write(JSON.stringify(isOne ? placeOf(last) : px));
    };
    stage.use({
      showsOriginal: isOne,
      draw: (layer) => {
        // Values are in image px; the size is known once the image is loaded.
        if (!stage.earlier.naturalWidth) return;
        this.boxes = boxesOf(this.control.value, stage.full);
        drawBoxes(layer, this.boxes, { label: isOne ? 'Subject' : 'Erase', change: write });
      },
    });
  }

  paint(label: string, { keep, change }: { keep(): boolean; change(strokes: readonly Stroke[]): void }) {
    const stage = findStage();
    const size = document.createElement('input');
    Object.assign(size, { type: 'range', min: '0.003', max: String(RADIUS_MAX), step: '0.001' });
    size.value = String(this.radius);
    size.addEventListener('input', (event) => {
      event.stopPropagation();
      this.radius = Number(size.value);
    });
    const name = document.createElement('label');
    name.append('Brush size', size);
    let back = () => {};
    this.bar.replaceChildren(
      name,
      pressable('Undo stroke', () => back()),
    );
    stage.use({
      draw: (layer) => {
        if (!stage.earlier.naturalWidth) return;
        if (this.strokes.length === 0) this.strokes = strokesOf(this.control.value, stage.full.width);
        back = brush(layer, this.strokes, { label, radius: () => this.radius, keep, change });
      },
    });
  }

  /** Uploads the strokes as a mask image. */
  async sendMask(strokes: readonly Stroke[], mask: HTMLInputElement) {
    if (strokes.length === 0) return this.write('', mask);
    const stage = findStage();
    this.control.value = '';
    try {
      const { uri } = await postToServer<{ uri: string }>('/api/uploads', await maskOf(strokes, stage.full));
      sessionStorage.setItem(STROKES_KEY, JSON.stringify({ mask: uri, strokes }));
      this.write(uri, mask);
    } catch (error) {
      stage.say((error as Error).message, true);
    }
  }
}

/** Session storage key for the strokes of the last mask, which cannot be restored from the mask. */
const STROKES_KEY = 'strokes';

function earlierStrokes(mask: string): Stroke[] {
  const kept = jsonIn(sessionStorage.getItem(STROKES_KEY) ?? '') as
    | { mask: string; strokes: Stroke[] }
    | undefined;
  return mask !== '' && kept?.mask === mask ? kept.strokes : [];
}

/** Boxes of a field value: a list of boxes, or one object with left and top. */
function boxesOf(text: string, full: { width: number; height: number }): Box[] {
  const value = jsonIn(text);
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap(
    (one) => boxIn(one?.left === undefined ? one : { ...one, x: one.left, y: one.top }, full) ?? [],
  );
}

/** Converts strokes from image px to stage fractions. */
function strokesOf(text: string, width: number): Stroke[] {
  const value = jsonIn(text);
  if (!Array.isArray(value)) return [];
  return (value as Stroke[]).map(({ points, radius, keep }) => ({
    points: points.map(([x, y]): [number, number] => [x / width, y / width]),
    radius: radius / width,
    keep,
  }));
}

const titleOf = (name: string): string => name[0]!.toUpperCase() + name.slice(1).replaceAll('_', ' ');

const placeOf = ({ x: left, y: top, width, height }: Box) => ({ left, top, width, height });

/** Converts strokes to image px, as the tool expects. */
function inStrokes(strokes: readonly Stroke[]) {
  const { width } = findStage().full;
  const px = (share: number) => Math.round(share * width);
  return strokes.map(({ points, radius, keep }) => ({
    points: points.map(([x, y]) => [px(x), px(y)]),
    radius: Math.max(1, px(radius)),
    keep,
  }));
}

/** Canvas presets. */
const CANVASES: readonly (readonly [string, object])[] = [
  ['Square', { width: 1080, height: 1080 }],
  ['Story', { width: 1080, height: 1920 }],
  ['Banner', { width: 1500, height: 500 }],
  ['A4', { width: 210, height: 297, unit: 'mm' }],
];

/** Radio buttons in a row. @param chosen index of the selected one; −1: none */
function choices(legend: string, names: readonly string[], chosen: number, choose: (at: number) => void) {
  const set = document.createElement('fieldset');
  const title = document.createElement('legend');
  title.className = 'unseen';
  title.textContent = legend;
  const row = document.createElement('div');
  row.className = 'choice';
  for (const [at, name] of names.entries()) {
    const label = document.createElement('label');
    const radio = document.createElement('input');
    Object.assign(radio, { type: 'radio', name: `choose-${legend.toLowerCase()}`, checked: at === chosen });
    radio.addEventListener('input', (event) => {
      event.stopPropagation();
      choose(at);
    });
    label.append(radio, name);
    row.append(label);
  }
  set.append(title, row);
  return set;
}

customElements.define('at-field', EditField);
