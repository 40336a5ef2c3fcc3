import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SUMS = 'SHA256SUMS';

/**
 * Writes the sha256 of files into SHA256SUMS, as sha256sum -c reads it, and with a key (Ed25519, PEM) its signature and the public key beside.
 * @returns names of what it wrote
 */
export function writeChecksums(folder: string, names: readonly string[], keyFile?: string): string[] {
  const lines = names.map((name) => `${sha256Of(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, SUMS), lines.join(''));
  if (!keyFile) return [SUMS];
  const key = createPrivateKey(readFileSync(keyFile));
  writeFileSync(join(folder, `${SUMS}.sig`), sign(null, Buffer.from(lines.join('')), key));
  writeFileSync(join(folder, `${SUMS}.pem`), createPublicKey(key).export({ type: 'spki', format: 'pem' }));
  return [SUMS, `${SUMS}.sig`, `${SUMS}.pem`];
}

export const sha256Of = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');
