import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../core/database/types.ts';
import type { Reach } from '../../core/outbound_http/reach.ts';
import type { Blobs } from '../../core/storage/blobs/types.ts';
import { createArchive } from './archive.ts';
import { arweaveKey } from './arweave/arweave_key.ts';
import { createArweaveReader } from './arweave/arweave_reader.ts';
import { createArweaveStore } from './arweave/arweave_store.ts';

interface Parts {
  readonly database: Database;
  readonly publicUrl: string;
  readonly blobs: Blobs;
  /** How far a stranger's address may lead. */
  readonly reach: Reach;
  readonly logger: BaseLogger;
}

/** Where files are kept for good: the archive that is built in, or Arweave where there is a key for it. @throws Error about the key */
export function openArchive(config: Config, { database, publicUrl, blobs, reach, logger }: Parts) {
  const archive = createArchive({ database, blobs, publicUrl });
  const { ARWEAVE_KEY_FILE: keyFile, ARWEAVE_UPLOAD_URL: uploadUrl, ARWEAVE_GATEWAY_URL: gateway } = config;
  const gatewayUrl = gateway.replace(/\/+$/, '');
  const arweave = createArweaveReader({ database, gatewayUrl, reach });
  if (!keyFile) return { archive, arweave, permanentStore: archive };
  const key = arweaveKey(keyFile);
  return {
    archive,
    arweave,
    permanentStore: createArweaveStore({ database, uploadUrl, gatewayUrl, key, logger }),
  };
}
