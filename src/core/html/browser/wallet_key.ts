/** On the wallet page: where the key of the account is, saving and removing it, and signing in with a saved one. */
import './copy.ts';
import { forgetKey, type StoredKey, storedKeys, storeKey } from './key_store.ts';
import { pressable } from './pressable.ts';

const code = () => import('./account_key.ts');
const UNSAVED =
  'You have no copy of it: if the data of this browser is cleared, the account and its credits are lost.';

customElements.define(
  'at-key',
  class extends HTMLElement {
    wallet = this.dataset.wallet ?? '';

    connectedCallback() {
      void this.run(() => this.show());
    }

    async show(note = '') {
      const key = isSecureContext
        ? (await storedKeys()).find(({ wallet }) => wallet === this.wallet)
        : undefined;
      this.say(
        key
          ? `${whereIs(key)} ${key.isSaved ? '' : UNSAVED}${note}`
          : `This browser does not have it.${note}`,
      );
      if (key) await this.offer(key);
      else this.querySelector('.row')!.replaceChildren();
    }

    async offer(key: StoredKey) {
      const { hasPasskeys } = await import('./passkey.ts');
      const buttons = [
        pressable('Save a copy', () => this.run(() => this.save(key))),
        pressable('Show the key', () => this.run(() => this.reveal(key))),
        ...('wrapping' in key.by && (await hasPasskeys())
          ? [pressable('Protect it with a passkey', () => this.run(() => this.protect(key)))]
          : []),
        ...(key.isSaved
          ? [pressable('Remove it from this browser', () => this.run(() => this.forget()))]
          : []),
      ];
      this.querySelector('.row')!.replaceChildren(...buttons);
    }

    async run(work: () => Promise<void>) {
      try {
        await work();
      } catch (error) {
        this.say((error as Error).message);
      }
    }

    /** A text file, so that it can be read without this server. */
    async save(key: StoredKey) {
      const link = document.createElement('a');
      const text = [
        `Account at ${location.origin}`,
        `Address: ${this.wallet}`,
        `Private key: ${await this.hexKey()}`,
        '',
        'Keep this file secret: it opens the account.',
        `Open it at ${location.origin}/wallet, or import the private key into any Ethereum wallet program.`,
        '',
      ].join('\n');
      link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
      link.download = `atelier_account_${this.wallet.slice(0, 8)}.txt`;
      link.click();
      URL.revokeObjectURL(link.href);
      await storeKey({ ...key, isSaved: true });
      await this.show(' Saved. Keep the file where you keep passwords.');
    }

    async reveal(key: StoredKey) {
      const shown = document.createElement('at-copy');
      const text = document.createElement('pre');
      text.textContent = await this.hexKey();
      shown.append(text);
      this.querySelector('at-copy')?.remove();
      this.append(shown);
      await storeKey({ ...key, isSaved: true });
    }

    async protect({ isSaved }: StoredKey) {
      const { keepKey, openKey } = await code();
      const { by } = await keepKey(await openKey(this.wallet), { isSaved });
      await this.show('passkey' in by ? '' : ' The passkey was not confirmed. Nothing has changed.');
    }

    async forget() {
      await forgetKey(this.wallet);
      this.querySelector('at-copy')?.remove();
      await this.show(' Removed. Sign in with your copy from now on.');
    }

    async hexKey(): Promise<string> {
      const [{ openKey }, { hexOf }] = await Promise.all([code(), import('./ethereum_key.ts')]);
      return hexOf(await openKey(this.wallet));
    }

    say(text: string) {
      this.querySelector('[role=status]')!.textContent = text;
    }
  },
);

const whereIs = ({ by }: StoredKey): string =>
  'passkey' in by
    ? 'It is in this browser, and a passkey of this device opens it.'
    : 'It is in this browser, and programs of other sites cannot read it.';

const bring = document.querySelector<HTMLFormElement>('#bring-key');
if (bring && isSecureContext) prepare(bring);

function prepare(form: HTMLFormElement): void {
  const status = form.querySelector('[role=status]')!;
  const [file, typed] = form.querySelectorAll<HTMLInputElement>('fieldset input');
  form.querySelector('fieldset')!.disabled = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      const [{ bringKey }, { privateKeyIn }] = await Promise.all([code(), import('./ethereum_key.ts')]);
      const key = privateKeyIn((await file!.files?.[0]?.text()) ?? typed!.value);
      if (!key)
        throw new Error(
          'There is no private key in it. A private key is 0x and 64 digits of 0 to 9, a to f.',
        );
      await bringKey(key);
      // Checked by the server: an address of this server.
      location.assign(new FormData(form).get('back')?.toString() || '/wallet');
    } catch (error) {
      status.textContent = (error as Error).message;
    }
  });
}
