/** Verifies the owner of a wallet: the browser wallet signs a message (EIP-4361), and the form submits it. */
import './copy.ts';
import { askAccount, browserWallet, signText, wordsOfWallet } from './ethereum.ts';
import { findElement } from './find_element.ts';
import { postToServer } from './post_to_server.ts';

const form = document.querySelector<HTMLFormElement>('#connect');
if (form) prepare(form);

function prepare(form: HTMLFormElement): void {
  const button = findElement('#sign', HTMLButtonElement);
  const status = findElement('#connect [role=status]', HTMLElement);
  const wallet = browserWallet();
  if (!wallet) {
    status.textContent = 'No crypto wallet found in this browser.';
    return;
  }
  button.disabled = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const account = await askAccount(wallet);
      if (!account) throw new Error('The wallet returned no account.');
      const { message } = await postToServer<{ message: string }>('/api/wallet/challenge', {
        wallet: account,
      });
      status.textContent = 'Sign the message in your wallet …';
      const signature = await signText(wallet, account, message);
      fill(form, 'message', message);
      fill(form, 'signature', signature);
      form.submit();
    } catch (error) {
      status.textContent = wordsOfWallet(error);
      button.disabled = false;
    }
  });
}

function fill(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = value;
}
