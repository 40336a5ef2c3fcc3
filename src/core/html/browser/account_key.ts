/** Accounts whose key is in this browser: create, store and sign in. Loaded on demand. */
import { addressOf, newPrivateKey, signWithKey } from './ethereum_key.ts';
import { type StoredKey, storedKeys, storeKey } from './key_store.ts';
import { createPasskey, hasPasskeys, openPasskey } from './passkey.ts';
import { postToServer } from './post_to_server.ts';
import { wordsInPage } from './words_in_page.ts';

/** Creates and stores a key, and signs in. @returns the wallet @throws Error with a sentence for the user */
export const openAccount = (): Promise<string> => bringNewKey(newPrivateKey());

/** Signs in with the key of a wallet that this browser has. @throws Error with a sentence for the user */
export const signInAgain = async (wallet: string): Promise<string> => signIn(await openKey(wallet));

/** Stores a key of which the owner has a copy, and signs in. @throws Error with a sentence for the user */
export async function bringKey(privateKey: Uint8Array<ArrayBuffer>): Promise<string> {
  await keepKey(privateKey, { isSaved: true });
  return signIn(privateKey);
}

/** Stores a key without a copy, and signs in. @throws Error with a sentence for the user */
export async function bringNewKey(privateKey: Uint8Array<ArrayBuffer>): Promise<string> {
  await keepKey(privateKey, { isSaved: false });
  return signIn(privateKey);
}

/** Encrypts the key, with a passkey if the device supports it and the user agrees, and stores it. @returns the stored key */
export async function keepKey(
  privateKey: Uint8Array<ArrayBuffer>,
  { isSaved }: Pick<StoredKey, 'isSaved'>,
): Promise<StoredKey> {
  const wallet = addressOf(privateKey);
  const guarded = (await hasPasskeys()) ? await createPasskey(wallet) : undefined;
  const wrapping = guarded?.wrapping ?? (await newWrapping());
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, wrapping, privateKey);
  const by = guarded ? { passkey: guarded.passkey } : { wrapping };
  const key: StoredKey = { wallet, iv, sealed, by, isSaved };
  await storeKey(key);
  // Otherwise the browser may evict it when storage is low.
  await navigator.storage?.persist?.();
  return key;
}

/** Not extractable: scripts can use the key but not read it. */
const newWrapping = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

/** The private key of a wallet. @throws Error with a sentence for the user */
export async function openKey(wallet: string): Promise<Uint8Array<ArrayBuffer>> {
  const key = (await storedKeys()).find((one) => one.wallet === wallet);
  if (!key) throw new Error('This browser does not have the key of this account.');
  const wrapping = 'wrapping' in key.by ? key.by.wrapping : await openPasskey(key.by.passkey);
  if (!wrapping) throw new Error('The passkey was not confirmed. Try again.');
  return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: key.iv }, wrapping, key.sealed));
}

/**
 * Signs the server's message (EIP-4361) and posts it like the form of the wallet page, which sets the cookie. A wallet new to the server
 * is locked, so that its address alone grants no access.
 */
async function signIn(privateKey: Uint8Array): Promise<string> {
  const wallet = addressOf(privateKey);
  const { message } = await postToServer<{ message: string }>('/api/wallet/challenge', { wallet });
  const signature = await signWithKey(privateKey, message);
  const body = new URLSearchParams({ act: 'sign', lock: 'yes', message, signature });
  const reply = await fetch('/wallet', { method: 'POST', body, redirect: 'manual' });
  if (reply.type === 'opaqueredirect') return wallet;
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  throw new Error(page.querySelector('[role=alert]')?.textContent ?? wordsInPage(page));
}
