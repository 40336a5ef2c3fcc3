/** Boxes on the image: drawn by dragging, then moved and resized. */
import { type Box, boxBetween } from './box_geometry.ts';
import { boxHandle } from './box_handle.ts';
import { followPointer } from './follow_pointer.ts';
import { pressable } from './pressable.ts';

interface Options {
  readonly label: string;
  /** After every change. */
  change(boxes: readonly Box[]): void;
}

/** A smaller drag counts as a click. */
const DRAG_MIN = 0.01;
/** Position of a box added by keyboard. */
const ADDED: Box = { x: 0.4, y: 0.4, width: 0.2, height: 0.2 };

/** @param layer element over the image, with its size */
export function drawBoxes(layer: HTMLElement, first: readonly Box[], { label, change }: Options): void {
  let boxes = [...first];
  const surface = document.createElement('div');
  surface.className = 'surface';
  const draw = () => {
    for (const old of layer.querySelectorAll('.handle')) old.remove();
    for (const [at, box] of boxes.entries())
      boxHandle(layer, box, {
        label: `${label} ${at + 1} of ${boxes.length}. Press Delete to remove it`,
        change(moved) {
          boxes[at] = moved;
          change(boxes);
        },
        remove: () => become(boxes.toSpliced(at, 1)),
      });
  };
  const become = (next: Box[]) => {
    boxes = next;
    draw();
    change(boxes);
  };
  const add = pressable('Add box', () => {
    become([...boxes, ADDED]);
    [...layer.querySelectorAll<HTMLElement>('.handle')].at(-1)?.focus();
  });
  add.className = 'add-box';
  surface.addEventListener('pointerdown', (event) => {
    const { left, top, width, height } = layer.getBoundingClientRect();
    const pointOf = ({ clientX, clientY }: PointerEvent): [number, number] => [
      (clientX - left) / width,
      (clientY - top) / height,
    ];
    const from = pointOf(event);
    const end = (released: PointerEvent) => {
      const box = boxBetween(from, pointOf(released));
      if (box.width >= DRAG_MIN && box.height >= DRAG_MIN) become([...boxes, box]);
    };
    followPointer(surface, event, () => {}, end);
  });
  layer.append(surface, add);
  draw();
}
