/** Signs a decision of the wallet owner with the browser wallet (EIP-1193), or accepts a pasted signature. */
import { askAccount, browserWallet, signText, wordsOfWallet } from './ethereum.ts';
import { findElement } from './find_element.ts';
import { postToServer } from './post_to_server.ts';

/** A decision to sign. */
interface Question {
  /** Target URL of the decision; its message is at a path below. */
  readonly address: string;
  /** The signing wallet; empty if the user enters it. */
  wallet(): string;
  /** Called with the wallet of the browser. */
  found?(wallet: string): void;
  /** Additional terms of the decision. */
  terms(): object;
  readonly granted: string;
  readonly refused: string;
}

type Decision = 'grant' | 'refuse';

/** Activates the buttons of `signForm`. */
export function askToSign(question: Question): void {
  const form = findElement('form', HTMLFormElement);
  const byHand = findElement('#by-hand', HTMLElement);
  const message = findElement('#message', HTMLElement);
  const signature = findElement('#signature', HTMLInputElement);
  const status = findElement('form [role=status]', HTMLElement);
  const buttons = [...form.querySelectorAll('button')];
  let pending: object | undefined;

  const say = (text: string, hasFailed = false) => {
    status.textContent = text;
    status.classList.toggle('failed', hasFailed);
  };
  const busy = async (work: () => Promise<void>) => {
    for (const button of buttons) button.disabled = true;
    try {
      await work();
    } catch (error) {
      say(wordsOfWallet(error), true);
    }
    for (const button of buttons) button.disabled = false;
  };
  const decide = async (body: object, signed: string) => {
    const { state } = await postToServer<{ state: 'granted' | 'refused' }>(question.address, {
      ...body,
      signature: signed,
    });
    form.replaceChildren(status);
    say(question[state]);
  };
  const ask = (decision: Decision) =>
    busy(async () => {
      const wallet = browserWallet();
      const account = wallet && (await askAccount(wallet));
      if (account && question.wallet() === '') question.found?.(account);
      const body = { ...question.terms(), decision };
      const asked = await postToServer<{ message: string }>(`${question.address}/message`, body);
      if (!wallet || !account) {
        pending = body;
        message.textContent = asked.message;
        byHand.hidden = false;
        say(`Sign this text to ${decision === 'grant' ? 'approve' : 'refuse'}.`);
        return;
      }
      if (account.toLowerCase() !== question.wallet().toLowerCase())
        throw new Error(`Select account ${question.wallet()} in your wallet and try again.`);
      say('Sign the message in your wallet …');
      await decide(body, await signText(wallet, account, asked.message));
    });

  findElement('#grant', HTMLButtonElement).addEventListener('click', () => {
    if (form.reportValidity()) void ask('grant');
  });
  findElement('#refuse', HTMLButtonElement).addEventListener('click', () => void ask('refuse'));
  findElement('#send', HTMLButtonElement).addEventListener('click', () => {
    if (pending) void busy(() => decide(pending!, signature.value.trim()));
  });
  preparePage(form);
}

/** Disables native submission, and converts times to the local time zone. */
function preparePage(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => event.preventDefault());
  for (const time of document.querySelectorAll('time'))
    time.textContent = new Date(time.dateTime).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}
