import type { Config } from '../../config.ts';
import type { Queryable } from '../../database/contract.ts';
import { createCommunity } from '../community/community.ts';
import { endJob } from '../jobs/end_job.ts';
import { deleteStore } from '../kept_manifests/store.ts';
import { endKey } from '../ownership/end_key.ts';
import { revokeKey } from '../receipts/revoke_key.ts';
import { openData } from '../storage/open.ts';
import { createWallets } from '../wallets/wallets.ts';
import { deleteEndpoint } from '../webhooks/store.ts';
import { createOperator } from './operator.ts';

/** The operator's hand in the data folder the settings name; also while a server runs. */
export async function openOperator(config: Config) {
  const database = await openData(config, { mayJoin: true });
  const wallets = createWallets(database);
  const clock = () => new Date();
  const release = (tx: Queryable, id: string) => wallets.release({ id }, tx);
  return {
    ...createOperator({
      database,
      community: createCommunity(database),
      revokeKey: (kid, reason) => revokeKey({ database, clock }, kid, reason),
      endings: {
        job: (id) => endJob({ database, release, clock }, id),
        key: (id) => endKey({ database, clock }, id),
        manifest: (id) => deleteStore(database, id.replace('manifest_', '')),
        whe: (id) => deleteEndpoint(database, id),
      },
    }),
    close: () => database.close(),
  };
}

export type OpenedOperator = Awaited<ReturnType<typeof openOperator>>;
