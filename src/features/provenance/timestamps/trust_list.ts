import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { TRUST_FILE_BYTES_MAX } from './limits.ts';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The certificates of the files of TSA_TRUST, as DER.
 * @throws Error naming a file that cannot be read, is too large, or holds anything but certificates
 */
export function readTrustList(paths: readonly string[]): Uint8Array[] {
  return paths.flatMap((path) => {
    const pems = textOf(path).match(PEM) ?? [];
    if (pems.length === 0) throw new Error(`TSA_TRUST: ${path} holds no certificate as PEM.`);
    return pems.map((pem, index) => {
      try {
        return new Uint8Array(new X509Certificate(pem).raw);
      } catch (error) {
        throw new Error(`TSA_TRUST: certificate ${index + 1} of ${path} cannot be read.`, { cause: error });
      }
    });
  });
}

function textOf(path: string): string {
  try {
    if (statSync(path).size <= TRUST_FILE_BYTES_MAX) return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`TSA_TRUST: ${path} cannot be read.`, { cause: error });
  }
  throw new Error(`TSA_TRUST: ${path} has more than ${TRUST_FILE_BYTES_MAX} bytes.`);
}
