/** Uploads the chosen, dropped or pasted file to the URL of this page. */
import { findElement } from './find_element.ts';

const form = findElement('form', HTMLFormElement);
const chooser = findElement('#file', HTMLInputElement);
const drop = findElement('.drop', HTMLElement);
const bar = findElement('progress', HTMLProgressElement);
const status = findElement('form [role=status]', HTMLElement);
const done = findElement('#done', HTMLElement);
const heading = findElement('#done h2', HTMLElement);
const handle = findElement('#handle', HTMLElement);
const ends = findElement('time', HTMLTimeElement);

/** One file at a time; further drops are ignored. */
let isBusy = false;

ends.textContent = new Date(ends.dateTime).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

form.addEventListener('submit', (event) => event.preventDefault());
chooser.addEventListener('change', () => {
  const [file] = chooser.files ?? [];
  if (file) send(file);
  chooser.value = '';
});
for (const name of ['dragenter', 'dragover']) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
}
for (const name of ['dragleave', 'drop']) {
  document.addEventListener(name, () => drop.classList.remove('over'));
}
document.addEventListener('drop', (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer?.files ?? [];
  if (file) send(file);
});
document.addEventListener('paste', (event) => {
  const [file] = event.clipboardData?.files ?? [];
  if (file) send(file);
});

/** XMLHttpRequest, because fetch does not report upload progress. */
function send(file: File): void {
  if (isBusy) return;
  isBusy = true;
  bar.hidden = false;
  bar.value = 0;
  say(`Uploading ${file.name} …`, false);
  const request = new XMLHttpRequest();
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    bar.value = total > 0 ? loaded / total : 0;
  });
  request.addEventListener('load', () => {
    if (request.status === 200) finish(request.responseText);
    else fail(detailOf(request.responseText));
  });
  request.addEventListener('error', () => fail('No response from the server. Try again.'));
  request.open('PUT', location.pathname);
  request.setRequestHeader('Content-Type', file.type || 'application/octet-stream');
  request.send(file);
}

function finish(answer: string): void {
  handle.textContent = (JSON.parse(answer) as { uri: string }).uri;
  form.hidden = true;
  done.hidden = false;
  heading.focus();
}

function fail(detail: string): void {
  isBusy = false;
  bar.hidden = true;
  say(detail, true);
}

function say(text: string, hasFailed: boolean): void {
  status.textContent = text;
  status.classList.toggle('failed', hasFailed);
}

function detailOf(answer: string): string {
  try {
    return (JSON.parse(answer) as { detail: string }).detail;
  } catch {
    return 'The upload failed. Try again.';
  }
}
