/**
 * The form that opens an account (`data-account`) and its buttons. In a secure context the key is created and stored in the browser;
 * otherwise the form is posted and the server stores the key. A browser that already has a key signs in with it.
 */
import { storedKeys } from './key_store.ts';

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (form.dataset.account === undefined || !isSecureContext) return;
  event.preventDefault();
  void press(form);
});
const buttons = () => document.querySelectorAll<HTMLButtonElement>('[data-opens-account]');

/** The wallet whose key this browser used last. @throws Error if browser storage is disabled */
const lastWallet = async (): Promise<string | undefined> =>
  isSecureContext ? (await storedKeys())[0]?.wallet : undefined;

/** Avoids a second account, which would hide the credits of the first. */
async function offerSignIn(): Promise<void> {
  if (buttons().length === 0) return;
  const wallet = await lastWallet();
  if (wallet === undefined) return;
  for (const button of buttons()) button.textContent = `Sign in as ${wallet.slice(0, 6)}…${wallet.slice(-4)}`;
}
const offer = () => offerSignIn().catch((error: Error) => say(error.message));
document.addEventListener('redrawn', offer);
void offer();

async function press(form: HTMLFormElement): Promise<void> {
  // A focused part of the page is not redrawn.
  (document.activeElement as HTMLElement | null)?.blur();
  for (const button of buttons()) button.disabled = true;
  say('Opening an account …');
  try {
    const { openAccount, signInAgain } = await import('./account_key.ts');
    const wallet = await lastWallet();
    if (wallet === undefined) await openAccount();
    else await signInAgain(wallet);
    goOn(form);
  } catch (error) {
    say((error as Error).message);
    for (const button of buttons()) button.disabled = false;
  }
}

/** A form in progress is kept and quoted again; other pages redirect to where the visitor came from. */
function goOn(form: HTMLFormElement): void {
  const draft = document.querySelector('form.draft');
  if (draft) {
    for (const button of buttons()) button.remove();
    say('Account opened. You can save the recipe now.');
    draft.querySelector<HTMLElement>('button.main')?.focus();
    return;
  }
  const ticket = document.querySelector('#ticket');
  if (!ticket) {
    location.assign(new FormData(form).get('back')?.toString() || '/wallet');
    return;
  }
  document.addEventListener('redrawn', () => announce(ticket), { once: true });
  ticket.dispatchEvent(new Event('input', { bubbles: true }));
}

function say(text: string): void {
  for (const status of document.querySelectorAll('.account-status')) status.textContent = text;
}

/** Adds a note about the key before the run button. */
function announce(ticket: Element): void {
  const button = ticket.querySelector<HTMLElement>('button.main');
  const note = document.createElement('p');
  const link = document.createElement('a');
  link.href = '/wallet';
  link.textContent = 'Save a copy of the key';
  note.className = 'small';
  note.setAttribute('role', 'status');
  note.append('You are signed in. The account key is stored in this browser. ', link);
  button?.before(note);
  button?.focus();
}
