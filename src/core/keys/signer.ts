import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { join } from 'node:path';
import { thumbprint } from '@atelier/imaging/provenance/soulmark/check_signature.ts';
import { SIGNING_SECRET_CHARACTERS_MIN } from '../../config/limits.ts';
import { readOrCreateSecret } from '../storage/blobs/secret_file.ts';

/** Signs claims as compact JWS (RFC 7515) with Ed25519 (RFC 8037). */
export interface Signer {
  readonly publicKey: PublicKey;
  /** `type` is the `typ` of the header; `header` its other fields. */
  sign(type: string, claims: object, header?: object): string;
}

export function createSigner(key: KeyObject): Signer {
  const { x } = createPublicKey(key).export({ format: 'jwk' }) as { x: string };
  const publicKey = { kid: thumbprint(x), x };
  return {
    publicKey,
    sign(type, claims, header = {}) {
      const signed = `${encodePart({ alg: 'EdDSA', typ: type, kid: publicKey.kid, ...header })}.${encodePart(claims)}`;
      return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
    },
  };
}

const encodePart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** JWK of an Ed25519 public key. */
export interface PublicKey {
  readonly kid: string;
  readonly x: string;
}

/**
 * The Ed25519 key that signs receipts: the configured one, otherwise the one stored in `dataDir`, generated at the first start.
 * @param configured PKCS#8, as PEM or as the base64 of its bytes
 * @throws Error with the setting to change, for anything but an Ed25519 private key
 */
export async function receiptKey(dataDir: string, configured?: string): Promise<KeyObject> {
  const path = join(dataDir, 'receipt_key.pem');
  const text = configured ?? (await readOrCreateSecret(path, newKey));
  const key = parseKey(text);
  if (key?.asymmetricKeyType === 'ed25519') return key;
  const [where, remedy] = configured
    ? ['RECEIPT_KEY', 'Create one with: openssl genpkey -algorithm ed25519 -outform DER | base64 -w0']
    : [
        path,
        'Restore it from a backup, or delete it: the server then generates a new key, and earlier receipts stay valid.',
      ];
  throw new Error(`${where} is not an Ed25519 private key. ${remedy}`);
}

const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

/** PEM is base64 between two lines; without them both forms parse alike, even if line ends were lost. */
function parseKey(text: string): KeyObject | undefined {
  const base64 = text.replace(/-----[A-Z ]+-----/g, '').replace(/\\n|\s/g, '');
  try {
    return createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });
  } catch {
    return undefined;
  }
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts stored secrets with a key that is not in the database. */
export interface Sealer {
  /** @param context is authenticated with the text: a secret sealed for one row cannot be opened for another */
  seal(secret: Uint8Array, context: string): string;
  /** Undefined if the text was changed, or sealed with another secret, purpose or context. */
  open(sealed: string, context: string): Uint8Array | undefined;
}

/**
 * AES-256-GCM, with a key derived by HKDF-SHA256. Servers that share `secret` can open each other's texts.
 * @param purpose separates the keys of different uses
 */
export function createSealer(secret: string, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `atelier ${purpose}`, 32));
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(text, context) {
      const bytes = Buffer.from(text, 'base64url');
      const [nonce, tag] = [
        bytes.subarray(0, NONCE_BYTES),
        bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
      ];
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * The configured key for signed links, otherwise the one stored in `dataDir`, generated at the first start.
 * @throws Error with a remedy, if the stored key is too short to be secure
 */
export async function signingSecret(dataDir: string, configured?: string): Promise<string> {
  if (configured !== undefined) return configured;
  const path = join(dataDir, 'signing_secret');
  const kept = await readOrCreateSecret(path, () => randomBytes(32).toString('hex'));
  if (kept.trim().length >= SIGNING_SECRET_CHARACTERS_MIN) return kept;
  throw new Error(
    `${path} has fewer than ${SIGNING_SECRET_CHARACTERS_MIN} characters, which is too short to be secure. Restore it from a backup, or delete it: the server then generates a new key, and existing links become invalid.`,
  );
}

/**
 * The did:web identifier of a service; its DID document is `/.well-known/did.json` below the public URL.
 * @param publicUrl a path in the URL becomes part of the identifier
 */
export function didWebOf(publicUrl: string): string {
  const { host, pathname } = new URL(publicUrl);
  const folders = pathname.split('/').filter(Boolean);
  const path = folders.length > 0 ? [...folders, '.well-known'] : [];
  return ['did:web', encodeURIComponent(host), ...path].join(':');
}
