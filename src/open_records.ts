import type { KeyObject } from 'node:crypto';
import type { BaseLogger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './database/contract.ts';
import { createArchive } from './services/archive/archive.ts';
import { arweaveKey } from './services/archive/arweave/arweave_key.ts';
import { createArweaveReader } from './services/archive/arweave/arweave_reader.ts';
import { createArweaveStore } from './services/archive/arweave/arweave_store.ts';
import type { Blobs } from './services/blobs/contract.ts';
import type { Reach } from './services/fetching/reach.ts';
import { createLog } from './services/log/log.ts';
import { manifestCertificate } from './services/manifests/certificate.ts';
import { createManifests } from './services/manifests/manifests.ts';
import { createSigner } from './services/receipts/signer.ts';
import type { Services } from './services/services.ts';
import { createSoulmarks } from './services/soulmarks/soulmarks.ts';

interface RecordParts {
  readonly database: Database;
  readonly publicUrl: string;
  /** Of this service. */
  readonly version: string;
  readonly blobs: Blobs;
  /** How far a stranger's address may lead. */
  readonly reach: Reach;
  readonly log: BaseLogger;
  /** Ed25519. */
  readonly key: KeyObject;
  readonly receipts: Services['receipts'];
  readonly pixels: Services['pixels'];
}

/** What is said and signed about pictures and kept for good. @throws Error naming what is wrong with a key or certificate */
export function openRecords(
  config: Config,
  { database, blobs, reach, log, key, receipts, pixels, publicUrl, version }: RecordParts,
): Pick<Services, 'archive' | 'arweave' | 'permanentStore' | 'log' | 'soulmarks' | 'manifests'> {
  const archive = createArchive({ database, blobs, publicUrl });
  const certificate = manifestCertificate(config.C2PA_CERTIFICATE, config.C2PA_KEY);
  const { ARWEAVE_KEY_FILE: keyFile, ARWEAVE_UPLOAD_URL: uploadUrl, ARWEAVE_GATEWAY_URL: gateway } = config;
  const gatewayUrl = gateway.replace(/\/+$/, '');
  return {
    archive,
    arweave: createArweaveReader({ database, gatewayUrl, reach }),
    permanentStore: keyFile
      ? createArweaveStore({ database, uploadUrl, gatewayUrl, key: arweaveKey(keyFile), log })
      : archive,
    log: createLog({ database, signer: createSigner(key), publicUrl }),
    soulmarks: createSoulmarks({ key, receipts, pixels, publicUrl }),
    manifests: createManifests({ pixels, certificate, generator: { name: 'atelier', version } }),
  };
}
