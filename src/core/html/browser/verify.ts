/** Checks an image without leaving the page: an uploaded image is checked at once, and the result replaces the form. */
import './copy.ts';
import './drop.ts';
import './picture.ts';
import { wordsInPage } from './words_in_page.ts';

/** Sequence number: a late response for an earlier image is ignored. */
let asked = 0;

document.addEventListener('sent', (event) => {
  const drop = event.target as Element;
  const field = drop.parentElement?.querySelector<HTMLInputElement>('details input');
  if (field?.value) void ask({ handle: field.value });
});

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (form.id !== 'check') return;
  event.preventDefault();
  void ask({ form });
});

// Each result has a URL; the back button shows the previous one.
addEventListener('popstate', () => location.reload());

async function ask(question: { handle: string } | { form: HTMLFormElement }): Promise<void> {
  const turn = ++asked;
  say('Checking the image …');
  try {
    const headers = { Accept: 'text/html' };
    const reply = await ('handle' in question
      ? fetch(`/verify?${new URLSearchParams({ image: question.handle })}`, { headers })
      : fetch('/verify', { method: 'POST', body: new FormData(question.form), headers }));
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    if (turn !== asked) return;
    if (page.querySelector('#check')) show(page, reply);
    else say(wordsInPage(page), true);
  } catch {
    if (turn === asked) say('No response from the server. Your image is still selected: try again.', true);
  }
}

function show(page: Document, reply: Response): void {
  document.querySelector('main')!.replaceChildren(...page.querySelector('main')!.childNodes);
  document.title = page.title;
  const address = reply.url || location.href;
  if (reply.ok && address !== location.href) history.pushState(null, '', address);
  const place =
    document.querySelector<HTMLElement>('main [role=alert]') ?? document.querySelector<HTMLElement>('h1');
  if (!place) return;
  place.tabIndex = -1;
  place.focus();
  place.scrollIntoView({ block: 'nearest' });
}

function say(text: string, hasFailed = false): void {
  const status = document.querySelector('#asking');
  if (!status) return;
  status.textContent = text;
  status.classList.toggle('bad', hasFailed);
}
