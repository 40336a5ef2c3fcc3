/** Placeholder for a museum image that is unavailable. */
const AWAY = 'No picture just now';

customElements.define(
  'at-picture',
  class extends HTMLElement {
    connectedCallback() {
      const picture = this.querySelector('img')!;
      const sayAway = () => {
        const words = document.createElement('span');
        words.className = 'away';
        words.textContent = AWAY;
        picture.replaceWith(words);
      };
      // It may have failed before this script ran.
      if (picture.complete && picture.naturalWidth === 0) sayAway();
      else picture.addEventListener('error', sayAway, { once: true });
    }
  },
);
