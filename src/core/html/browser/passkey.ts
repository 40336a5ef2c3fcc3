/** Passkeys that encrypt: their pseudo-random function yields the same secret for the same salt (WebAuthn Level 3, prf). */
import type { PasskeyRef } from './key_store.ts';

/** Whether this device has a lock (fingerprint, face, PIN) that can hold a passkey. */
export async function hasPasskeys(): Promise<boolean> {
  if (!('PublicKeyCredential' in globalThis)) return false;
  const capabilities = await PublicKeyCredential.getClientCapabilities?.();
  if (capabilities?.['extension:prf'] === false) return false;
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable();
}

/** What a passkey yields: where to find it, and the key that it encrypts with. */
interface Unlocked {
  readonly passkey: PasskeyRef;
  readonly wrapping: CryptoKey;
}

/**
 * Makes a passkey for a wallet; the device asks its user to confirm.
 * @returns undefined where the user declined, or the device has no such function
 */
export async function createPasskey(wallet: string): Promise<Unlocked | undefined> {
  const salt = randomBytes(32);
  const made = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: randomBytes(32),
        rp: { name: 'Atelier' },
        user: { id: randomBytes(16), name: wallet, displayName: `Atelier ${wallet.slice(0, 8)}…` },
        pubKeyCredParams: [
          { type: 'public-key', alg: ES256 },
          { type: 'public-key', alg: RS256 },
        ],
        authenticatorSelection: {
          authenticatorAttachment: 'platform',
          residentKey: 'preferred',
          userVerification: 'required',
        },
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  if (!made) return undefined;
  const { enabled, results } = made.getClientExtensionResults().prf ?? {};
  const passkey = { id: made.rawId, salt };
  if (results) return { passkey, wrapping: await wrappingOf(results.first) };
  // Some devices answer only when the passkey is used.
  const wrapping = enabled ? await openPasskey(passkey) : undefined;
  return wrapping && { passkey, wrapping };
}

/** COSE algorithms that every device with passkeys has one of. */
const ES256 = -7;
const RS256 = -257;

/** Asks the user to confirm, and returns the key the passkey encrypts with; undefined where the user declined. */
export async function openPasskey({ id, salt }: PasskeyRef): Promise<CryptoKey | undefined> {
  const used = await ask(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: randomBytes(32),
        allowCredentials: [{ type: 'public-key', id }],
        userVerification: 'required',
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  const first = used?.getClientExtensionResults().prf?.results?.first;
  return first && wrappingOf(first);
}

/** Browsers answer a refusal of the user, and a passkey that is gone, with the same error. */
async function ask(request: () => Promise<Credential | null>): Promise<PublicKeyCredential | undefined> {
  try {
    return ((await request()) as PublicKeyCredential | null) ?? undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

async function wrappingOf(secret: BufferSource): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    {
      name: 'HKDF',
      hash: 'SHA-256',
      salt: new Uint8Array(),
      info: new TextEncoder().encode('atelier account key'),
    },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

const randomBytes = (count: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(count));
