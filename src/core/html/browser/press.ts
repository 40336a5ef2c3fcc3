/** Submits the form by script: whatever the response, the form keeps its values. */
import { wordsInPage } from './words_in_page.ts';

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (form.id !== 'ticket') return;
  event.preventDefault();
  void press(form);
});
// The back button restores the form with its button still disabled.
addEventListener('pageshow', () => hold(document.querySelector('#ticket'), false));

async function press(form: HTMLFormElement): Promise<void> {
  hold(form, true);
  try {
    const body = new FormData(form);
    const reply = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'text/html' } });
    if (reply.redirected) return location.assign(reply.url);
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    if (page.querySelector('#ticket')) return show(page);
    say(form, `${wordsInPage(page)} Your settings are still here.`);
  } catch {
    say(form, 'No response from the server. Your settings are still here. Try again.');
  }
  hold(form, false);
}

function hold(form: HTMLFormElement | null, isHeld: boolean): void {
  const button = form?.querySelector<HTMLButtonElement>('button.main');
  if (button) button.disabled = isHeld;
}

/** Replaces the form with the one in the response: with its errors, or with a secret that is displayed once. */
function show(page: Document): void {
  document.querySelector('main')!.replaceChildren(...page.querySelector('main')!.childNodes);
  const place = document.querySelector<HTMLElement>('main [autofocus], main [role=alert], main #shown');
  if (!place) return;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus();
  place.scrollIntoView({ block: 'nearest' });
}

function say(form: HTMLFormElement, text: string): void {
  const said = form.querySelector('.no-answer') ?? document.createElement('p');
  said.className = 'small bad no-answer';
  said.setAttribute('role', 'alert');
  form.append(said);
  said.textContent = text;
}
