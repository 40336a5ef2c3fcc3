/** Claims an account whose key the server stores: moves the key into this browser and signs in. */
import { findElement } from './find_element.ts';
import { storedKeys } from './key_store.ts';
import { postToServer } from './post_to_server.ts';

const offer = findElement('#take', HTMLElement);
const button = findElement('#take button', HTMLButtonElement);
const status = findElement('#take [role=status]', HTMLElement);

offer.hidden = !isSecureContext;
button.addEventListener('click', async () => {
  button.disabled = true;
  status.textContent = 'Moving the key …';
  try {
    const [{ bringNewKey }, { privateKeyIn }] = await Promise.all([
      import('./account_key.ts'),
      import('./ethereum_key.ts'),
      // The link works once: check that the key can be stored before it is retrieved.
      storedKeys(),
    ]);
    const token = location.pathname.split('/').at(-1);
    const { private_key: text } = await postToServer<{ private_key: string }>('/api/wallet/claim', { token });
    await bringNewKey(privateKeyIn(text)!);
    location.assign('/wallet');
  } catch (error) {
    status.textContent = (error as Error).message;
    button.disabled = false;
  }
});
