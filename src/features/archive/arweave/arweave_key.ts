import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ARWEAVE_KEY_BITS } from '@atelier/imaging/permanent/arweave/data_item.ts';

/**
 * The key of an Arweave wallet.
 * @param path of an exported key file: a JSON Web Key
 * @throws Error that describes the problem without the contents of the file
 */
export function arweaveKey(path: string): KeyObject {
  const key = parseKey(path);
  const { modulusLength, publicExponent } = key?.asymmetricKeyDetails ?? {};
  if (key && modulusLength === ARWEAVE_KEY_BITS && publicExponent === 65_537n) return key;
  throw new Error(
    `ARWEAVE_KEY_FILE: ${path} does not contain the key of an Arweave wallet: a private RSA key of ${ARWEAVE_KEY_BITS} bits as JSON Web Key.`,
  );
}

function parseKey(path: string): KeyObject | undefined {
  const text = readFileSync(path, 'utf8');
  try {
    return createPrivateKey({ key: JSON.parse(text), format: 'jwk' });
  } catch {
    return undefined;
  }
}
