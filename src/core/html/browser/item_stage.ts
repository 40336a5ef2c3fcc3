/** Stage content and handles while an operation or layer is edited. */
import {
  angleAt,
  aspectIn,
  type Box,
  boxBetween,
  boxIn,
  inPercent,
  middleBox,
  shareOf,
} from './box_geometry.ts';
import { boxHandle } from './box_handle.ts';
import { drawBoxes } from './draw_boxes.ts';
import { followPointer } from './follow_pointer.ts';
import { type Item, listText } from './item_values.ts';
import type { Placed, Preview } from './live_preview.ts';
import type { StageTool } from './stage.ts';

/** The list whose items are edited. */
export interface EditedList {
  readonly items: Item[];
  /** Discriminator field of items. */
  readonly key: string;
  /** Index of the item whose form is open. */
  readonly opened: number;
  /** Writes a change on the stage into the open item. */
  drawn(path: string, value: unknown): void;
  change(items: Item[], opened: number): void;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Operations that change the canvas: their handles are on the image before the operation. */
const BEFORE: ReadonlySet<unknown> = new Set(['crop', 'perspective']);
/** The server chooses the crop: the result is shown without handles. */
const isFound = (item: Item): boolean =>
  item.op === 'crop' && item.box === undefined && item.gravity !== undefined && item.gravity !== 'centre';
const BOXED: ReadonlySet<unknown> = new Set(['text', 'overlay', 'qr', 'shape', 'image']);

/** @param at index of the item whose form is open; −1: none */
export function itemStage(list: EditedList, at: number): StageTool | undefined {
  const item = list.items[at];
  if (!item) return undefined;
  const kind = item[list.key];
  const isLayer = list.key === 'type';
  const isBefore = BEFORE.has(kind) && !isFound(item);
  const isOnImage = BEFORE.has(kind) || BOXED.has(kind) || kind === 'rotate' || Array.isArray(item.where);
  const until = isBefore ? at : at + 1;
  return {
    ...(isOnImage && !isLayer && { settings: () => ({ operations: listText(list.items.slice(0, until)) }) }),
    showsOriginal: !isLayer && isBefore && at === 0,
    draw(layer, full, preview) {
      const now = list.items[at];
      if (!now || isFound(now)) return;
      if (kind === 'crop') drawCrop(list, now, { layer, full });
      else if (kind === 'perspective') drawCorners(list, now, { layer, full });
      else if (kind === 'rotate' && !isLayer) drawAngle(list, now, layer);
      else if (BOXED.has(kind)) drawItem(list, now, { layer, full, placed: placedOf(preview, at, isLayer) });
      else if (Array.isArray(now.where)) drawWhere(list, now.where, { layer, full });
    },
  };
}

interface On {
  readonly layer: HTMLElement;
  readonly full: Size;
}

const placedOf = (preview: Preview | undefined, at: number, isLayer: boolean): Placed | undefined =>
  (isLayer ? preview?.layers : preview?.applied)?.[at];

function drawCrop(list: EditedList, item: Item, { layer, full }: On): void {
  const aspect = aspectIn(item.aspect);
  const ratio = aspect === undefined ? undefined : (aspect * full.height) / full.width;
  const [width, height] = [shareOf(item.width, full.width), shareOf(item.height, full.height)];
  const sized = width && height ? { x: (1 - width) / 2, y: (1 - height) / 2, width, height } : undefined;
  const whole = { x: 0, y: 0, width: 1, height: 1 };
  const start = boxIn(item.box, full) ?? sized ?? (ratio ? middleBox(ratio) : whole);
  boxHandle(layer, start, {
    label: 'Crop',
    ratio,
    isCrop: true,
    change: (box) => list.drawn('box', inPercent(box)),
  });
}

/** Handle for a text, image or shape; without a box it starts with the box of the preview. */
function drawItem(
  list: EditedList,
  item: Item,
  { layer, full, placed }: On & { readonly placed: Placed | undefined },
): void {
  const sent = boxIn(item.box, full);
  const box = sent ?? (placed?.box && boxOnPreview(placed.box, shownSize(layer, full)));
  if (!box) return;
  boxHandle(layer, box, {
    label: String(item.text ?? item[list.key]).slice(0, 40),
    isLoose: sent === undefined,
    change: (moved) => list.drawn('box', inPercent(moved)),
    remove: () => list.change(list.items.toSpliced(list.opened, 1), -1),
  });
}

/** Size of the preview, in whose px the boxes of a response are. */
function shownSize(layer: HTMLElement, full: Size): Size {
  const shown = layer.parentElement!.querySelector<HTMLImageElement>('img:not(.before)');
  return { width: shown?.naturalWidth ?? full.width, height: shown?.naturalHeight ?? full.height };
}

const boxOnPreview = (box: Box, { width, height }: Size): Box => ({
  x: box.x / width,
  y: box.y / height,
  width: box.width / width,
  height: box.height / height,
});

function drawWhere(list: EditedList, where: readonly unknown[], { layer, full }: On): void {
  const boxes = where.flatMap((sent) => boxIn(sent, full) ?? []);
  drawBoxes(layer, boxes, { label: 'Box', change: (changed) => list.drawn('where', changed.map(inPercent)) });
}

const TURN_STEP = 1;
const FAST_STEP = 15;

/** Rotation knob around the centre of the image. */
function drawAngle(list: EditedList, item: Item, layer: HTMLElement): void {
  const knob = document.createElement('button');
  knob.type = 'button';
  knob.className = 'knob';
  knob.setAttribute('role', 'slider');
  knob.setAttribute('aria-label', 'Rotation, degrees clockwise');
  knob.setAttribute('aria-valuemin', '-180');
  knob.setAttribute('aria-valuemax', '180');
  let degrees = Number(item.degrees ?? 0);
  const draw = () => {
    knob.setAttribute('aria-valuenow', String(degrees));
    const radians = (degrees * Math.PI) / 180;
    knob.style.left = `${50 + 40 * Math.sin(radians)}%`;
    knob.style.top = `${50 - 40 * Math.cos(radians)}%`;
  };
  const turn = (to: number) => {
    degrees = Math.round(10 * (((((to + 180) % 360) + 360) % 360) - 180)) / 10;
    draw();
    list.drawn('degrees', degrees);
  };
  knob.addEventListener('keydown', (event) => {
    const step = event.shiftKey ? FAST_STEP : TURN_STEP;
    if (/^Arrow(Right|Up)$/.test(event.key)) turn(degrees + step);
    else if (/^Arrow(Left|Down)$/.test(event.key)) turn(degrees - step);
    else return;
    event.preventDefault();
  });
  knob.addEventListener('pointerdown', (event) => {
    const drag = ({ clientX, clientY, shiftKey }: PointerEvent) => {
      const { left, top, width, height } = layer.getBoundingClientRect();
      const angle = angleAt(clientX - left - width / 2, clientY - top - height / 2);
      turn(shiftKey ? Math.round(angle / FAST_STEP) * FAST_STEP : Math.round(angle));
    };
    followPointer(knob, event, drag);
  });
  layer.append(knob);
  draw();
}

/** Radius of a corner handle as a fraction of a side. */
const CORNER_RADIUS = 0.02;
const CORNER_NAMES = ['Upper left', 'Upper right', 'Lower right', 'Lower left'];

/** Handles for the four corners of a perspective correction. */
function drawCorners(list: EditedList, item: Item, { layer, full }: On): void {
  const sent = Array.isArray(item.corners) ? (item.corners as unknown[][]) : [];
  const start = [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.9, 0.9],
    [0.1, 0.9],
  ].map(([x, y], at): [number, number] => [
    shareOf(sent[at]?.[0], full.width) ?? x!,
    shareOf(sent[at]?.[1], full.height) ?? y!,
  ]);
  const around = ([x, y]: readonly [number, number]): Box =>
    boxBetween([x - CORNER_RADIUS, y - CORNER_RADIUS], [x + CORNER_RADIUS, y + CORNER_RADIUS]);
  for (const [at, name] of CORNER_NAMES.entries())
    boxHandle(layer, around(start[at]!), {
      label: `${name} corner`,
      change(box) {
        start[at] = [box.x + box.width / 2, box.y + box.height / 2];
        const corners = start.map(([x, y]) => {
          const { x: left, y: top } = inPercent({ x, y, width: 0, height: 0 });
          return [left, top];
        });
        list.drawn('corners', corners);
      },
    });
}
