import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { recoverAddress } from '../../wallets/ownership/recover_address.ts';
import { authorizationDigest } from './authorization_digest.ts';
import { X402_PAYMENT_LIFETIME_S, X402_SECONDS_AHEAD_MAX, X402_SECONDS_LEFT_MIN } from './limits.ts';
import type { Token } from './networks.ts';
import { paymentId, type SentPayment } from './read_payment.ts';
import type { X402Settings } from './settings.ts';
import type { X402Payment } from './types.ts';

/** r, s and v in hex. Anything longer is a contract's business (ERC-1271, ERC-6492), which only the chain can judge. */
const PLAIN_SIGNATURE_CHARACTERS = 2 + 65 * 2;

/**
 * Everything about a payment that can be judged without asking anybody, but its amount, which is not known before the input
 * of the call is.
 * @throws AtelierError payment_refused
 */
export function checkPayment(settings: X402Settings, sent: SentPayment, now: Date): X402Payment {
  const token = tokenFor(settings, sent);
  const { authorization, signature } = sent;
  const payTo = settings.payTo.toLowerCase();
  if (authorization.to.toLowerCase() !== payTo || (sent.accepted && !isSame(sent.accepted.payTo, payTo))) {
    throw paymentRefusal(`It pays ${authorization.to}, but payments go to ${settings.payTo}.`);
  }
  checkTimes(authorization, now);
  const isPlain = signature.length === PLAIN_SIGNATURE_CHARACTERS;
  const payer = authorization.from.toLowerCase();
  if (isPlain && recoverAddress(authorizationDigest(token, authorization), signature) !== payer) {
    throw paymentRefusal(
      `The signature is not that of ${authorization.from} for a transferWithAuthorization of ${token.name} (version ${token.version}) on ${token.network}.`,
    );
  }
  const id = paymentId(token.network, token.asset, authorization);
  const { version, accepted } = sent;
  return {
    id,
    version,
    token,
    payer,
    isPayerProved: isPlain,
    authorization,
    signature,
    ...(accepted && { accepted }),
  };
}

function tokenFor({ tokens }: X402Settings, { version, scheme, network, accepted }: SentPayment): Token {
  if (scheme !== 'exact')
    throw paymentRefusal(`Its scheme is ${JSON.stringify(scheme)}; only "exact" is taken.`);
  const token = tokens.find((one) => network === (version === 1 ? one.v1Network : one.network));
  if (!token) {
    const taken = tokens.map((one) => (version === 1 ? one.v1Network : one.network)).filter(Boolean);
    throw paymentRefusal(
      `It is on the network ${JSON.stringify(network)}; taken are ${taken.join(', ') || 'only networks of version 2'}.`,
    );
  }
  if (accepted && !isSame(accepted.asset, token.asset)) {
    throw paymentRefusal(`It pays with ${accepted.asset}; on ${network} only ${token.asset} is taken.`);
  }
  return token;
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

function checkTimes(
  { validAfter, validBefore }: { validAfter: string; validBefore: string },
  now: Date,
): void {
  const nowS = BigInt(Math.floor(now.getTime() / 1000));
  if (BigInt(validBefore) < nowS + BigInt(X402_SECONDS_LEFT_MIN)) {
    throw paymentRefusal(
      `Its validBefore is ${validBefore}, and it is ${nowS} now: it has expired or is about to.`,
    );
  }
  if (BigInt(validBefore) > nowS + BigInt(X402_SECONDS_AHEAD_MAX)) {
    throw paymentRefusal(
      `Its validBefore lies more than ${X402_SECONDS_AHEAD_MAX / 86_400} days ahead; ${X402_PAYMENT_LIFETIME_S} seconds are enough.`,
    );
  }
  if (BigInt(validAfter) > nowS)
    throw paymentRefusal(`Its validAfter is ${validAfter}, and it is only ${nowS} now.`);
}

/** @param why a sentence that begins with "It" */
export const paymentRefusal = (why: string): AtelierError =>
  new AtelierError('payment_refused', `The x402 payment was refused. ${why} Nothing was taken.`);
