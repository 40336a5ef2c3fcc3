import { randomUUID } from 'node:crypto';
import { creditsText } from '../catalogue/next_steps.ts';
import { AtelierError } from '../errors.ts';
import { CREDIT_BACK_PERCENT, HOLD_LIFETIME_MS, WELCOME_CREDITS } from '../limits.ts';
import { packListing } from '../operations/payment/packs.ts';
import type { Hold, KeptAnswer } from '../services/wallets/index.ts';
import { highestPrice, priceOf, usd } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { CallKit } from './call_tool.ts';
import type { Caller } from './caller.ts';
import { isDryRun } from './dry_run.ts';

const MILLI = 1000;

/** The money side of one call, from hold to settlement. */
export interface Payment {
  /** What the answer says about the payment; absent when the call is free. */
  readonly receipt?: Record<string, unknown>;
  /** Takes the held credits; with a kept answer, in the same transaction. */
  settle(answer: KeptAnswer | undefined): Promise<void>;
  /** Runs `work`; gives the credits back if it throws. */
  releaseOnFailure<T>(work: () => Promise<T>): Promise<T>;
}

/** A paid tool without any payment is refused before its input is looked at. @throws AtelierError payment_required */
export function requirePayment(
  kit: CallKit,
  tool: AnyTool,
  raw: unknown,
  caller: Caller,
  wallet: string | undefined,
): void {
  if (highestPrice(tool.price) === 0 || wallet !== undefined || isDryRun(raw)) return;
  if (caller.paymentIntent !== undefined) {
    throw unpaid(
      kit,
      tool,
      highestPrice(tool.price),
      'payment_required',
      'Card payment is not set up on this server, so X-Payment-Intent cannot pay. Use credits.',
    );
  }
  throw unpaid(
    kit,
    tool,
    highestPrice(tool.price),
    'payment_required',
    `${tool.name} costs ${creditsText(highestPrice(tool.price))} and no payment was sent.`,
  );
}

/** Which hold, and for how long: that of a job has its name and outlives the connection. */
export interface HoldTerms {
  readonly id: string;
  readonly lifetimeMs: number;
}

const forOneCall = (): HoldTerms => ({ id: `call_${randomUUID()}`, lifetimeMs: HOLD_LIFETIME_MS });

/** Sets the credits aside. @throws AtelierError wallet_not_registered, insufficient_credits: both answer 402 */
export async function holdCredits(
  kit: CallKit,
  tool: AnyTool,
  input: Record<string, unknown>,
  wallet: string | undefined,
  { id, lifetimeMs }: HoldTerms = forOneCall(),
): Promise<Payment> {
  const price = priceOf(tool.price, input);
  if (price === 0 || wallet === undefined) return freeCall(kit);
  const { wallets } = kit.services;
  try {
    const hold = await wallets.hold({
      id,
      wallet,
      amount: price * MILLI,
      tool: tool.name,
      expiresAt: new Date(Date.now() + lifetimeMs),
    });
    return heldCredits(kit, hold);
  } catch (error) {
    throw error instanceof AtelierError && error.status === 402
      ? await withCredits(kit, tool, price, wallet, error)
      : error;
  }
}

/** The payment of a call whose credits are held already. */
export function heldCredits({ services: { wallets } }: CallKit, hold: Hold): Payment {
  return {
    receipt: {
      method: 'credits',
      wallet: hold.wallet,
      transaction_id: hold.id,
      credit_back: (hold.amount * CREDIT_BACK_PERCENT) / 100 / MILLI,
    },
    settle: async (answer) => void (await wallets.settle(hold, answer)),
    releaseOnFailure: (work) => orRelease(work, () => wallets.release(hold)),
  };
}

/** A free call has nothing to hold, but its answer is still kept for replay. */
export function freeCall(kit: CallKit): Payment {
  return {
    settle: async (answer) => void (answer && (await kit.answers.keep(answer))),
    releaseOnFailure: (work) => work(),
  };
}

async function orRelease<T>(work: () => Promise<T>, release: () => Promise<void>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await release();
    throw error;
  }
}

async function withCredits(
  kit: CallKit,
  tool: AnyTool,
  price: number,
  wallet: string,
  error: AtelierError,
): Promise<AtelierError> {
  const state = await kit.services.wallets.find(wallet);
  const available = (state?.available ?? 0) / MILLI;
  const detail = state
    ? `${tool.name} costs ${creditsText(price)}; the wallet has ${available} available.`
    : `${tool.name} costs ${creditsText(price)}; the wallet ${wallet} is not registered yet.`;
  return unpaid(kit, tool, price, error.code as 'insufficient_credits', detail, {
    wallet,
    registered: state !== undefined,
    balance: (state?.balance ?? 0) / MILLI,
    available,
    shortfall: Math.round((price - available) * MILLI) / MILLI,
  });
}

/** The 402 of the specification: how to get credits, and a card checkout link. */
function unpaid(
  { services: { site } }: CallKit,
  tool: AnyTool,
  price: number,
  code: 'payment_required' | 'wallet_not_registered' | 'insufficient_credits',
  detail: string,
  wallet: Record<string, unknown> = {},
): AtelierError {
  const address = typeof wallet.wallet === 'string' ? wallet.wallet : undefined;
  const packs = packListing(site.publicUrl, address);
  return new AtelierError(code, detail, {
    headers: {
      'WWW-Authenticate': 'Bearer realm="atelier"',
      Link: `<${site.publicUrl}/pricing.json>; rel="payment"`,
    },
    members: {
      tool: tool.name,
      cost: { credit: price, usd: usd(price) },
      credits: {
        required: price,
        ...wallet,
        packs,
        free_trial: {
          amount: WELCOME_CREDITS,
          value_usd: usd(WELCOME_CREDITS),
          how: 'POST /api/wallet/register',
        },
      },
      checkout_url: packs[0]?.checkout_url,
      payment_options: [
        {
          type: 'credits',
          header: `Authorization: Bearer ${address ?? '<wallet>'}`,
          register: 'POST /api/wallet/register',
          buy: 'GET /api/credits',
        },
      ],
      next_steps: wallet.registered
        ? [
            {
              action: 'Buy credits',
              cost: `${packs[0]?.price_usd} USD`,
              endpoint: 'GET /api/credits',
              why: 'See the packs and their checkout links',
            },
          ]
        : [
            {
              action: 'Register a wallet',
              cost: 'free',
              endpoint: 'POST /api/wallet/register',
              why: `${WELCOME_CREDITS} free credits`,
              params: { wallet: address ?? '0x…' },
            },
          ],
    },
  });
}
