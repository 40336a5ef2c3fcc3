/** Two overlaid images of one shape, with a slider for the divider. */
import { create } from './elements.ts';
import { between, openZoom, placeIn } from './zoom.ts';

/** Above this height the slider would be off screen. */
const STAGE_PX_MAX = 560;
/** Grab distance of the divider. */
const LINE_REACH_PX = 24;

/** @param before shown left of the divider @param after shown right of it */
export function openSlider(before: HTMLImageElement, after: HTMLImageElement): HTMLElement {
  const upper = create('div', [after], 'layer');
  const line = create('div', '', 'line');
  const stage = create('div', [create('div', [before], 'layer'), upper, line], 'stage');
  stage.setAttribute('role', 'group');
  stage.setAttribute('aria-label', 'Both images. Plus and minus zoom, arrow keys move, 0 fits');
  const shape = after.naturalWidth / after.naturalHeight;
  Object.assign(stage.style, { aspectRatio: String(shape), maxWidth: `${STAGE_PX_MAX * shape}px` });
  const share = create('input');
  Object.assign(share, { type: 'range', min: '0', max: '100', value: '50', step: '0.5' });
  share.setAttribute('aria-label', 'Share of the original image');
  const divide = (percent: number): void => {
    share.value = String(between(0, percent, 100));
    upper.style.clipPath = `inset(0 0 0 ${share.value}%)`;
    line.style.left = `${share.value}%`;
  };
  share.addEventListener('input', () => divide(Number(share.value)));
  divide(50);
  const { controls, move, isZoomed } = openZoom(stage, [before, after]);

  const percentAt = (event: PointerEvent) => (100 * placeIn(stage, event).x) / stage.clientWidth;
  let held: 'line' | 'pictures' | undefined;
  /** Tracked here, because not every browser reports the movement of a touch. */
  let last = { x: 0, y: 0 };
  stage.addEventListener('pointerdown', (event) => {
    const distance = (Math.abs(percentAt(event) - Number(share.value)) * stage.clientWidth) / 100;
    held = isZoomed() && distance > LINE_REACH_PX ? 'pictures' : 'line';
    stage.setPointerCapture(event.pointerId);
    last = placeIn(stage, event);
    if (held === 'line') divide(percentAt(event));
  });
  stage.addEventListener('pointermove', (event) => {
    if (held === 'line') divide(percentAt(event));
    if (held !== 'pictures') return;
    const place = placeIn(stage, event);
    move(place.x - last.x, place.y - last.y);
    last = place;
  });
  for (const name of ['pointerup', 'pointercancel'] as const) {
    stage.addEventListener(name, () => {
      held = undefined;
    });
  }
  return create('div', [stage, create('div', [share, ...controls], 'tools')], 'slider');
}
