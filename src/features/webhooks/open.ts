import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Telemetry } from '../../core/telemetry/types.ts';
import type { Parts } from './deps.ts';
import type { Webhooks } from './types.ts';
import { createWebhooks } from './webhooks.ts';

interface Opened extends Pick<Parts, 'database' | 'reach' | 'publicUrl'> {
  readonly logger: Pick<BaseLogger, 'error'>;
  readonly telemetry: Pick<Telemetry, 'count'>;
}

/** Webhooks as the settings say. They are delivered once `work` is called. */
export const openWebhooks = (config: Config, { logger, telemetry, ...opened }: Opened): Webhooks =>
  createWebhooks({
    ...opened,
    atOnce: config.WEBHOOKS_AT_ONCE,
    clock: () => new Date(),
    random: Math.random,
    onAttempt: (outcome) => telemetry.count('atelier_webhook_attempts_total', { outcome }),
    report: (error) => logger.error({ err: error }, 'webhooks: something failed'),
  });
