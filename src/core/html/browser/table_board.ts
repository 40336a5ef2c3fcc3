/** The table canvas: images on a plane with pan, zoom and selection. Only visible tiles are in the document. */
import { ARROWS } from './arrow_keys.ts';
import { followPointer } from './follow_pointer.ts';
import {
  CELL_PX,
  cellOf,
  fitView,
  homeView,
  idsWithin,
  neighbourOf,
  onTable,
  type Point,
  placesOf,
  TILE,
  type View,
  viewWith,
  zoomAround,
} from './table_plane.ts';
import type { Item, ShownSize } from './table_state.ts';

interface Options {
  /** Address of the bytes of an item. */
  address(item: number, size: ShownSize): string;
  readonly canWork: boolean;
  /** The selection was changed here. */
  select(items: readonly number[]): void;
  open(item: number): void;
  move(places: readonly { readonly item: number; readonly x: number; readonly y: number }[]): void;
  /** The view was zoomed or moved. */
  viewed(zoom: number): void;
}

const ZOOM_STEP = 1.25;
const WHEEL_ZOOM = 0.0022;
const KEY_MOVE_PX = 24;
/** A shorter drag counts as a click. */
const DRAG_MIN_PX = 4;
/** Longer side of the derivatives; slight upscaling (STRETCHED) is not visible. */
const SIZES = [
  ['tiny', 128],
  ['small', 320],
  ['large', Number.POSITIVE_INFINITY],
] as const;
const STRETCHED = 1.1;
/** Tiles created per frame, to avoid long tasks. */
const TILES_A_FRAME = 12;
/** After the last change of the view. */
const REST_MS = 150;
const FRAME_MS = 16;
/** Larger images requested per frame. */
const IMAGES_A_FRAME = 4;
/** Captions are hidden below this zoom. */
const CAPTION_ZOOM_MIN = 0.45;

export class Board {
  readonly element: HTMLElement;
  readonly options: Options;
  readonly plane = document.createElement('div');
  readonly tiles = new Map<string, HTMLElement>();
  items = new Map<string, Item>();
  places: ReadonlyMap<string, Point> = new Map();
  view: View = { x: 0, y: 0, zoom: 1 };
  selected = new Set<string>();
  active: string | undefined;
  /** Places while images are dragged. */
  dragged: ReadonlyMap<string, Point> = new Map();
  frame = 0;
  /** The view follows the images until the visitor moves it. */
  isFitted = true;
  /** Server-rendered first view; undefined once tiles replace it. */
  firstView: Element | undefined;

  constructor(element: HTMLElement, options: Options) {
    this.element = element;
    this.options = options;
    this.plane.className = 'plane';
    this.plane.setAttribute('role', 'presentation');
    this.firstView = element.querySelector('.first-view') ?? undefined;
    element.append(this.plane);
    element.tabIndex = 0;
    element.setAttribute('role', 'listbox');
    element.setAttribute('aria-multiselectable', 'true');
    element.setAttribute('aria-label', 'Images on the table');
    element.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    element.addEventListener('pointerdown', (event) => this.press(event));
    element.addEventListener('dblclick', (event) => {
      const id = tileId(event.target);
      if (id) this.options.open(Number(id));
    });
    element.addEventListener('keydown', (event) => this.key(event));
    element.addEventListener('focus', () => {
      if (!this.active) this.activate(this.places.keys().next().value);
    });
    new ResizeObserver(() => (this.isFitted ? this.home() : this.draw())).observe(element);
  }

  get screen() {
    return { width: this.element.clientWidth, height: this.element.clientHeight };
  }

  setItems(items: readonly Item[]): void {
    this.items = new Map(items.map((item) => [String(item.item), item]));
    this.places = placesOf(
      items.map(({ item, x, y }) => ({
        id: String(item),
        ...(x !== null && y !== null && { at: { x, y } }),
      })),
    );
    for (const id of this.selected) if (!this.items.has(id)) this.selected.delete(id);
    if (this.active && !this.items.has(this.active)) this.active = undefined;
    for (const [id, tile] of this.tiles) {
      const item = this.items.get(id);
      if (item) name(tile, item);
    }
    this.element.hidden = items.length === 0;
    if (this.isFitted) this.home();
    else this.draw();
  }

  /** Selection from the list, a link or a result. */
  setSelected(items: readonly number[], shows = false): void {
    this.selected = new Set(items.map(String).filter((id) => this.items.has(id)));
    const last = [...this.selected].at(-1);
    if (last) this.activate(last, shows);
    this.draw();
  }

  /** Initial view. */
  home(): void {
    if (this.screen.width > 0) this.setView(homeView(this.places.values(), this.screen), true);
  }

  fit(): void {
    if (this.screen.width > 0) this.setView(fitView(this.places.values(), this.screen));
  }

  zoom(factor: number, at: Point = { x: this.screen.width / 2, y: this.screen.height / 2 }): void {
    this.setView(zoomAround(this.view, factor, at));
  }

  setView(view: View, isFitted = false): void {
    this.view = view;
    this.isFitted = isFitted;
    this.draw();
    this.options.viewed(view.zoom);
  }

  /** At most once in a frame. */
  draw(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.drawNow());
  }

  drawNow(): void {
    this.frame = 0;
    const { view, screen, plane } = this;
    plane.style.transform = `scale(${view.zoom}) translate(${-view.x}px, ${-view.y}px)`;
    plane.classList.toggle('far', view.zoom < CAPTION_ZOOM_MIN);
    const margin = TILE.width / 2;
    const seen = new Set(
      idsWithin(
        this.nowPlaces(),
        { x: view.x - margin, y: view.y - margin },
        { x: view.x + screen.width / view.zoom + margin, y: view.y + screen.height / view.zoom + margin },
      ),
    );
    for (const [id, tile] of this.tiles)
      if (!seen.has(id)) {
        tile.remove();
        this.tiles.delete(id);
      }
    let made = 0;
    for (const id of seen) {
      const known = this.tiles.get(id);
      if (!known && made >= TILES_A_FRAME) continue;
      if (!known) made += 1;
      this.drawTile(id, known ?? this.addTile(id));
    }
    if (made >= TILES_A_FRAME) this.draw();
    else void this.endFirstView();
    if (this.active && this.tiles.has(this.active))
      this.element.setAttribute('aria-activedescendant', `tile-${this.active}`);
    else this.element.removeAttribute('aria-activedescendant');
  }

  /** Removes the first view once the tiles over it are visible, to avoid flicker. */
  async endFirstView(): Promise<void> {
    const { firstView } = this;
    if (!firstView) return;
    this.firstView = undefined;
    const images = this.plane.querySelectorAll('img');
    const drawn = [...images].slice(0, firstView.querySelectorAll('image').length);
    await Promise.allSettled(drawn.map((image) => image.decode()));
    firstView.remove();
  }

  nowPlaces(): ReadonlyMap<string, Point> {
    return this.dragged.size === 0 ? this.places : new Map([...this.places, ...this.dragged]);
  }

  addTile(id: string): HTMLElement {
    const tile = document.createElement('div');
    tile.className = 'tile';
    tile.id = `tile-${id}`;
    tile.setAttribute('role', 'option');
    const cell = document.createElement('span');
    cell.className = 'cell';
    const caption = document.createElement('span');
    caption.className = 'name';
    tile.append(cell, caption);
    name(tile, this.items.get(id)!);
    this.tiles.set(id, tile);
    this.plane.append(tile);
    return tile;
  }

  drawTile(id: string, tile: HTMLElement): void {
    const { x, y } = this.dragged.get(id) ?? this.places.get(id)!;
    tile.style.transform = `translate(${x}px, ${y}px)`;
    tile.setAttribute('aria-selected', String(this.selected.has(id)));
    tile.classList.toggle('active', id === this.active);
    const item = this.items.get(id)!;
    if (item.kind !== 'image') return;
    const image = tile.querySelector('img');
    if (!image) this.load(item, imageIn(tile, item));
    else if (this.isCoarse(image)) this.sharpenLater();
  }

  /** Smallest derivative that is sharp at this zoom. */
  get sizeShown() {
    const wanted = CELL_PX * this.view.zoom * devicePixelRatio;
    return SIZES.find(([, most]) => wanted <= most * STRETCHED)!;
  }

  /** A loaded image is not replaced by a smaller one. */
  isCoarse = (image: HTMLImageElement): boolean => Number(image.dataset.side) < this.sizeShown[1];

  load({ item }: Item, image: HTMLImageElement): void {
    const [size, side] = this.sizeShown;
    image.dataset.side = String(side);
    image.src = this.options.address(item, size);
  }

  sharpening = 0;

  /** Loads larger images once the view rests, not on every zoom step. */
  sharpenLater(): void {
    clearTimeout(this.sharpening);
    this.sharpening = setTimeout(() => this.sharpen(), REST_MS);
  }

  sharpen(): void {
    const coarse = [...this.tiles].flatMap(([id, tile]) => {
      const image = tile.querySelector('img');
      return image && this.isCoarse(image) ? [{ id, image }] : [];
    });
    for (const { id, image } of coarse.slice(0, IMAGES_A_FRAME)) this.load(this.items.get(id)!, image);
    if (coarse.length > IMAGES_A_FRAME) this.sharpening = setTimeout(() => this.sharpen(), FRAME_MS);
  }

  wheel(event: WheelEvent): void {
    event.preventDefault();
    const { left, top } = this.element.getBoundingClientRect();
    const at = { x: event.clientX - left, y: event.clientY - top };
    if (event.ctrlKey || event.metaKey) {
      this.zoom(Math.exp(-event.deltaY * WHEEL_ZOOM), at);
      return;
    }
    const { x, y, zoom } = this.view;
    const [dx, dy] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
    this.setView({ x: x + dx / zoom, y: y + dy / zoom, zoom });
  }

  /** Fingers on the plane, by pointer. */
  fingers = new Map<number, Point>();

  press(event: PointerEvent): void {
    if (event.pointerType === 'touch') {
      this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const lift = ({ pointerId }: PointerEvent) => this.fingers.delete(pointerId);
      for (const end of ['pointerup', 'pointercancel'] as const)
        this.element.addEventListener(end, lift, { once: true });
      if (this.fingers.size === 2) return;
    }
    const id = tileId(event.target);
    if (event.button === 1 || this.isPanning || (event.pointerType === 'touch' && !this.isHeld(id)))
      this.pan(event, id);
    else if (event.button === 0 && id) this.drag(event, id);
    else if (event.button === 0) this.marquee(event);
  }

  /** While the space bar is held. */
  isPanning = false;

  isHeld = (id: string | undefined): boolean => id !== undefined && this.selected.has(id);

  /** One finger, the middle button or Space pan; two fingers zoom. A click without movement selects. */
  pan(event: PointerEvent, id: string | undefined): void {
    const start = this.view;
    const from = { x: event.clientX, y: event.clientY };
    let last: readonly Point[] = [];
    let isMoved = false;
    const move = (moved: PointerEvent) => {
      if (this.fingers.has(moved.pointerId))
        this.fingers.set(moved.pointerId, { x: moved.clientX, y: moved.clientY });
      const points = [...this.fingers.values()];
      if (points.length === 2) {
        isMoved = true;
        if (last.length === 2) this.pinch(last, points);
        last = points;
        return;
      }
      const [dx, dy] = [moved.clientX - from.x, moved.clientY - from.y];
      isMoved ||= Math.hypot(dx, dy) >= DRAG_MIN_PX;
      if (isMoved && last.length === 0)
        this.setView({ ...start, x: start.x - dx / start.zoom, y: start.y - dy / start.zoom });
    };
    followPointer(this.element, event, move, () => {
      if (!isMoved && event.button === 0 && !this.isPanning) this.choose(id, event.shiftKey);
    });
  }

  pinch([a, b]: readonly Point[], [c, d]: readonly Point[]): void {
    if (!a || !b || !c || !d) return;
    const { left, top } = this.element.getBoundingClientRect();
    const before = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    const after = { x: (c.x + d.x) / 2, y: (c.y + d.y) / 2 };
    const factor = Math.hypot(c.x - d.x, c.y - d.y) / Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
    const { x, y, zoom } = zoomAround(this.view, factor, { x: before.x - left, y: before.y - top });
    this.setView({ zoom, x: x - (after.x - before.x) / zoom, y: y - (after.y - before.y) / zoom });
  }

  /** Moves the selected images with the one that is dragged. */
  drag(event: PointerEvent, id: string): void {
    const adds = event.shiftKey || event.ctrlKey || event.metaKey;
    const wasSelected = this.selected.has(id);
    if (!wasSelected) this.choose(id, adds);
    const from = { x: event.clientX, y: event.clientY };
    const starts = new Map([...this.selected].map((one) => [one, this.places.get(one)!]));
    followPointer(
      this.element,
      event,
      (moved) => {
        const [dx, dy] = [moved.clientX - from.x, moved.clientY - from.y];
        if (!this.options.canWork || (this.dragged.size === 0 && Math.hypot(dx, dy) < DRAG_MIN_PX)) return;
        const { zoom } = this.view;
        this.dragged = new Map(
          [...starts].map(([one, { x, y }]) => [one, { x: x + dx / zoom, y: y + dy / zoom }]),
        );
        this.draw();
      },
      () => {
        if (this.dragged.size > 0) this.dropDragged();
        else if (wasSelected) this.choose(id, adds);
      },
    );
  }

  dropDragged(): void {
    const moved = [...this.dragged].map(([id, { x, y }]) => ({
      item: Number(id),
      x: Math.round(x),
      y: Math.round(y),
    }));
    this.places = this.nowPlaces();
    this.dragged = new Map();
    this.isFitted = false;
    this.options.move(moved);
  }

  /** Rubber-band selection. */
  marquee(event: PointerEvent): void {
    const { left, top } = this.element.getBoundingClientRect();
    const pointOf = ({ clientX, clientY }: PointerEvent) =>
      onTable(this.view, { x: clientX - left, y: clientY - top });
    const from = pointOf(event);
    const before = event.shiftKey ? [...this.selected] : [];
    const box = document.createElement('div');
    box.className = 'marquee';
    followPointer(
      this.element,
      event,
      (moved) => {
        const to = pointOf(moved);
        if (!box.isConnected) this.plane.append(box);
        const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
        box.style.transform = `translate(${x}px, ${y}px)`;
        box.style.width = `${Math.abs(to.x - from.x)}px`;
        box.style.height = `${Math.abs(to.y - from.y)}px`;
        this.selected = new Set([...before, ...idsWithin(this.places, from, to)]);
        this.draw();
      },
      () => {
        if (!box.isConnected) this.selected = new Set(before);
        box.remove();
        this.tell();
      },
    );
  }

  choose(id: string | undefined, adds: boolean): void {
    if (!adds) this.selected = new Set(id ? [id] : []);
    else if (id) this.selected.has(id) ? this.selected.delete(id) : this.selected.add(id);
    if (id) this.activate(id);
    this.tell();
  }

  tell(): void {
    this.draw();
    this.options.select([...this.selected].map(Number));
  }

  activate(id: string | undefined, shows = true): void {
    if (id === undefined) return;
    this.active = id;
    const place = this.places.get(id);
    if (place && shows) {
      const view = viewWith(this.view, place, this.screen);
      if (view.x !== this.view.x || view.y !== this.view.y) this.setView(view);
    }
    this.draw();
  }

  key(event: KeyboardEvent): void {
    if (event.target !== this.element) return;
    const arrow = ARROWS[event.key];
    const { active } = this;
    if (arrow && event.altKey) this.nudge(arrow);
    else if (arrow) {
      const next = active
        ? neighbourOf(this.places, active, [arrow[0], arrow[1]])
        : this.places.keys().next().value;
      if (next && event.shiftKey) {
        this.selected.add(next);
        if (active) this.selected.add(active);
        this.activate(next);
        this.tell();
      } else if (next) this.choose(next, false);
    } else if (event.key === ' ' && active) this.choose(active, true);
    else if (event.key === 'Home' || event.key === 'End') {
      const ids = [...this.places.keys()];
      this.choose(event.key === 'Home' ? ids[0] : ids.at(-1), false);
    } else if (event.key === 'Enter' && active) this.options.open(Number(active));
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
      this.selected = new Set(this.items.keys());
      this.tell();
    } else if (/^[+=]$/.test(event.key)) this.zoom(ZOOM_STEP);
    else if (event.key === '-') this.zoom(1 / ZOOM_STEP);
    else if (event.key === '0') this.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves the selected images by keys. */
  nudge([dx, dy]: readonly [number, number]): void {
    if (!this.options.canWork || this.selected.size === 0) return;
    this.dragged = new Map(
      [...this.selected].map((id) => {
        const { x, y } = this.places.get(id)!;
        return [id, { x: x + dx * KEY_MOVE_PX, y: y + dy * KEY_MOVE_PX }];
      }),
    );
    this.dropDragged();
    this.draw();
  }
}

const tileId = (target: EventTarget | null): string | undefined =>
  (target as Element | null)?.closest<HTMLElement>('.tile')?.id.slice('tile-'.length);

function name(tile: HTMLElement, { name: text, caption, kind }: Item): void {
  tile.setAttribute('aria-label', caption ? `${text}: ${caption}` : text);
  tile.querySelector('.name')!.textContent = text;
  tile.classList.toggle('document', kind === 'file');
  if (kind === 'file')
    tile.querySelector<HTMLElement>('.cell')!.dataset.kind =
      /\.(\w{1,5})$/.exec(text)?.[1]?.toUpperCase() ?? 'File';
}

function imageIn(tile: HTMLElement, item: Item): HTMLImageElement {
  const { width, height } = cellOf(item);
  const image = new Image(width, height);
  image.alt = '';
  image.decoding = 'async';
  image.draggable = false;
  // The checkerboard is shown behind transparent areas only after loading.
  image.addEventListener('load', () => image.classList.add('seen'));
  tile.querySelector('.cell')!.append(image);
  return image;
}
