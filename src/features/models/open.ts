import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { followOutward } from '../../core/outbound_http/follow_outward.ts';
import { createModels } from './models.ts';
import type { Models } from './types.ts';

/** The networks on the disk; the command line looks after them without the rest of the service. */
export function openModels(config: Pick<Config, 'DATA_DIR' | 'MODEL_MIRROR' | 'EXECUTION_PROVIDER'>): Models {
  return createModels({
    folder: join(config.DATA_DIR, 'models'),
    mirror: config.MODEL_MIRROR,
    provider: config.EXECUTION_PROVIDER,
    fetch: followOutward(fetch),
  });
}
