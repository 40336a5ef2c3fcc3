/** Messages for missing images: once above a list, in place of a work image, and in place of a thumbnail. */
const OF_SEVERAL = 'Some images could not be loaded from their museums.';
const OF_WORK = 'The image could not be loaded from its museum. Try again later.';
const SMALL = 'No image';

customElements.define(
  'at-picture',
  class extends HTMLElement {
    connectedCallback() {
      const picture = this.querySelector('img')!;
      const leaveOut = () => {
        const list = this.closest('ul.hang');
        if (list) {
          sayOnce(list);
          this.remove();
        } else if (this.classList.contains('waiting')) {
          this.className = 'absent';
          this.textContent = OF_WORK;
        } else picture.replaceWith(wordsIn('span', 'away', SMALL));
      };
      // It may have failed before this script ran.
      if (picture.complete && picture.naturalWidth === 0) leaveOut();
      else picture.addEventListener('error', leaveOut, { once: true });
    }
  },
);

function sayOnce(list: Element): void {
  if (list.previousElementSibling?.classList.contains('left-out')) return;
  list.before(wordsIn('p', 'left-out', OF_SEVERAL));
}

function wordsIn(tag: 'p' | 'span', className: string, words: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = words;
  return element;
}
