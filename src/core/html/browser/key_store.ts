/** Encrypted private keys of accounts in IndexedDB. */

/** A key as it is stored. The private key is encrypted with AES-GCM. */
export interface StoredKey {
  /** Address in lower case. */
  readonly wallet: string;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
  /** Wrapping key: a non-extractable key, or one derived from a passkey. */
  readonly by: { readonly wrapping: CryptoKey } | { readonly passkey: PasskeyRef };
  /** The owner has saved a copy. */
  readonly isSaved: boolean;
}

/** A passkey and the salt of its pseudo-random function (WebAuthn Level 3, prf). */
export interface PasskeyRef {
  readonly id: ArrayBuffer;
  readonly salt: Uint8Array<ArrayBuffer>;
}

const STORE = 'keys';

/** Most recently used first. @throws Error if browser storage is disabled, as in some private windows */
export const storedKeys = async (): Promise<readonly StoredKey[]> => {
  const all = await inStore<(StoredKey & { at: number })[]>('readonly', (store) => store.getAll());
  return all.sort((a, b) => b.at - a.at);
};

/** Adds the key or replaces the one of the same wallet. */
export const storeKey = (key: StoredKey): Promise<unknown> =>
  inStore('readwrite', (store) => store.put({ ...key, at: Date.now() }));

export const forgetKey = (wallet: string): Promise<unknown> =>
  inStore('readwrite', (store) => store.delete(wallet));

async function inStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(STORE, mode);
    const request = work(transaction.objectStore(STORE));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    return request.result as T;
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('atelier', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'wallet' });
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () =>
      reject(
        new Error(
          'Browser storage is disabled, so the key cannot be stored. Open the page in a normal, non-private window.',
        ),
      );
  });
}
