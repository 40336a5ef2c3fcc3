import { readFileSync } from 'node:fs';
import type { Config } from '../../../config/config.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { TimeStamps } from '../timestamps/types.ts';
import { manifestCertificate } from './certificate.ts';
import { createManifests } from './manifests.ts';
import type { Manifests } from './types.ts';

/** Manifests signed with the certificate of the settings. @throws Error naming what is wrong with it */
export const openManifests = (
  config: Config,
  { pixels, timeStamps, version }: { pixels: Pixels; timeStamps: TimeStamps; version: string },
): Manifests =>
  createManifests({
    pixels,
    timeStamps,
    certificate: manifestCertificateOf(config),
    trustAnchors: trustAnchorsOf(config),
    generator: { name: 'atelier', version },
  });

/** What C2PA manifests are signed with; nothing where no certificate is set. @throws Error naming what is wrong with it */
export const manifestCertificateOf = ({ C2PA_CERTIFICATE, C2PA_KEY }: Config) =>
  manifestCertificate(C2PA_CERTIFICATE, C2PA_KEY);

/** Certificates of C2PA_TRUST_LIST as PEM; undefined where it is not set. @throws Error naming what is wrong with the file */
export function trustAnchorsOf({
  C2PA_TRUST_LIST: path,
}: Pick<Config, 'C2PA_TRUST_LIST'>): string | undefined {
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`C2PA_TRUST_LIST cannot be read: ${path} (${(error as NodeJS.ErrnoException).code}).`);
  }
  const size = Buffer.byteLength(text);
  if (size > TRUST_LIST_BYTES_MAX)
    throw new Error(`C2PA_TRUST_LIST has ${size} bytes. The limit is ${TRUST_LIST_BYTES_MAX}.`);
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!certificates) throw new Error(`C2PA_TRUST_LIST holds no certificate as PEM: ${path}.`);
  return certificates.join('\n');
}

/** The list of the C2PA conformance programme has under 100 kB. It goes to a process with every manifest that is read. */
const TRUST_LIST_BYTES_MAX = 1_000_000;
