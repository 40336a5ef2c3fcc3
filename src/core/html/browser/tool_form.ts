/** Tool form: uploads files when chosen, and updates the quote with the settings. */
import './color_field.ts';
import './drop.ts';
import './press.ts';
import { showBalance } from './balance.ts';

const SETTLED_MS = 500;

/** A tool that needs only an image runs as soon as one is chosen. */
document.addEventListener('sent', (event) => {
  const drop = event.target as Element;
  // Other image fields do not start a run.
  if (!drop.closest('.parts')) drop.closest<HTMLFormElement>('#ticket[data-at-once]')?.requestSubmit();
});

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
    typeof value === 'string' && value.length <= 3000 && !/^(press|beside)$/.test(name)
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
    showBalance(page);
    document.dispatchEvent(new Event('redrawn'));
  } catch {
    // The previous quote stays; the server quotes again at submission.
  }
}
