/** Uploads dropped, pasted or chosen files in parallel and adds them to the table; lists rejected files by name. */
import { postToServer, uploadFile } from './post_to_server.ts';
import { pressable } from './pressable.ts';
import type { Item } from './table_state.ts';

interface Options {
  /** API URL of the workspace. */
  readonly address: string;
  readonly bytesMax: number;
  added(items: readonly Item[]): void;
  /** All uploads are finished. */
  settled(): void;
  say(text: string): void;
}

/** Parallel uploads. */
const AT_ONCE = 3;
/** Maximum images per table, enforced by the server. */
const ITEMS_MAX = 1_000;
const NAME_CHARACTERS_MAX = 120;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Added {
  readonly items: readonly Item[];
  readonly failed: readonly { readonly detail: string }[];
}

export class Intake {
  readonly options: Options;
  readonly list = document.querySelector<HTMLElement>('#sending')!;
  queue: { readonly file: File; readonly at: Point | undefined }[] = [];
  running = 0;
  /** Resolves when the previous file is added or rejected. */
  last: Promise<void> = Promise.resolve();
  total = 0;
  refused = 0;

  constructor(options: Options) {
    this.options = options;
  }

  get isBusy(): boolean {
    return this.queue.length + this.running > 0;
  }

  /** @param at position of a single file on the table */
  take(files: readonly File[], at?: Point): void {
    if (files.length === 0) return;
    const taken = files.slice(0, ITEMS_MAX);
    if (taken.length < files.length)
      this.refuse(`${files.length - taken.length} files`, `A table can contain ${ITEMS_MAX} images.`);
    this.queue.push(
      ...taken.map((file, place) => ({ file, at: place === 0 && taken.length === 1 ? at : undefined })),
    );
    this.total += taken.length;
    while (this.running < AT_ONCE && this.queue.length > 0) void this.work();
    this.report();
  }

  async work(): Promise<void> {
    this.running += 1;
    for (let next = this.queue.shift(); next; next = this.queue.shift()) {
      await this.send(next.file, next.at);
      this.report();
    }
    this.running -= 1;
    this.report();
  }

  async send(file: File, at: Point | undefined): Promise<void> {
    const { bytesMax } = this.options;
    const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
    if (file.size > bytesMax)
      return this.refuse(
        file.name,
        `${megabytes(file.size)} MB. The limit is ${megabytes(bytesMax)} MB.`,
        file,
      );
    const before = this.last;
    let done = () => {};
    this.last = new Promise((resolve) => {
      done = resolve;
    });
    try {
      const image = await uploadFile(file);
      // Uploaded in parallel, added in order.
      await before;
      await this.lay(file, { image, name: file.name.slice(-NAME_CHARACTERS_MAX) || 'image', ...at });
    } catch (error) {
      this.refuse(file.name, (error as Error).message, file);
    }
    done();
  }

  /** Adds an upload to the table. A file with an image type that is not an image goes to the trash. */
  async lay(file: File, image: object): Promise<void> {
    const { address, added } = this.options;
    const { items, failed } = await postToServer<Added>(`${address}/items`, { images: [image] });
    const [item] = items;
    if (failed[0]) return this.refuse(file.name, failed[0].detail, file);
    if (item?.kind !== 'file' || !file.type.startsWith('image/')) return added(items);
    await postToServer(`${address}/items/edit`, { items: [{ item: item.item, deleted: true }] });
    this.refuse(file.name, 'The file is not an image that this server can read.');
  }

  /** A row with the reason and a retry button. */
  refuse(name: string, why: string, file?: File): void {
    this.refused += 1;
    const row = document.createElement('li');
    const words = document.createElement('span');
    const title = document.createElement('b');
    title.textContent = name;
    const reason = document.createElement('span');
    reason.className = 'small bad';
    reason.textContent = why.replaceAll('`', '');
    words.append(title, reason);
    const away = () => {
      row.remove();
      this.list.hidden = this.list.childElementCount === 0;
    };
    row.append(words);
    if (file)
      row.append(
        pressable('Retry', () => {
          away();
          this.take([file]);
        }),
      );
    row.append(pressable('Dismiss', away));
    for (const button of row.querySelectorAll('button')) button.className = 'bare small';
    this.list.hidden = false;
    this.list.append(row);
    this.options.say(`${name}: ${reason.textContent}`);
  }

  report(): void {
    const left = this.queue.length + this.running;
    if (left > 0) {
      this.options.say(`Uploading ${this.total - left + 1} of ${this.total}`);
      return;
    }
    const count = this.total - this.refused;
    if (this.refused === 0) this.options.say(`${count} ${count === 1 ? 'image' : 'images'} added`);
    else this.options.say(`${count} added, ${this.refused} rejected`);
    this.total = 0;
    this.refused = 0;
    this.options.settled();
  }
}
