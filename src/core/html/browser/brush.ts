/** Strokes painted over an image by mouse, touch or keyboard. */
import { ARROWS } from './arrow_keys.ts';
import { followPointer } from './follow_pointer.ts';

/** Points and radius as fractions of the image width. */
export interface Stroke {
  readonly points: (readonly [number, number])[];
  readonly radius: number;
  readonly keep: boolean;
}

interface Options {
  readonly label: string;
  radius(): number;
  keep(): boolean;
  /** After every stroke. */
  change(strokes: readonly Stroke[]): void;
}

const KEY_STEP = 0.01;
const COLORS = { keep: 'oklch(0.72 0.17 152 / 0.55)', remove: 'oklch(0.62 0.22 27 / 0.55)' };

/**
 * Adds a canvas over the image. @param layer element over the image, with its size
 * @returns a function that undoes the last stroke
 */
export function brush(layer: HTMLElement, strokes: Stroke[], options: Options): () => void {
  const canvas = canvasOver(layer, options.label);
  let cursor: [number, number] = [0.5, 0.5];
  /** Position of the mouse; the keyboard cursor is shown during keyboard use. */
  let pointer: [number, number] | undefined;
  const draw = () =>
    drawStrokes(canvas, strokes, {
      at: pointer ?? (canvas.matches(':focus-visible') ? cursor : undefined),
      radius: options.radius(),
    });
  const begin = (point: readonly [number, number]): Stroke => {
    const stroke = { points: [point], radius: options.radius(), keep: options.keep() };
    strokes.push(stroke);
    return stroke;
  };
  const back = () => {
    strokes.pop();
    draw();
    options.change(strokes);
  };
  const pointAt = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top, width } = canvas.getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / width];
  };
  canvas.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    canvas.focus({ preventScroll: true });
    const stroke = begin(pointAt(event));
    draw();
    const drag = (moved: PointerEvent) => {
      stroke.points.push(pointAt(moved));
      draw();
    };
    followPointer(canvas, event, drag, () => options.change(strokes));
  });
  const hover = (event: PointerEvent) => {
    pointer = event.type === 'pointerleave' || event.pointerType === 'touch' ? undefined : pointAt(event);
    draw();
  };
  for (const name of ['pointermove', 'pointerleave'] as const) canvas.addEventListener(name, hover);
  canvas.addEventListener('keydown', (event) => {
    pointer = undefined;
    const step = ARROWS[event.key];
    if (step) cursor = [cursor[0] + step[0] * KEY_STEP, cursor[1] + step[1] * KEY_STEP];
    else if (event.key === ' ') {
      begin([...cursor]);
      options.change(strokes);
    } else if (event.key === 'Backspace') back();
    else return;
    event.preventDefault();
    draw();
  });
  for (const name of ['focus', 'blur'] as const) canvas.addEventListener(name, draw);
  new ResizeObserver(() => {
    canvas.width = layer.clientWidth;
    canvas.height = layer.clientHeight;
    draw();
  }).observe(layer);
  return back;
}

function canvasOver(layer: HTMLElement, label: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.tabIndex = 0;
  canvas.className = 'brush';
  canvas.setAttribute('role', 'application');
  canvas.setAttribute(
    'aria-label',
    `${label}. Arrow keys move the brush, Space paints a dot, Backspace undoes the last stroke`,
  );
  layer.append(canvas);
  return canvas;
}

/** Brush cursor, drawn as a ring. */
interface Cursor {
  readonly at: readonly [number, number] | undefined;
  readonly radius: number;
}

function drawStrokes(canvas: HTMLCanvasElement, strokes: readonly Stroke[], { at, radius }: Cursor): void {
  const context = canvas.getContext('2d')!;
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  for (const stroke of strokes) {
    context.strokeStyle = stroke.keep ? COLORS.keep : COLORS.remove;
    paintStroke(context, stroke, width);
  }
  if (!at) return;
  // Dark around light, visible on any image.
  for (const [lineWidth, color] of [
    [4, 'black'],
    [2, 'white'],
  ] as const) {
    context.lineWidth = lineWidth;
    context.strokeStyle = color;
    context.beginPath();
    context.arc(at[0] * width, at[1] * width, Math.max(2, radius * width), 0, 2 * Math.PI);
    context.stroke();
  }
}

function paintStroke(context: CanvasRenderingContext2D, { points, radius }: Stroke, scale: number): void {
  context.lineWidth = 2 * radius * scale;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.beginPath();
  const [[x, y]] = points as [readonly [number, number]];
  context.moveTo(x * scale, y * scale);
  for (const [toX, toY] of points) context.lineTo(toX * scale, toY * scale);
  context.stroke();
}

/** PNG mask: strokes white, the rest black. */
export async function maskOf(
  strokes: readonly Stroke[],
  { width, height }: { width: number; height: number },
): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d')!;
  context.fillRect(0, 0, width, height);
  context.strokeStyle = 'white';
  for (const stroke of strokes) paintStroke(context, stroke, width);
  const blob = await new Promise<Blob>((resolve) => canvas.toBlob((made) => resolve(made!), 'image/png'));
  return new File([blob], 'mask.png', { type: 'image/png' });
}
