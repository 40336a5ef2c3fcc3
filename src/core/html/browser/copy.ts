/** Copy button for a text; without JavaScript the text can be selected. */
const SHOWN_MS = 1600;

customElements.define(
  'at-copy',
  class extends HTMLElement {
    connectedCallback() {
      const text = this.querySelector('pre')!;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'bare';
      button.textContent = 'Copy';
      button.setAttribute('aria-live', 'polite');
      button.addEventListener('click', async () => {
        button.textContent = await copy(text);
        setTimeout(() => {
          button.textContent = 'Copy';
        }, SHOWN_MS);
      });
      // The text scrolls, so it must be focusable.
      text.tabIndex = 0;
      this.append(button);
    }
  },
);

/** Selects the text if the clipboard is unavailable, as on pages without TLS. */
async function copy(text: HTMLElement): Promise<string> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? '');
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(text);
    return 'Selected';
  }
}
