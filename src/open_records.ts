import type { KeyObject } from 'node:crypto';
import type { Config } from './config.ts';
import type { Database } from './database/index.ts';
import { createArchive } from './services/archive/index.ts';
import type { Blobs } from './services/blobs/index.ts';
import { createLog } from './services/log/index.ts';
import { createManifests, manifestCertificate } from './services/manifests/index.ts';
import { createSigner } from './services/receipts/index.ts';
import type { Services } from './services/services.ts';
import { createSoulmarks } from './services/soulmarks/index.ts';

interface RecordParts {
  readonly database: Database;
  readonly publicUrl: string;
  /** Of this service. */
  readonly version: string;
  readonly blobs: Blobs;
  /** Ed25519. */
  readonly key: KeyObject;
  readonly receipts: Services['receipts'];
  readonly pixels: Services['pixels'];
}

/** What is said and signed about pictures and kept for good. @throws Error naming what is wrong with the certificate */
export function openRecords(
  config: Config,
  { database, blobs, key, receipts, pixels, publicUrl, version }: RecordParts,
): Pick<Services, 'archive' | 'permanentStore' | 'log' | 'soulmarks' | 'manifests'> {
  const archive = createArchive({ database, blobs, publicUrl });
  const certificate = manifestCertificate(config.C2PA_CERTIFICATE, config.C2PA_KEY);
  return {
    archive,
    permanentStore: archive,
    log: createLog({ database, signer: createSigner(key), publicUrl }),
    soulmarks: createSoulmarks({ key, receipts, pixels, publicUrl }),
    manifests: createManifests({ pixels, certificate, generator: { name: 'atelier', version } }),
  };
}
