import type { KeyObject } from 'node:crypto';
import type { Config } from '../../../config/config.ts';
import type { Queryable } from '../../../core/database/types.ts';
import { createSigner } from '../../../core/keys/signer.ts';
import type { Reach } from '../../../core/outbound_http/reach.ts';
import { endJob } from '../../../core/queue/end_job.ts';
import type { Reserve } from '../../../core/request_scope/types.ts';
import type { Wallets } from '../../wallets/types.ts';
import type { LeavingOptions } from './deps.ts';
import { createLeaving } from './leaving.ts';
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
