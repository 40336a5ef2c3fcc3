import type { BaseLogger } from 'pino';
import type { Config } from '../../config.ts';
import type { Webhooks } from './contract.ts';
import type { Parts } from './parts.ts';
import { createWebhooks } from './webhooks.ts';

interface Opened extends Pick<Parts, 'database' | 'reach' | 'publicUrl'> {
  readonly logger: Pick<BaseLogger, 'error'>;
}

/** Webhooks as the settings say. They are delivered once `work` is called. */
export const openWebhooks = (config: Config, { logger, ...opened }: Opened): Webhooks =>
  createWebhooks({
    ...opened,
    atOnce: config.WEBHOOKS_AT_ONCE,
    clock: () => new Date(),
    random: Math.random,
    report: (error) => logger.error({ err: error }, 'webhooks: something failed'),
  });
