/** File input by choice, drop or paste: uploads at once and puts the handles into the field. */
import { postToServer } from './post_to_server.ts';

customElements.define(
  'at-drop',
  class extends HTMLElement {
    /** Sequence number: a late upload of an earlier choice does not replace the last one. */
    turn = 0;

    connectedCallback() {
      const chooser = this.querySelector('input')!;
      chooser.addEventListener('change', () => this.take([...(chooser.files ?? [])]));
    }

    /** Uploads files and puts their handles into the form. */
    async take(files: File[]) {
      const turn = ++this.turn;
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
        if (turn === this.turn) this.say((error as Error).message, true);
        return;
      }
      if (turn !== this.turn) return;
      const [file] = chosen;
      this.say(
        chosen.length > 1 ? `${chosen.length} pictures` : `${file!.name}, ${megabytes(file!.size)} MB`,
      );
      // The bytes are uploaded already: only the handle is submitted.
      this.querySelector('input')!.value = '';
      const field = this.parentElement!.querySelector<HTMLInputElement>('details input')!;
      field.value = handles.join(' ');
      field.dispatchEvent(new Event('input', { bubbles: true }));
      this.dispatchEvent(new Event('sent', { bubbles: true }));
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
