/** Images in a stage with common zoom and pan. */
import { button, create } from './elements.ts';

const ZOOM_MAX = 16;
const ZOOM_STEP = 1.5;
const DOUBLE_CLICK_ZOOM = 4;
const STEP_PX = 40;
/** Wheel delta of one step. */
const WHEEL_PX = 100;

interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Zoom {
  isZoomed(): boolean;
  move(x: number, y: number): void;
  /** Buttons, and the zoom level. */
  readonly controls: readonly HTMLElement[];
}

export function openZoom(stage: HTMLElement, images: readonly HTMLElement[]): Zoom {
  const level = create('output');
  const view = { zoom: 1, x: 0, y: 0 };
  const move = (x: number, y: number): void => {
    const { width, height } = stage.getBoundingClientRect();
    view.x = between(width * (1 - view.zoom), view.x + x, 0);
    view.y = between(height * (1 - view.zoom), view.y + y, 0);
    for (const { style } of images)
      style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.zoom})`;
    level.textContent = `× ${view.zoom.toFixed(1)}`;
    stage.classList.toggle('zoomed', view.zoom > 1);
  };
  /** Keeps the given point in place, or else the centre. */
  const zoomBy = (factor: number, at?: Point): void => {
    const { width, height } = stage.getBoundingClientRect();
    const { x, y } = at ?? { x: width / 2, y: height / 2 };
    const zoom = between(1, view.zoom * factor, ZOOM_MAX);
    const grown = zoom / view.zoom;
    view.zoom = zoom;
    move((x - view.x) * (1 - grown), (y - view.y) * (1 - grown));
  };
  const acts: Readonly<Record<string, () => void>> = {
    '+': () => zoomBy(ZOOM_STEP),
    '=': () => zoomBy(ZOOM_STEP),
    '-': () => zoomBy(1 / ZOOM_STEP),
    '0': () => zoomBy(0),
    ArrowLeft: () => move(STEP_PX, 0),
    ArrowRight: () => move(-STEP_PX, 0),
    ArrowUp: () => move(0, STEP_PX),
    ArrowDown: () => move(0, -STEP_PX),
  };
  listen(stage, { acts, zoomBy, isZoomed: () => view.zoom > 1 });
  new ResizeObserver(() => move(0, 0)).observe(stage);
  const named = (label: string, name: string, key: string): HTMLElement => {
    const element = button(label, acts[key]!);
    element.setAttribute('aria-label', name);
    return element;
  };
  const controls = [named('−', 'Zoom out', '-'), level, named('+', 'Zoom in', '+'), named('Fit', 'Fit', '0')];
  return { isZoomed: () => view.zoom > 1, move, controls };
}

interface Acts {
  readonly acts: Readonly<Record<string, () => void>>;
  zoomBy(factor: number, at: Point): void;
  isZoomed(): boolean;
}

function listen(stage: HTMLElement, { acts, zoomBy, isZoomed }: Acts): void {
  stage.tabIndex = 0;
  stage.addEventListener('keydown', (event) => {
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  stage.addEventListener('dblclick', (event) =>
    zoomBy(isZoomed() ? 0 : DOUBLE_CLICK_ZOOM, placeIn(stage, event)),
  );
  // Without a modifier key, the wheel scrolls the chat. Pinch gestures of a touchpad set one.
  stage.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomBy(ZOOM_STEP ** (-event.deltaY / WHEEL_PX), placeIn(stage, event));
    },
    { passive: false },
  );
}

/** Position of a pointer in an element, in pixels. */
export function placeIn(element: HTMLElement, { clientX, clientY }: MouseEvent): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

export const between = (least: number, value: number, most: number): number =>
  Math.min(most, Math.max(least, value));
