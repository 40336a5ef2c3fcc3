/** Stage of a tool page: image, handles and live preview. */
import { itemsIn, listText } from './item_values.ts';
import { imageAddress, livePreview, type Preview } from './live_preview.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Editor on the stage: a list item or a field. */
export interface StageTool {
  /** Settings for the preview below the handles. Unset: those of the form. */
  settings?(): Readonly<Record<string, string>>;
  /** Shows the original image instead of a preview. */
  readonly showsOriginal?: boolean;
  /** Draws the handles. @param layer empty layer over the image @param full unscaled size of the shown image */
  draw(layer: HTMLElement, full: Size, preview: Preview | undefined): void;
}

const WAITING = 'Rendering the preview …';
/** Identifies the chosen image; `drop.ts` and the server-rendered page use the same alt text. */
const CHOSEN_ALT = 'Your image';

export class Stage extends HTMLElement {
  layer = document.createElement('div');
  earlier = new Image();
  slider = document.createElement('input');
  /** Last preview response. Unset while the original is shown. */
  answer: Preview | undefined;
  tool: StageTool | undefined;
  refresh = () => {};
  original = '';
  /** Aborts listeners outside of this element. */
  gone = new AbortController();

  disconnectedCallback() {
    this.gone.abort();
  }

  connectedCallback() {
    const { signal } = this.gone;
    // A click on a label would click the first button inside it.
    const label = this.frame;
    const frame = document.createElement('div');
    frame.className = label.className;
    frame.append(...label.childNodes);
    label.replaceWith(frame);
    frame.addEventListener('click', () => {
      if (!this.shown) document.querySelector<HTMLInputElement>('#ticket at-drop [name=image]')?.click();
    });
    this.layer.className = 'over';
    frame.append(this.layer);
    this.refresh = livePreview(this.dataset.tool!, {
      form: () => this.form(),
      show: (preview) => void this.show(preview),
      fail: (message) => this.say(message, true),
      wait: () => this.say(WAITING),
    });
    this.addSlider();
    this.original = this.shown?.src ?? '';
    new ResizeObserver(() => this.place()).observe(frame);
    // `drop.ts` replaces the image in the frame.
    new MutationObserver(() => this.replaced()).observe(frame, { childList: true });
    const changed = ({ target }: Event) => {
      if ((target as Element).closest('#ticket')) this.refresh();
    };
    document.addEventListener('input', changed, { signal });
    const handle = document.querySelector<HTMLInputElement>('#ticket [name=image]:not([type=file])');
    handle?.addEventListener('change', () => void this.take(handle.value));
    const sent = () => {
      // The browser cannot display the format: TIFF, HEIC, RAW.
      if (handle && !this.shown?.naturalWidth) void this.take(handle.value);
    };
    document.addEventListener('sent', sent, { signal });
    this.refresh();
  }

  /** Shows the image behind a handle, as rendered by the server. */
  async take(handle: string) {
    const reply = await fetch(`${location.pathname}?${new URLSearchParams({ image: handle })}`);
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    const fresh = page.querySelector<HTMLElement>('at-stage');
    const address = fresh?.querySelector<HTMLImageElement>('.stage > img')?.getAttribute('src');
    if (!fresh || !address) return;
    this.dataset.side = fresh.dataset.side ?? '';
    await this.swap(new URL(address, location.href).href, CHOSEN_ALT);
  }

  get frame(): HTMLElement {
    return this.querySelector('.stage')!;
  }

  get shown(): HTMLImageElement | undefined {
    return this.frame.querySelector<HTMLImageElement>(':scope > img:not(.before)') ?? undefined;
  }

  get bar(): HTMLElement {
    return this.querySelector('.stage-bar')!;
  }

  /** Size of the chosen image, px. */
  get full(): Size {
    const { naturalWidth = 1, naturalHeight = 1 } = this.earlier;
    const longer = Math.max(naturalWidth, naturalHeight, 1);
    const side = Number(this.dataset.side) || longer;
    return { width: (naturalWidth * side) / longer, height: (naturalHeight * side) / longer };
  }

  /** Sets the active editor; undefined: none. */
  use(tool: StageTool | undefined) {
    this.tool = tool;
    this.layer.replaceChildren();
    this.draw();
    this.refresh();
  }

  form(): FormData | undefined {
    const form = document.querySelector<HTMLFormElement>('#ticket')!;
    const data = new FormData();
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') data.set(name, value);
    const { tool } = this;
    for (const [name, text] of Object.entries(tool?.settings?.() ?? {})) data.set(name, text);
    if (data.has('operations')) data.set('operations', withoutUnmarked(String(data.get('operations'))));
    const isEmpty = [...data].some(
      ([name, value]) => /^(image|operations|layers)$/.test(name) && isNothing(value),
    );
    if (tool?.showsOriginal || isEmpty || this.lacksChange(data)) {
      this.showOriginal();
      return undefined;
    }
    return data;
  }

  /** No area to erase is marked yet. */
  lacksChange(data: FormData): boolean {
    return (
      this.dataset.tool === 'erase_object' && isNothing(data.get('where')) && isNothing(data.get('mask'))
    );
  }

  async show(preview: Preview) {
    const { image_b64: base64, content_type: type } = preview;
    this.answer = preview;
    if (preview.files) return this.showSheet(preview);
    if (!base64 || !type) return;
    const address = imageAddress(base64, type);
    if (preview.part) this.showPatch(address, preview);
    else await this.swap(address, 'Preview of the result');
    this.say(preview.warnings?.join(' ') ?? '');
    this.draw();
  }

  showOriginal() {
    this.answer = undefined;
    this.querySelector('.sheet')?.replaceChildren();
    this.querySelector('.patch')?.remove();
    this.say('');
    if (this.original) void this.swap(this.original, CHOSEN_ALT).then(() => this.draw());
    else this.draw();
  }

  /** Redraws the handles, except while one is dragged or focused. */
  draw(isChanged = false) {
    const { layer, tool, answer } = this;
    if (!this.shown) return;
    this.place();
    const isHeld = layer.querySelector(':active, :focus-visible') !== null;
    const stays = layer.querySelector('.handle:not(.loose), .knob, .brush, .surface') !== null;
    if (isHeld || (stays && !isChanged)) return;
    layer.replaceChildren(...layer.querySelectorAll('.patch'));
    const { scale = 1 } = answer?.preview ?? {};
    const full =
      answer?.width && answer.height && !answer.part
        ? { width: answer.width / scale, height: answer.height / scale }
        : this.full;
    tool?.draw(layer, full, answer);
  }

  /** Shows an image once it is decoded, to avoid flicker. */
  async swap(address: string, alt: string) {
    const { shown } = this;
    if (shown?.src === address) return;
    const picture = new Image();
    picture.src = address;
    await picture.decode().catch(() => {});
    picture.alt = alt;
    const old = this.shown;
    if (old) old.replaceWith(picture);
    else {
      for (const words of this.frame.querySelectorAll('span')) words.remove();
      this.frame.prepend(picture);
    }
    if (old?.src.startsWith('blob:') && old.src !== this.original) URL.revokeObjectURL(old.src);
    this.place();
  }

  /** Shows the partial preview of a paid tool at its position. */
  showPatch(address: string, { part, preview: { scale } }: Preview) {
    const whole = { width: this.full.width * scale, height: this.full.height * scale };
    const patch = new Image();
    patch.className = 'patch';
    patch.alt = 'Part of the result, labelled as a preview';
    patch.src = address;
    patch.style.left = `${(100 * part!.x) / whole.width}%`;
    patch.style.top = `${(100 * part!.y) / whole.height}%`;
    patch.style.width = `${(100 * part!.width) / whole.width}%`;
    patch.style.height = `${(100 * part!.height) / whole.height}%`;
    this.layer.querySelector('.patch')?.remove();
    this.layer.prepend(patch);
  }

  /** A set of images with their names. */
  async showSheet(preview: Preview) {
    const { files = [] } = preview;
    const items: HTMLElement[] = [];
    for (const { name, image_b64: base64, content_type: type, width, height } of files) {
      const item = document.createElement('li');
      const picture = new Image(width, height);
      picture.src = imageAddress(base64, type);
      picture.alt = '';
      const words = document.createElement('span');
      words.textContent = name.replace(/\.\w+$/, '').replaceAll('_', ' ');
      item.append(picture, words);
      items.push(item);
    }
    const pictures = items.map((item) => item.querySelector('img')!);
    await Promise.all(pictures.map((picture) => picture.decode().catch(() => {})));
    if (this.answer !== preview) return;
    this.querySelector('.sheet')?.replaceChildren(...items);
    this.say('');
  }

  /** Handles a newly chosen image. */
  replaced() {
    const { shown, frame } = this;
    if (!frame.contains(this.layer)) frame.append(this.earlier, this.layer);
    if (shown?.alt !== CHOSEN_ALT || shown.src === this.original) return;
    this.original = shown.src;
    this.answer = undefined;
    shown.addEventListener('load', () => this.measure(shown), { once: true });
    if (shown.complete) this.measure(shown);
  }

  measure({ naturalWidth, naturalHeight, src }: HTMLImageElement) {
    if (src.startsWith('blob:')) this.dataset.side = String(Math.max(naturalWidth, naturalHeight));
    this.earlier.src = src;
    void this.earlier.decode().then(() => this.draw(true));
  }

  /** Aligns the layer with the image, which is contained in the frame. */
  place() {
    const { shown, frame, layer, earlier } = this;
    const { naturalWidth, naturalHeight } = shown ?? {};
    if (!naturalWidth || !naturalHeight) return;
    const scale = Math.min(frame.clientWidth / naturalWidth, frame.clientHeight / naturalHeight);
    const [width, height] = [naturalWidth * scale, naturalHeight * scale];
    const [left, top] = [(frame.clientWidth - width) / 2, (frame.clientHeight - height) / 2];
    // The transparency checkerboard ends at the image edges.
    shown!.style.clipPath = `inset(${top}px ${left}px)`;
    layer.style.width = `${width}px`;
    layer.style.height = `${height}px`;
    layer.style.left = `${left}px`;
    layer.style.top = `${top}px`;
    const isAlike =
      Math.abs(naturalWidth / naturalHeight / (earlier.naturalWidth / earlier.naturalHeight) - 1) < 0.015;
    this.slider.disabled = !isAlike || !this.answer;
  }

  /** Before/after slider: the original overlays the preview up to a divider. */
  addSlider() {
    const { slider, earlier, bar } = this;
    Object.assign(slider, { type: 'range', min: '0', max: '100', value: '0', disabled: true });
    slider.setAttribute('aria-label', 'Share of the original image shown');
    const label = document.createElement('label');
    label.className = 'compare';
    label.append('After', slider, 'Before');
    bar.append(label);
    earlier.className = 'before';
    earlier.alt = '';
    earlier.src = this.shown?.src ?? '';
    slider.addEventListener('input', () => {
      this.frame.insertBefore(earlier, this.layer);
      // The slider runs from the preview to the original.
      earlier.style.clipPath = `inset(0 ${100 - Number(slider.value)}% 0 0)`;
      earlier.hidden = slider.value === '0';
    });
    earlier.hidden = true;
    this.frame.insertBefore(earlier, this.layer);
    void earlier.decode().then(
      () => this.draw(),
      () => {},
    );
  }

  say(text: string, hasFailed = false) {
    const said = this.querySelector(':scope > [role=status]')!;
    // Messages quote field names in backticks.
    said.textContent = text.replaceAll('`', '');
    said.classList.toggle('bad', hasFailed);
  }
}

/** The operations without those whose boxes are not drawn yet. */
function withoutUnmarked(text: string): string {
  const items = itemsIn(text);
  return items ? listText(items.filter(({ where }) => !Array.isArray(where) || where.length > 0)) : text;
}

const isNothing = (value: unknown): boolean => value === null || value === '' || value === '[]';

customElements.define('at-stage', Stage);

export const findStage = (): Stage => document.querySelector<Stage>('at-stage')!;
