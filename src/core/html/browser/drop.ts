/** File input by choice, drop or paste: uploads at once and puts the handles into the field. */
import { uploadFile } from './post_to_server.ts';

customElements.define(
  'at-drop',
  class extends HTMLElement {
    /** Sequence number: a late upload of an earlier choice does not replace the last one. */
    turn = 0;

    connectedCallback() {
      const chooser = this.querySelector('input')!;
      const take = () => this.take([...(chooser.files ?? [])]);
      chooser.addEventListener('change', take);
      // Chosen before this script was loaded.
      if (chooser.files?.length) void take();
    }

    /** Uploads files and puts their handles into the form. */
    async take(files: File[]) {
      const turn = ++this.turn;
      const most = Number(this.dataset.files);
      const left = files.slice(most).map(({ name }) => `${name}: the limit is ${most} files at once.`);
      const chosen = files.slice(0, most).filter((file) => {
        const wrong = this.objection(file);
        if (wrong) left.push(wrong);
        return !wrong;
      });
      if (chosen.length === 0) return this.say(left.join(' '), true);
      this.show(chosen[0]!);
      const sent: { file: File; handle: string }[] = [];
      for (const [at, file] of chosen.entries()) {
        this.say(`Uploading ${file.name}${chosen.length > 1 ? `, ${at + 1} of ${chosen.length}` : ''} …`);
        try {
          sent.push({ file, handle: await uploadFile(file) });
        } catch (error) {
          left.push(`${chosen.length > 1 ? `${file.name}: ` : ''}${(error as Error).message}`);
        }
        if (turn !== this.turn) return;
      }
      if (sent.length === 0) return this.say(left.join(' '), true);
      this.sayTaken(
        sent.map(({ file }) => file),
        left,
      );
      // The bytes are uploaded already: only the handles are submitted.
      this.querySelector('input')!.value = '';
      const field = this.parentElement!.querySelector<HTMLInputElement>('details input')!;
      field.value = sent.map(({ handle }) => handle).join(' ');
      field.dispatchEvent(new Event('input', { bubbles: true }));
      this.dispatchEvent(new Event('sent', { bubbles: true }));
    }

    /** Reports accepted and rejected files. */
    sayTaken(files: readonly File[], left: readonly string[]) {
      const [file] = files;
      const taken =
        files.length > 1 ? `${files.length} images` : `${file!.name}, ${megabytes(file!.size)} MB`;
      this.say(left.length === 0 ? taken : `${taken}. Not added: ${left.join(' ')}`, left.length > 0);
    }

    objection({ name, type, size }: File): string | undefined {
      const most = Number(this.dataset.bytes);
      if (this.querySelector('[accept]') && !/^(image\/|application\/pdf$)/.test(type))
        return `${name} is not an image. Supported formats include PNG, JPEG, WebP, AVIF, TIFF, GIF, SVG and PDF.`;
      if (size > most)
        return `${name} is ${megabytes(size)} MB. The limit is ${megabytes(most)} MB. Choose a smaller file.`;
      return undefined;
    }

    show(file: File) {
      // Browsers do not display PDF in an <img>.
      if (!file.type.startsWith('image/')) return;
      const address = URL.createObjectURL(file);
      const stage = document.querySelector('.stage');
      const main = this.parentElement === document.querySelector('at-drop')?.parentElement;
      for (const place of [this.querySelector('.thumb'), main ? stage : null]) {
        if (!place) continue;
        const picture = new Image(place === stage ? 1200 : 64, place === stage ? 900 : 64);
        picture.alt = place === stage ? 'Your image' : '';
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
