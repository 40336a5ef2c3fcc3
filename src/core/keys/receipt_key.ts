import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { keepFile } from '../storage/blobs/keep_file.ts';

/**
 * The Ed25519 key that signs receipts: the configured one, else the one stored in `dataDir`, generated at the first start.
 * @param configured PKCS#8, as PEM or as the base64 of its bytes
 * @throws Error that says what to set, for anything but an Ed25519 private key
 */
export async function receiptKey(dataDir: string, configured?: string): Promise<KeyObject> {
  const path = join(dataDir, 'receipt_key.pem');
  const text = configured ?? (await keepFile(path, newKey));
  const key = parseKey(text);
  if (key?.asymmetricKeyType === 'ed25519') return key;
  const [where, remedy] = configured
    ? ['RECEIPT_KEY', 'Make one with: openssl genpkey -algorithm ed25519 -outform DER | base64 -w0']
    : [
        path,
        'Restore it from a backup, or delete it: a new key is made then, and earlier receipts stay valid.',
      ];
  throw new Error(`${where} holds no Ed25519 private key. ${remedy}`);
}

const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

/** PEM is base64 between two lines; without them both forms parse alike, also where line ends were lost. */
function parseKey(text: string): KeyObject | undefined {
  const base64 = text.replace(/-----[A-Z ]+-----/g, '').replace(/\\n|\s/g, '');
  try {
    return createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });
  } catch {
    return undefined;
  }
}
