/** Updates the state of runs without a page reload. */
import { showBalance } from './balance.ts';
import { wordsInPage } from './words_in_page.ts';

const FIRST_MS = 500;
const SLOWEST_MS = 3000;

customElements.define(
  'at-run',
  class extends HTMLElement {
    connectedCallback() {
      // Below an editor the result would be out of view.
      if (document.querySelector('at-stage')) this.scrollIntoView();
      this.look(FIRST_MS);
    }

    async look(wait: number) {
      const shown = this.querySelector('#shown');
      if (!shown?.matches('[data-live]')) return;
      await new Promise((done) => setTimeout(done, wait));
      try {
        const reply = await fetch(location.href, { headers: { Accept: 'text/html' } });
        const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
        const fresh = page.querySelector('#shown');
        const status = page.querySelector('at-run > [role=status]');
        if (fresh && status) {
          this.querySelector('[role=status]')!.textContent = status.textContent;
          showBalance(page);
          const hadFocus = shown.contains(document.activeElement);
          if (!hadFocus || !fresh.matches('[data-live]')) shown.replaceWith(fresh);
        } else wait = this.failed(wordsInPage(page));
      } catch {
        wait = this.failed('No response from the server.');
      }
      if (this.isConnected) this.look(Math.min(SLOWEST_MS, wait * 1.3));
    }

    /** Runs continue whether or not their state can be fetched. */
    failed(why: string): number {
      this.querySelector('[role=status]')!.textContent = `${why} Retrying in 3 s.`;
      return SLOWEST_MS;
    }
  },
);

customElements.define(
  'at-link',
  class extends HTMLElement {
    connectedCallback() {
      const link = this.querySelector('a')!;
      const label = link.dataset.label ?? 'Copy link to this run';
      link.textContent = label;
      link.addEventListener('click', async (event) => {
        event.preventDefault();
        try {
          await navigator.clipboard.writeText(link.href);
          link.textContent = 'Copied';
        } catch {
          location.href = link.href;
        }
      });
    }
  },
);
