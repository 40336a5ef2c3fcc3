/**
 * Opens a table with the files that are dropped, pasted or chosen: the page of the new table replaces this
 * one, and the files are added to it.
 */
import './table.ts';
import { findElement } from './find_element.ts';
import type { Table } from './table.ts';
import { wordsInPage } from './words_in_page.ts';

const form = findElement('#start', HTMLFormElement);
const chooser = findElement('#start input[type=file]', HTMLInputElement);
const said = findElement('#said', HTMLElement);
let isOpening = false;

chooser.addEventListener('change', () => void open([...(chooser.files ?? [])]));
const drag = (event: DragEvent) => {
  if (isOpening || !event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  form.classList.toggle('over', event.type === 'dragover');
  if (event.type === 'drop') void open([...event.dataTransfer.files]);
};
for (const name of ['dragover', 'dragleave', 'drop'] as const) document.addEventListener(name, drag);
document.addEventListener('paste', (event) => {
  const files = [...(event.clipboardData?.files ?? [])];
  if (files.length > 0 && !isOpening) void open(files);
});

async function open(files: File[]): Promise<void> {
  if (isOpening || files.length === 0) return;
  isOpening = true;
  said.textContent = 'Opening a table';
  try {
    const reply = await fetch('/table', {
      method: 'POST',
      body: new FormData(),
      headers: { Accept: 'text/html' },
    });
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    const main = page.querySelector('main');
    if (!reply.redirected || !main?.querySelector('at-table')) throw new Error(wordsInPage(page));
    history.pushState(null, '', reply.url);
    document.title = page.title;
    document.body.className = page.body.className;
    document.querySelector('main')!.replaceChildren(...main.childNodes);
    document.querySelector<Table>('at-table')!.intake.take(files);
  } catch (error) {
    isOpening = false;
    said.textContent =
      error instanceof TypeError ? 'No response from the server. Try again.' : (error as Error).message;
    said.classList.add('bad');
  }
}
