/** Encryption with passkeys: the prf extension returns the same secret for the same salt (WebAuthn Level 3). */
import type { PasskeyRef } from './key_store.ts';

/** Whether this device has a platform authenticator (fingerprint, face, PIN) with prf support. */
export async function hasPasskeys(): Promise<boolean> {
  if (!('PublicKeyCredential' in globalThis)) return false;
  const capabilities = await PublicKeyCredential.getClientCapabilities?.();
  if (capabilities?.['extension:prf'] === false) return false;
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable();
}

/** A passkey reference and the wrapping key derived from it. */
interface Unlocked {
  readonly passkey: PasskeyRef;
  readonly wrapping: CryptoKey;
}

/**
 * Creates a passkey for a wallet after user confirmation.
 * @returns undefined if the user declined or the device lacks the prf extension
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
  // Some devices return the secret only when the passkey is used.
  const wrapping = enabled ? await openPasskey(passkey) : undefined;
  return wrapping && { passkey, wrapping };
}

/** COSE algorithms; every passkey device supports one of them. */
const ES256 = -7;
const RS256 = -257;

/** Derives the wrapping key after user confirmation; undefined if the user declined. */
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

/** Browsers report a user refusal and a missing passkey with the same error. */
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
