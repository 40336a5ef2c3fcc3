import { Challenge } from 'mppx';
import { createAuthorizations } from '../../src/core/chain/chain.ts';
import type { Database } from '../../src/core/database/types.ts';
import { createPayments } from '../../src/features/billing/payments.ts';
import { x402Settings } from '../../src/features/billing/x402/settings.ts';
import { createHttpFacilitator, createX402 } from '../../src/features/billing/x402/x402.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';
import { stripeBank } from './banks.ts';
import { startFakeFacilitator } from './fake_facilitator.ts';
import { answerTo, PROFILE } from './mpp_payer.ts';
import { type ProcessReply, postTo } from './post_to.ts';
import { NETWORK, newPayer, PAY_TO, v2, X402_SETTINGS } from './x402_payer.ts';

/**
 * A payment method for calls of save_asset, and the state at its payment service while this service is dead.
 */
export interface Way {
  /** Settings of the service. */
  readonly settings: Record<string, string>;
  /** A new payment, for one call. */
  pay(url: string): Promise<OnePayment>;
  /** Calls `heard` whenever the payment service has charged, before its response arrives. */
  onCharge?(heard: () => void): void;
  /** Runs the later maintenance of another server on the same database. */
  sweep?(database: Database, later: Date): Promise<unknown>;
  close(): Promise<void>;
}

export interface OnePayment {
  readonly headers: Record<string, string>;
  /** Number of external charges; absent if only the service's own ledger knows. */
  timesCharged?(): number;
  /** Checks another call with the same payment, after it has paid for one. */
  isRightSecondUse?(reply: ProcessReply): boolean;
}

const SILENT = { info: () => {}, warn: () => {} };

export const byCredits = async (): Promise<Way> => ({
  settings: {},
  pay: async () => ({ headers: {} }),
  close: async () => {},
});

/** What both payments through Stripe have in common. */
const stripeWay = (
  stripe: Awaited<ReturnType<typeof stripeBank>>['stripe'],
): Pick<Way, 'onCharge' | 'sweep'> => ({
  onCharge(heard) {
    stripe.onDone = ({ path }) => {
      if (path.endsWith('/capture')) heard();
    };
  },
  sweep: (database, later) =>
    createPayments({ database, processor: undefined, publicUrl: '', logger: SILENT }).sweep(later),
});

/** Stripe keeps running, with its state. */
export async function byCard(): Promise<Way> {
  const { stripe, settings, close } = await stripeBank();
  return {
    settings,
    async pay(url) {
      const made = await postTo(url, '/api/create-payment-intent', { tool_name: 'save_asset' });
      const { id } = made!.body;
      stripe.pay(id);
      return {
        headers: { 'X-Payment-Intent': id },
        timesCharged: () => stripe.thing(id).amount_received / 50,
        // It has paid for five calls at once.
        isRightSecondUse: ({ body }) => body.payment?.calls_left === 3 && body.payment.charged_usd === 0,
      };
    },
    ...stripeWay(stripe),
    close,
  };
}

/** A card payment by a token that was granted to the agent. */
export async function byToken(): Promise<Way> {
  const { stripe, settings, close } = await stripeBank();
  return {
    // The challenge contains the public URL, and the port changes at every start.
    settings: { ...settings, STRIPE_PROFILE_ID: PROFILE, PUBLIC_URL: 'http://127.0.0.1:3000' },
    async pay(url) {
      const unpaid = await fetch(`${url}/api/tools/save_asset`, { method: 'POST', body: '{}' });
      const { id } = Challenge.fromResponse(unpaid);
      const ours = () =>
        stripe.thingsOf('payment_intent').filter(({ metadata }) => metadata.challenge === id);
      return {
        headers: answerTo(unpaid, stripe.grantToken()),
        timesCharged: () => ours().reduce((sum, { amount_received: cents }) => sum + cents / 50, 0),
        isRightSecondUse: ({ status, body }) => status === 402 && body.code === 'payment_used',
      };
    },
    ...stripeWay(stripe),
    close,
  };
}

/** The chain belongs to the facilitator, and keeps running. */
export async function byX402(): Promise<Way> {
  const facilitator = await startFakeFacilitator();
  const settings = x402Settings({ payTo: PAY_TO, facilitatorUrl: facilitator.url, networks: [NETWORK] })!;
  return {
    settings: { ...X402_SETTINGS(facilitator.url), EVM_RPC_URL: facilitator.rpcUrl },
    async pay() {
      const payer = newPayer();
      return {
        headers: v2(await payer.pay()),
        timesCharged: () => facilitator.transfers.filter((one) => one.payer === payer.wallet).length,
        isRightSecondUse: ({ status, body }) => status === 402 && body.code === 'payment_used',
      };
    },
    onCharge(heard) {
      facilitator.onSettled = heard;
      // Some settlements are slow enough to be interrupted.
      facilitator.fail(
        '/settle',
        { kind: 'slow', ms: 100 },
        { kind: 'slow', ms: 300 },
        { kind: 'lose_reply' },
      );
    },
    sweep: (database, later) =>
      createX402({
        settings,
        facilitator: createHttpFacilitator(settings.facilitatorUrl),
        authorizations: createAuthorizations({ rpcUrl: facilitator.rpcUrl }),
        database,
        wallets: createWallets(database),
        logger: SILENT,
      }).sweep(later),
    close: facilitator.close,
  };
}
