import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../core/database/types.ts';
import { isOnThisMachine } from '../../core/outbound_http/public_address.ts';
import { createPayments } from './payments.ts';
import type { Processor } from './processor.ts';
import { createSimulated } from './simulated/simulated.ts';
import type { StripeSettings } from './stripe.ts';
import type { Payments } from './types.ts';

interface PaymentsDeps {
  readonly database: Database;
  readonly publicUrl: string;
  readonly logger: BaseLogger;
}

/** Creates the card payments from the configuration. @throws Error naming what is missing */
export async function openPayments(config: Config, parts: PaymentsDeps): Promise<Payments> {
  const processor = await cardProcessor(cardSettings(config), parts);
  return createPayments({ ...parts, processor });
}

/** Warns at start of dangerous card settings. @throws Error naming what is missing */
export function warnOfCards(config: Config, logger: BaseLogger): void {
  const cards = cardSettings(config)?.name;
  if (isOnThisMachine(config)) return;
  if (cards === 'simulated')
    logger.warn(
      'card payments are simulated on a public server: anyone can buy credits with a test card; set PAYMENTS=stripe or PAYMENTS=off',
    );
  if (config.PAYMENTS === undefined && cards === undefined)
    logger.warn(
      'card payments are off: this server is public and PAYMENTS is not set (stripe, simulated or off)',
    );
}

type CardSettings = { name: 'simulated' } | ({ name: 'stripe' } & Omit<StripeSettings, 'logger'>) | undefined;

/**
 * Stripe where configured; else simulated cards, on a local server or where they are requested by name. Anyone can buy with
 * simulated cards, so a public server must enable them explicitly. @throws Error naming what is missing
 */
export function cardSettings(config: Config): CardSettings {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config;
  const name = config.PAYMENTS ?? (secretKey ? 'stripe' : isOnThisMachine(config) ? 'simulated' : 'off');
  if (name === 'off') return undefined;
  if (name === 'simulated') return { name };
  if (!secretKey || !webhookSecret) {
    throw new Error(
      'Stripe needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET; or set PAYMENTS=simulated or PAYMENTS=off.',
    );
  }
  const { STRIPE_PUBLISHABLE_KEY: publishableKey, STRIPE_API_URL: apiUrl } = config;
  return { name, secretKey, webhookSecret, publishableKey, apiUrl };
}

/** Loads the Stripe library only where it is used. */
async function cardProcessor(
  cards: CardSettings,
  { database, publicUrl, logger }: PaymentsDeps,
): Promise<Processor | undefined> {
  if (cards?.name === 'stripe') {
    const { createStripe } = await import('./stripe.ts');
    return createStripe({ ...cards, logger });
  }
  return cards && createSimulated({ database, publicUrl });
}
