import type { BaseLogger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './database/contract.ts';
import { createAnswers } from './services/answers/answers.ts';
import type { KeptTexts } from './services/answers/kept_texts.ts';
import { createAuthorizations } from './services/chain/authorizations.ts';
import { createContractWallets } from './services/chain/contract_wallets.ts';
import { createOwnership } from './services/ownership/ownership.ts';
import { createPayments } from './services/payments/payments.ts';
import type { Processor } from './services/payments/processor.ts';
import { createSimulated } from './services/payments/simulated/simulated.ts';
import type { StripeSettings } from './services/payments/stripe.ts';
import { receiptKey } from './services/receipts/receipt_key.ts';
import { createReceipts } from './services/receipts/receipts.ts';
import { createWallets } from './services/wallets/wallets.ts';
import { createHttpFacilitator } from './services/x402/http_facilitator.ts';
import { x402Settings } from './services/x402/settings.ts';
import { createX402 } from './services/x402/x402.ts';
import { isOnThisMachine } from './whereabouts.ts';

interface Opened {
  readonly database: Database;
  readonly texts: KeptTexts;
  readonly publicUrl: string;
  readonly log: BaseLogger;
}

/** Who owns what, who pays how, and what was answered for it. */
export async function openMoney(config: Config, { database, texts, publicUrl, log }: Opened) {
  const wallets = createWallets(database, undefined, { bonusNeedsProof: config.BONUS_NEEDS_PROOF });
  const answers = createAnswers(database, texts);
  const { EVM_RPC_URL: rpcUrl } = config;
  const contracts = rpcUrl === undefined ? undefined : createContractWallets({ rpcUrl });
  const ownership = createOwnership({ database, publicUrl, ...(contracts && { contracts }) });
  const key = await receiptKey(config.DATA_DIR, config.RECEIPT_KEY);
  const receipts = await createReceipts({ database, key, publicUrl });
  const processor = await cardProcessor(cardSettings(config), { database, publicUrl, log });
  const payments = createPayments({ database, processor, publicUrl, log });
  const paidBy = x402SettingsOf(config);
  const facilitator = paidBy && createHttpFacilitator(paidBy.facilitatorUrl);
  const authorizations = rpcUrl === undefined ? undefined : createAuthorizations({ rpcUrl });
  const x402 =
    facilitator && createX402({ settings: paidBy, facilitator, authorizations, database, wallets, log });
  // One process owns an embedded database, so every hold and every key still open is of a process that died.
  if (database.kind === 'embedded') {
    await wallets.expireHolds(new Date(), true);
    await answers.abandonAll();
    await payments.sweep(new Date(), true);
    await x402?.recover();
  }
  return { wallets, answers, ownership, receipts, receiptKey: key, payments, x402 };
}

/** What is wrong with the settings about money, or dangerous, is told before anything is opened. @throws Error naming what is missing */
export function checkMoney(config: Config, log: BaseLogger): void {
  const cards = cardSettings(config)?.name;
  if (!isOnThisMachine(config)) {
    if (cards === 'simulated')
      log.warn(
        'cards are simulated: anybody who reaches this server gets credits for a test card (PAYMENTS)',
      );
    if (config.PAYMENTS === undefined && cards === undefined)
      log.warn(
        'no cards are taken: others reach this server, and PAYMENTS is not set (stripe, simulated or off)',
      );
  }
  x402SettingsOf(config);
}

const x402SettingsOf = ({
  X402_PAY_TO: payTo,
  X402_FACILITATOR_URL: facilitatorUrl,
  X402_NETWORKS: networks,
}: Config) => x402Settings({ payTo, facilitatorUrl, networks });

type CardSettings = { name: 'simulated' } | ({ name: 'stripe' } & Omit<StripeSettings, 'log'>) | undefined;

/**
 * Stripe where it is set up; else cards that move no money, on this machine or where they were asked for by name. Anybody may
 * buy with them, so a server that others reach does not have them by oversight. @throws Error naming what is missing
 */
function cardSettings(config: Config): CardSettings {
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

/** Stripe's library is loaded only where it is used. */
async function cardProcessor(
  cards: CardSettings,
  { database, publicUrl, log }: { database: Database; publicUrl: string; log: BaseLogger },
): Promise<Processor | undefined> {
  if (cards?.name === 'stripe') {
    const { createStripe } = await import('./services/payments/stripe.ts');
    return createStripe({ ...cards, log });
  }
  return cards && createSimulated({ database, publicUrl });
}
