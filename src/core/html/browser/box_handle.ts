/** A box on the stage, moved and resized by mouse, touch and keyboard. */
import { ARROWS } from './arrow_keys.ts';
import { type Box, GRIPS, type Grip, moveBox, pullBox } from './box_geometry.ts';
import { followPointer } from './follow_pointer.ts';

interface Options {
  /** Spoken name: "Crop". */
  readonly label: string;
  /** Aspect ratio in image fractions. Unset: free. */
  readonly ratio?: number | undefined;
  /** Placed by the server; follows that position until the user moves it. */
  readonly isLoose?: boolean;
  /** Darkens the area outside. */
  readonly isCrop?: boolean;
  change(box: Box): void;
  /** Delete or Backspace. */
  remove?(): void;
}

const STEP = 0.01;
/** Three targets of 44 px side by side. */
const ROOMY_PX_MIN = 132;

/** @param layer element over the image, with its size */
export function boxHandle(layer: HTMLElement, first: Box, options: Options): void {
  const { label, ratio, isCrop = false, isLoose = false, change, remove } = options;
  let box = first;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `handle${isCrop ? ' crop' : ''}${isLoose ? ' loose' : ''}`;
  const draw = () => {
    const { style } = button;
    style.left = `${box.x * 100}%`;
    style.top = `${box.y * 100}%`;
    style.width = `${box.width * 100}%`;
    style.height = `${box.height * 100}%`;
    const [x, y, width, height] = [box.x, box.y, box.width, box.height].map((share) =>
      Math.round(share * 100),
    );
    // Grips of 44 px would cover the middle of a small box.
    const { clientWidth, clientHeight } = layer;
    button.classList.toggle('narrow', box.width * clientWidth < ROOMY_PX_MIN);
    button.classList.toggle('low', box.height * clientHeight < ROOMY_PX_MIN);
    button.setAttribute(
      'aria-label',
      `${label}: ${x}% from the left, ${y}% from the top, ${width}% wide, ${height}% high. Arrow keys move the box, Shift and arrow keys resize it`,
    );
  };
  const become = (next: Box) => {
    box = next;
    button.classList.remove('loose');
    draw();
    change(box);
  };
  for (const grip of GRIPS) button.append(gripOf(grip));
  button.addEventListener('keydown', (event) => {
    const arrow = ARROWS[event.key];
    if ((event.key === 'Delete' || event.key === 'Backspace') && remove) remove();
    else if (!arrow) return;
    else {
      const [dx, dy] = [arrow[0] * STEP, arrow[1] * STEP];
      become(event.shiftKey ? pullBox(box, dx ? 'e' : 's', { dx, dy }, ratio) : moveBox(box, dx, dy));
    }
    event.preventDefault();
  });
  button.addEventListener('pointerdown', (event) => {
    const grip = (event.target as HTMLElement).dataset.grip as Grip | undefined;
    const { clientX, clientY } = event;
    const { width, height } = layer.getBoundingClientRect();
    const start = box;
    event.stopPropagation();
    followPointer(button, event, (moved) => {
      const by = { dx: (moved.clientX - clientX) / width, dy: (moved.clientY - clientY) / height };
      become(grip ? pullBox(start, grip, by, ratio) : moveBox(start, by.dx, by.dy));
    });
  });
  layer.append(button);
  draw();
}

function gripOf(grip: Grip): HTMLElement {
  const element = document.createElement('span');
  element.className = `grip ${grip}`;
  element.dataset.grip = grip;
  return element;
}
