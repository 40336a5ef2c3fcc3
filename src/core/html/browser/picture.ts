/** Said once above works of which some are shown without an image, in place of the image of a work, and in that of a small one. */
const OF_SEVERAL = 'Images that cannot be loaded from their museums just now are left out.';
const OF_WORK = 'The image cannot be loaded from its museum just now.';
const SMALL = 'No picture just now';

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
