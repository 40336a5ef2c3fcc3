/** A colour as text with the browser's colour picker. */
customElements.define(
  'at-color',
  class extends HTMLElement {
    connectedCallback() {
      const text = this.querySelector('input')!;
      const well = document.createElement('input');
      well.type = 'color';
      well.setAttribute('aria-label', 'Pick a colour');
      const show = () => {
        // A colour input cannot be empty and would show black: preset it near to paper white.
        well.value = /^#[0-9a-f]{6}$/i.test(text.value) ? text.value : '#ffffff';
      };
      well.addEventListener('input', () => {
        text.value = well.value;
      });
      text.addEventListener('input', show);
      show();
      this.prepend(well);
    }
  },
);
