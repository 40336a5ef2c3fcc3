import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SUMS = 'SHA256SUMS';

/**
 * Writes the sha256 of files into SHA256SUMS, for sha256sum -c, and with a key (Ed25519, PEM) its signature
 * and the public key; without a key, removes an older signature.
 * @returns names of the written files
 * @throws Error for a key of another type
 */
export function writeChecksums(folder: string, names: readonly string[], keyFile?: string): string[] {
  const lines = names.map((name) => `${sha256Of(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, SUMS), lines.join(''));
  for (const ending of ['sig', 'pem']) rmSync(join(folder, `${SUMS}.${ending}`), { force: true });
  if (!keyFile) return [SUMS];
  const key = createPrivateKey(readFileSync(keyFile));
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(
      `${keyFile} is a key for ${key.asymmetricKeyType}. Make one with: openssl genpkey -algorithm ed25519`,
    );
  writeFileSync(join(folder, `${SUMS}.sig`), sign(null, Buffer.from(lines.join('')), key));
  writeFileSync(join(folder, `${SUMS}.pem`), createPublicKey(key).export({ type: 'spki', format: 'pem' }));
  return [SUMS, `${SUMS}.sig`, `${SUMS}.pem`];
}

export const sha256Of = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');
