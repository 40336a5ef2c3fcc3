/** One image over the table, or two with a slider. */
import { pressable } from './pressable.ts';
import { factsText, type Item, type ShownSize } from './table_state.ts';

export interface FillOptions {
  readonly place: HTMLElement;
  address(item: number, size: ShownSize): string;
  close(): void;
  /** Titles of the two images. Unset: before and after, or first and second. */
  readonly titles?: readonly [string, string] | undefined;
}

/** Relative difference of aspect ratios above which images cannot be overlaid. */
const ALIKE = 0.015;

/** Shows an item; with `before`, both with a slider, or side by side if their aspect ratios differ. */
export function showFill(item: Item, before: Item | undefined, options: FillOptions): void {
  const { place, address, close, titles } = options;
  const proof = document.createElement('div');
  proof.className = 'fill-stage';
  const bar = document.createElement('div');
  bar.className = 'bar fill-bar';
  const back = pressable('Back to table', close);
  back.className = 'back-to-table';
  bar.append(back);
  const isOver = before !== undefined && areAlike(item, before);
  if (before && !isOver) {
    proof.classList.add('side-by-side');
    proof.append(
      figure(before, titles?.[0] ?? 'First', address),
      figure(item, titles?.[1] ?? 'Second', address),
    );
  } else {
    const compare = document.createElement('at-compare');
    if (before) compare.append(figure(before, titles?.[0] ?? 'Before', address));
    const after = figure(item, before ? (titles?.[1] ?? 'After') : '', address);
    after.classList.add('made');
    compare.append(after);
    proof.append(compare);
  }
  place.replaceChildren(proof, bar);
  back.focus({ preventScroll: true });
}

function figure(item: Item, title: string, address: FillOptions['address']): HTMLElement {
  const box = document.createElement('figure');
  const image = new Image(item.width ?? 1200, item.height ?? 900);
  image.alt = item.caption || item.name;
  image.src = address(item.item, 'large');
  const caption = document.createElement('figcaption');
  caption.textContent = [title, item.name, factsText(item)].filter(Boolean).join(', ');
  box.append(image, caption);
  return box;
}

export const areAlike = (one: Item, other: Item): boolean => {
  const ratio = ({ width, height }: Item) => (width ?? 1) / (height ?? 1);
  return Math.abs(ratio(one) / ratio(other) - 1) <= ALIKE;
};
