import type { z } from 'zod';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import type { PaymentNeeds, paymentState } from './payment_state.ts';

type Seen = z.input<typeof paymentState>;

/** State of a requested payment. @throws AtelierError payment_not_found, invalid_input */
export async function lookAtPayment(code: string, services: PaymentNeeds): Promise<Seen> {
  if (code.startsWith('cs_')) return lookAtCheckout(code, services);
  if (code.startsWith('pi_')) return lookAtIntent(code, services);
  if (code.startsWith('keycode_')) return redeem(code, services);
  throw invalidField('code', 'code must be one that request_payment answered: cs_…, pi_… or keycode_….');
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
      ? 'Call the tool it is for with `payer` set to this code.'
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
          'This key is shown once: keep it, and send it as `payer` with every paid call, or as Authorization: Bearer.',
      };
    case 'waiting':
      return { ...base, state: 'waiting', what_now: WAIT };
    case 'refused':
      return {
        ...base,
        state: 'refused',
        what_now: 'The owner has refused. Do not ask again unless told to.',
      };
    case 'expired':
      return { ...base, state: 'expired', what_now: OVER };
    case 'used':
      throw new AtelierError(
        'payment_not_found',
        'The key of this code was fetched before. If it is lost, ask for another one; the owner can end the lost one.',
      );
    case 'too_many_keys':
      throw new AtelierError(
        'payment_not_found',
        'The wallet has as many keys as one may. Have the owner revoke one, and ask here again.',
      );
    case 'unknown':
      throw notFound();
  }
}

const WAIT = 'The person has not finished yet. Ask again when they say so, or in half a minute.';
const OVER = 'It was not paid in time, and nothing was taken. Ask for a new one.';

const notFound = (): AtelierError =>
  new AtelierError(
    'payment_not_found',
    'There is no such payment or request here. Send the code exactly as it was answered.',
  );
