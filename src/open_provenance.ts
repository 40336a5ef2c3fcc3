import type { KeyObject } from 'node:crypto';
import type { Config } from './config.ts';
import type { Database } from './database/index.ts';
import { createHashes, createKnownWorks, readKnownWorks } from './services/hashes/index.ts';
import { createManifests, manifestCertificate } from './services/manifests/index.ts';
import {
  createC2paWitness,
  createFileWitness,
  createHashWitness,
  createMetadataWitness,
  createProvenance,
} from './services/provenance/index.ts';
import type { Services } from './services/services.ts';
import { createSoulmarks } from './services/soulmarks/index.ts';

interface Parts extends Pick<Services, 'pixels' | 'receipts'> {
  readonly database: Database;
  /** Ed25519: the one receipts are signed with. */
  readonly key: KeyObject;
  readonly publicUrl: string;
  readonly version: string;
}

type Opened = Pick<Services, 'soulmarks' | 'manifests' | 'hashes' | 'provenance'>;

/** What signs pictures, what keeps the hashes of registered ones, and the witnesses that are asked where one comes from. */
export function openProvenance(config: Config, parts: Parts): Opened {
  const { database, pixels, receipts, key, publicUrl, version } = parts;
  const soulmarks = createSoulmarks({ key, receipts, pixels, publicUrl });
  const manifests = openManifests(config, pixels, version);
  const hashes = createHashes(database);
  const works = createKnownWorks(readKnownWorks());
  const provenance = createProvenance([
    createHashWitness({ hashes, works }),
    createMetadataWitness({ pixels, soulmarks }),
    createC2paWitness(manifests),
    createFileWitness(hashes),
  ]);
  return { soulmarks, manifests, hashes, provenance };
}

/** @throws Error naming what is wrong with the certificate */
function openManifests(config: Config, pixels: Services['pixels'], version: string): Services['manifests'] {
  const certificate = manifestCertificate(config.C2PA_CERTIFICATE, config.C2PA_KEY);
  return createManifests({ pixels, certificate, generator: { name: 'atelier', version } });
}
