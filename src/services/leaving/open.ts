import type { KeyObject } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Queryable } from '../../database/contract.ts';
import type { Reach } from '../fetching/reach.ts';
import { endJob } from '../jobs/end_job.ts';
import { createSigner } from '../receipts/signer.ts';
import type { Reserve } from '../visits/contract.ts';
import type { Wallets } from '../wallets/contract.ts';
import { createLeaving } from './leaving.ts';
import type { LeavingOptions } from './parts.ts';
import { publishedKeys } from './published_keys.ts';

type Kept = Pick<LeavingOptions, 'database' | 'blobs' | 'receipts' | 'publicUrl' | 'shares'>;

interface Opened extends Kept {
  readonly wallets: Pick<Wallets, 'release'>;
  /** Signs archives; Ed25519. */
  readonly key: KeyObject;
  readonly reach: Reach & { readonly reserve: Reserve };
}

export function openLeaving(config: Config, { wallets, key, reach, ...parts }: Opened) {
  const { database, blobs, receipts, publicUrl, shares } = parts;
  const release = async (tx: Queryable, id: string) => {
    await wallets.release({ id }, tx);
  };
  return createLeaving({
    ...{ database, blobs, receipts, publicUrl, shares, reserve: reach.reserve },
    signer: createSigner(key),
    bytesMax: config.ASSETS_BYTES_MAX,
    trustedKids: config.IMPORT_KEYS,
    endJob: (tx, id) =>
      endJob({ database: { transaction: (work) => work(tx) }, release, clock: () => new Date() }, id),
    keysOf: (server, signal) => publishedKeys(reach, server, signal),
  });
}
