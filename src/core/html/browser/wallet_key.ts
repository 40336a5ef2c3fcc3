/** Account key on the wallet page: status, save, show, remove, and sign in with a saved key. */
import './copy.ts';
import { forgetKey, type StoredKey, storedKeys, storeKey } from './key_store.ts';
import { pressable } from './pressable.ts';

const code = () => import('./account_key.ts');
const UNSAVED =
  'You have not saved a copy: if the data of this browser is cleared, you lose the account and its credits.';

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
          : `The key is not stored in this browser.${note}`,
      );
      if (key) await this.offer(key);
      else this.querySelector('.row')!.replaceChildren();
    }

    async offer(key: StoredKey) {
      const { hasPasskeys } = await import('./passkey.ts');
      const buttons = [
        pressable('Save copy', () => this.run(() => this.save(key))),
        pressable('Show key', () => this.run(() => this.reveal(key))),
        ...('wrapping' in key.by && (await hasPasskeys())
          ? [pressable('Protect with passkey', () => this.run(() => this.protect(key)))]
          : []),
        ...(key.isSaved ? [pressable('Remove from this browser', () => this.run(() => this.forget()))] : []),
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

    /** A plain text file, readable without this server. */
    async save(key: StoredKey) {
      const link = document.createElement('a');
      const text = [
        `Account at ${location.origin}`,
        `Address: ${this.wallet}`,
        `Private key: ${await this.hexKey()}`,
        '',
        'Keep this file secret: it gives access to the account.',
        `Sign in with it at ${location.origin}/wallet, or import the private key into any Ethereum wallet.`,
        '',
      ].join('\n');
      link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
      link.download = `atelier_account_${this.wallet.slice(0, 8)}.txt`;
      link.click();
      URL.revokeObjectURL(link.href);
      await storeKey({ ...key, isSaved: true });
      await this.show(' Copy saved. Store the file as securely as a password.');
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
      await this.show(' Key removed. Sign in with your saved copy.');
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
    ? 'The key is stored in this browser, protected by a passkey of this device.'
    : 'The key is stored in this browser. Other sites cannot read it.';

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
        throw new Error('No private key found. A private key is 0x followed by 64 hexadecimal digits.');
      await bringKey(key);
      // Checked by the server: an address of this server.
      location.assign(new FormData(form).get('back')?.toString() || '/wallet');
    } catch (error) {
      status.textContent = (error as Error).message;
    }
  });
}
