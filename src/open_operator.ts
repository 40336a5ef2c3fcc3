import type { Config } from './config.ts';
import { openData } from './open_data.ts';
import { createCommunity } from './services/community/community.ts';
import { endJob } from './services/jobs/end_job.ts';
import { createOperator } from './services/operator/operator.ts';
import { endKey } from './services/ownership/end_key.ts';
import { createWallets } from './services/wallets/wallets.ts';
import { createWebhooks } from './services/webhooks/webhooks.ts';

/** The operator's hand in the data folder the settings name; also while a server runs. */
export async function openOperator(config: Config) {
  const database = await openData(config, { mayJoin: true });
  const wallets = createWallets(database);
  const clock = () => new Date();
  const release = (id: string) => wallets.release({ id });
  return {
    ...createOperator({
      database,
      community: createCommunity(database),
      endings: {
        job: (id) => endJob({ database, release, clock }, id),
        key: (id) => endKey({ database, clock }, id),
        whe: (id) => createWebhooks(database).end(id),
      },
    }),
    close: () => database.close(),
  };
}

export type OpenedOperator = Awaited<ReturnType<typeof openOperator>>;
