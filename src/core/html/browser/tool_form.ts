/** Tool form: uploads files when chosen, and updates the quote with the settings. */
import './drop.ts';
import './press.ts';

const SETTLED_MS = 500;

customElements.define(
  'at-color',
  class extends HTMLElement {
    connectedCallback() {
      const text = this.querySelector('input')!;
      const well = document.createElement('input');
      well.type = 'color';
      well.setAttribute('aria-label', 'Pick the colour');
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

/** Refreshes the quote and the example call from the page itself. */
let waiting = 0;
let asked = 0;
document.addEventListener('input', (event) => {
  const form = (event.target as Element).closest<HTMLFormElement>('#ticket');
  if (!form) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => follow(form), SETTLED_MS);
});

async function follow(form: HTMLFormElement) {
  const turn = ++asked;
  const settings = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value.length <= 1000 && !/^(press|beside)$/.test(name)
      ? [[name, value]]
      : [],
  );
  try {
    const reply = await fetch(`${location.pathname}?${new URLSearchParams(settings)}`);
    if (!reply.ok || turn !== asked) return;
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    for (const id of ['quote', 'calls']) {
      const fresh = page.getElementById(id);
      const old = document.getElementById(id);
      if (fresh && old && !old.contains(document.activeElement)) old.replaceChildren(...fresh.childNodes);
    }
  } catch {
    // The previous quote stays; the server quotes again at submission.
  }
}
