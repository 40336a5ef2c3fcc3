import type { BaseLogger } from 'pino';
import type { Config } from '../../../config/config.ts';
import { createTimeStamps } from './timestamps.ts';
import { readTrustList } from './trust_list.ts';
import type { TimeStamps } from './types.ts';

/** Time stamps as the settings say. @throws Error naming what is wrong with TSA_TRUST */
export const openTimeStamps = (
  config: Config,
  { logger }: { logger: Pick<BaseLogger, 'warn'> },
): TimeStamps =>
  createTimeStamps({
    urls: config.TSA_URL,
    trust: trustListOf(config),
    policy: config.TSA_POLICY,
    logger,
  });

/** @throws Error naming the file that is wrong */
export const trustListOf = ({ TSA_TRUST }: Config): Uint8Array[] => readTrustList(TSA_TRUST);
