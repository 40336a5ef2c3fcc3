import { z } from 'zod';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { Services } from '../../services.ts';

type Seen = z.input<typeof paymentState>;

/** State of a requested payment. @throws AtelierError payment_not_found, invalid_input */
export async function lookAtPayment(code: string, services: PaymentNeeds): Promise<Seen> {
  if (code.startsWith('cs_')) return lookAtCheckout(code, services);
  if (code.startsWith('pi_')) return lookAtIntent(code, services);
  if (code.startsWith('keycode_')) return redeem(code, services);
  throw invalidField('code', 'code must be a code from request_payment: cs_…, pi_… or keycode_….');
}

async function lookAtCheckout(code: string, { payments }: PaymentNeeds): Promise<Seen> {
  const found = await payments.fulfil(code);
  if (!found) throw notFound();
  const { state, wallet, amount, livemode } = found;
  const base = { way: 'credits' as const, code, wallet, livemode };
  if (state === 'unpaid') return { ...base, state: 'waiting', what_now: WAIT };
  if (state === 'expired' || state === 'refused') return { ...base, state: 'expired', what_now: OVER };
  return {
    ...base,
    state: 'paid',
    payer: wallet,
    buys_credits: amount / MILLICREDITS_PER_CREDIT,
    what_now: 'The credits are in the wallet. Call the tool with `payer` set to its address.',
  };
}

async function lookAtIntent(code: string, { payments }: PaymentNeeds): Promise<Seen> {
  const state = await payments.lookAtIntent(code);
  if (state === undefined) throw notFound();
  const what_now =
    state === 'paid'
      ? 'Call the paid tool with `payer` set to this code.'
      : state === 'waiting'
        ? WAIT
        : OVER;
  return { way: 'call', code, state, what_now, ...(state === 'paid' && { payer: code }) };
}

async function redeem(code: string, { consents }: PaymentNeeds): Promise<Seen> {
  const redeemed = await consents.redeemKey(code);
  const base = { way: 'key' as const, code };
  switch (redeemed.state) {
    case 'redeemed':
      return {
        ...base,
        state: 'paid',
        payer: redeemed.token,
        wallet: redeemed.wallet,
        what_now:
          'This key is shown once: store it, and send it as `payer` with every paid call, or as Authorization: Bearer.',
      };
    case 'waiting':
      return { ...base, state: 'waiting', what_now: WAIT };
    case 'refused':
      return {
        ...base,
        state: 'refused',
        what_now: 'The owner has refused. Do not ask again without a request to do so.',
      };
    case 'expired':
      return { ...base, state: 'expired', what_now: OVER };
    case 'used':
      throw new AtelierError(
        'payment_not_found',
        'The key of this code was already retrieved. If it is lost, request another one; the owner can revoke the lost key.',
      );
    case 'too_many_keys':
      throw new AtelierError(
        'payment_not_found',
        'The wallet has reached its limit of keys. Have the owner revoke one, then send this code again.',
      );
    case 'unknown':
      throw notFound();
  }
}

const WAIT = 'The person has not finished yet. Send the code again when they have, or in 30 s.';
const OVER = 'The payment expired. You were not charged. Start a new one.';

const notFound = (): AtelierError =>
  new AtelierError(
    'payment_not_found',
    'No payment or key request has this code. Send the code exactly as you received it.',
  );

/** State of a payment or key request that a person has to approve. */
export const paymentState = z.object({
  state: z
    .enum(['waiting', 'paid', 'refused', 'expired'])
    .describe('paid: continue as `what_now` says. expired or refused: nothing was charged.'),
  way: z.enum(['credits', 'call', 'key']),
  code: z.string().describe('Send it to this tool again to see the state. Keep the code of a key secret.'),
  url: z.string().optional().describe('For the person.'),
  check: z.string().optional().describe('Show it to the person, who sees the same on the page.'),
  what_now: z.string().describe('Next step.'),
  amount_usd: z.number().min(0).max(1_000_000).optional(),
  buys_credits: z.int().min(0).max(10_000_000).optional().describe('Item of the payment.'),
  wallet: z.string().optional(),
  payer: z
    .string()
    .optional()
    .describe('Send it as `payer` with the fields of any paid tool. A key is shown once.'),
  livemode: z.boolean().optional().describe('false: no money moves.'),
  expires_at: z.string().optional(),
});

export type PaymentNeeds = Pick<Services, 'payments' | 'consents' | 'catalogue' | 'site'>;
