import type { Config } from '../../config.ts';
import type { Pixels } from '../../workers/contract.ts';
import { manifestCertificate } from './certificate.ts';
import type { Manifests } from './contract.ts';
import { createManifests } from './manifests.ts';

/** Manifests signed with the certificate of the settings. @throws Error naming what is wrong with it */
export const openManifests = (
  { C2PA_CERTIFICATE, C2PA_KEY }: Config,
  { pixels, version }: { pixels: Pixels; version: string },
): Manifests =>
  createManifests({
    pixels,
    certificate: manifestCertificate(C2PA_CERTIFICATE, C2PA_KEY),
    generator: { name: 'atelier', version },
  });
