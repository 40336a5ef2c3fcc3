/** The form of a tool: files are sent as they are chosen, and the quote follows the settings. */
import { postToServer } from './post_to_server.ts';

const form = document.querySelector<HTMLFormElement>('#ticket')!;
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
        if (/^#[0-9a-f]{6}$/i.test(text.value)) well.value = text.value;
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

customElements.define(
  'at-drop',
  class extends HTMLElement {
    connectedCallback() {
      const chooser = this.querySelector('input')!;
      chooser.addEventListener('change', () => this.take([...(chooser.files ?? [])]));
    }

    /** Sends files, and puts their handles where the form has them. */
    async take(files: File[]) {
      const chosen = files.slice(0, Number(this.dataset.files));
      const wrong = chosen.map((file) => this.objection(file)).find(Boolean);
      if (chosen.length === 0 || wrong) return this.say(wrong ?? '', true);
      this.show(chosen[0]!);
      const handles: string[] = [];
      try {
        for (const file of chosen) {
          this.say(
            `Sending ${file.name}${chosen.length > 1 ? `, ${handles.length + 1} of ${chosen.length}` : ''} …`,
          );
          handles.push((await postToServer<{ uri: string }>('/api/uploads', file)).uri);
        }
      } catch (error) {
        return this.say((error as Error).message, true);
      }
      const [file] = chosen;
      this.say(
        chosen.length > 1 ? `${chosen.length} pictures` : `${file!.name}, ${megabytes(file!.size)} MB`,
      );
      // The bytes are there already: only the handle is posted.
      this.querySelector('input')!.value = '';
      const field = this.parentElement!.querySelector<HTMLInputElement>('details input')!;
      field.value = handles.join(' ');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }

    objection({ name, type, size }: File): string | undefined {
      const most = Number(this.dataset.bytes);
      if (this.querySelector('[accept]') && !type.startsWith('image/'))
        return `${name} is not a picture. PNG, JPEG, WebP, AVIF, TIFF and GIF work.`;
      if (size > most) return `${megabytes(size)} MB; this server takes ${megabytes(most)}. Resize it first.`;
      return undefined;
    }

    show(file: File) {
      const address = URL.createObjectURL(file);
      const stage = document.querySelector('.stage');
      const main = this.parentElement === document.querySelector('at-drop')?.parentElement;
      for (const place of [this.querySelector('.thumb'), main ? stage : null]) {
        if (!place) continue;
        const picture = new Image(place === stage ? 1200 : 64, place === stage ? 900 : 64);
        picture.alt = place === stage ? 'The picture you chose' : '';
        picture.src = address;
        place.replaceChildren(picture);
      }
    }

    say(text: string, hasFailed = false) {
      const said = this.querySelector('[role=status]')!;
      said.textContent = text;
      said.classList.toggle('bad', hasFailed);
    }
  },
);

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

type Drop = HTMLElement & { take(files: File[]): Promise<void> };
const firstDrop = () => document.querySelector<Drop>('at-drop');
const dropAt = (event: Event) => (event.target as Element).closest<Drop>('at-drop') ?? firstDrop();

for (const name of ['dragover', 'dragleave', 'drop'] as const)
  document.addEventListener(name, (event) => {
    const drop = dropAt(event);
    if (!drop) return;
    event.preventDefault();
    for (const place of [drop, document.querySelector('.stage')])
      place?.classList.toggle('over', name === 'dragover');
    if (name === 'drop') drop.take([...((event as DragEvent).dataTransfer?.files ?? [])]);
  });
document.addEventListener('paste', (event) => {
  const files = [...(event.clipboardData?.files ?? [])];
  if (files.length > 0) firstDrop()?.take(files);
});

/** The page knows what its settings cost: it is asked for them, and its quote and call are taken over. */
let waiting = 0;
let asked = 0;
form.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(follow, SETTLED_MS);
});

async function follow() {
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
    // The quote of before stands; what is pressed is quoted again by the server.
  }
}
