import type { Config } from '../../config.ts';
import type { Pixels } from '../../workers/contract.ts';
import type { TimeStamps } from '../timestamps/contract.ts';
import { manifestCertificate } from './certificate.ts';
import type { Manifests } from './contract.ts';
import { createManifests } from './manifests.ts';

/** Manifests signed with the certificate of the settings. @throws Error naming what is wrong with it */
export const openManifests = (
  config: Config,
  { pixels, timeStamps, version }: { pixels: Pixels; timeStamps: TimeStamps; version: string },
): Manifests =>
  createManifests({
    pixels,
    timeStamps,
    certificate: manifestCertificateOf(config),
    generator: { name: 'atelier', version },
  });

/** What C2PA manifests are signed with; nothing where no certificate is set. @throws Error naming what is wrong with it */
export const manifestCertificateOf = ({ C2PA_CERTIFICATE, C2PA_KEY }: Config) =>
  manifestCertificate(C2PA_CERTIFICATE, C2PA_KEY);
