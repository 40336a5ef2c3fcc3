import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import {
  CREDIT_BACK_PERCENT,
  HOLD_LIFETIME_MS,
  IDEMPOTENCY_LIFETIME_MS,
  MILLICREDITS_PER_CREDIT,
} from '../../../config/limits.ts';
import { USER_AGENT } from '../../../config/program.ts';
import type { TransferOutcome } from '../../../core/chain/chain.ts';
import { newCallId } from '../../../core/cluster/members/call_id.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { StoredResponse } from '../../../core/idempotency/types.ts';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import type { Signer } from '../../../core/keys/signer.ts';
import { createAccount, recoverAddress } from '../../wallets/ownership/recover_address.ts';
import type { SignedReceipt } from '../receipts/types.ts';
import { CAPTURE_LIFETIME_S, COLLECTOR, captureExtra, mismatchOf } from './auth_capture.ts';
import { type Authorization, authorizationDigest } from './authorization_digest.ts';
import {
  fateOfHold,
  giveBack,
  isHold,
  isNothingHeld,
  placeHold,
  settlementOf,
  type X402Deps,
} from './holds.ts';
import type { Token } from './networks.ts';
import { createOfferReceipts, OFFER_RECEIPT } from './offer_receipt.ts';
import {
  askAgainAt,
  FACILITATOR_ANSWER_BYTES_MAX,
  facilitatorRequest,
  requiredOf,
  requirementOf,
  requirementsOf,
  requirementV1Of,
  X402_FORGOTTEN_AFTER_MS,
  X402_PAYMENT_BYTES_MAX,
  X402_PAYMENT_LIFETIME_S,
  X402_RESOLVE_FOR_MS,
  X402_RESOLVED_PER_SWEEP,
  X402_SECONDS_AHEAD_MAX,
  X402_SECONDS_LEFT_MIN,
  X402_SETTLE_TIMEOUT_MS,
  X402_SIGNATURE_CHARACTERS_MAX,
  X402_VERIFY_TIMEOUT_MS,
} from './requirements.ts';
import { type X402Settings, x402Settings } from './settings.ts';
import * as store from './store.ts';
import type {
  Facilitator,
  FacilitatorRequest,
  TakenPayment,
  X402,
  X402Payment,
  X402Purchase,
} from './types.ts';

/** A hold must outlast the longest call and its capture. */
const CAPTURE_SECONDS_LEFT_MIN = HOLD_LIFETIME_MS / 1000 + 300;
/** Lease of the checking process, longer than one request to the facilitator. */
const ASKING_MS = X402_SETTLE_TIMEOUT_MS + 10_000;

/**
 * Sets the row to "settling" before the request, so that after a crash the outcome is checked, and the payment cannot be used
 * again.
 */
async function settle(
  parts: X402Deps,
  { id, claim }: TakenPayment,
  { answer, receipt }: { answer: StoredResponse | undefined; receipt: SignedReceipt | undefined },
): Promise<void> {
  const { database, facilitator, clock, logger } = parts;
  const at = clock();
  const busyUntil = new Date(at.getTime() + ASKING_MS);
  const request = await store.beginSettling(database, { id, claim, at, busyUntil, answer, receipt });
  if (!request) throw new Error(`The x402 payment ${id} no longer belongs to this call.`);
  const isHeld = isHold(request);
  const outcome = await facilitator.settle(settlementOf(parts, request));
  if (outcome.outcome === 'settled') return book(parts, id, outcome.transaction);
  const { reason } = outcome;
  logger.warn({ payment: id, outcome: outcome.outcome, reason }, 'an x402 payment was not settled');
  switch (outcome.outcome) {
    case 'refused':
      // A facilitator that retried internally may report its own first attempt this way.
      if (isUsedUp(outcome) || isNothingHeld(outcome)) {
        const fate = await fateOf(parts, { id, request });
        if (fate.fate === 'paid') return book(parts, id, fate.transaction);
      }
      await endSettling(parts, { id, state: isHeld ? 'voiding' : 'refused', reason });
      throw new AtelierError(
        'payment_not_settled',
        `The facilitator did not settle the payment: ${reason}. You were not charged, and the result is withheld.`,
        { members: { reason } },
      );
    case 'not_sent':
      await endSettling(parts, { id, state: isHeld ? 'voiding' : 'released', reason });
      throw new AtelierError('payment_check_failed', undefined, { retryAfterSeconds: 10 });
    default:
      await store.stillUnknown(database, { id, reason, askAgainAt: clock() });
      if ((await resolveUnknown(parts, clock(), id)) === 0) throw unconfirmedError();
  }
}

/** Ends a failed settlement; an uncaptured hold is released immediately. */
async function endSettling(
  parts: X402Deps,
  { id, state, reason }: { id: string; state: 'refused' | 'released' | 'voiding'; reason: string },
): Promise<void> {
  const at = parts.clock();
  await store.endPayment(parts.database, { id, state, reason, at });
  if (state === 'voiding') await resolveUnknown(parts, at, id);
}

const unconfirmedError = (): AtelierError =>
  new AtelierError('payment_unconfirmed', undefined, { retryAfterSeconds: 30 });

/** Checks payments with an unknown outcome. @param id only this payment. @returns the number settled */
async function resolveUnknown(parts: X402Deps, now: Date, id?: string): Promise<number> {
  const busyUntil = new Date(now.getTime() + ASKING_MS);
  let count = 0;
  // One at a time: each may take long, and a lease covers only the one being checked.
  for (let asked = 0; asked < X402_RESOLVED_PER_SWEEP; asked += 1) {
    const unknown = await store.takeUnknown(parts.database, {
      now,
      busyUntil,
      ...(id !== undefined && { id }),
    });
    if (!unknown) return count;
    if (await askAgain(parts, unknown)) count += 1;
  }
  return count;
}

/**
 * Errors of common facilitators for a used authorization. Either this server was paid, or the payer canceled it or used its nonce
 * for another transfer; only the chain shows which.
 */
const USED_UP = /nonce_already_used|authorization_(already_)?used|nonce_used|already_(settled|processed)/i;

const isUsedUp = ({ outcome, reason = '' }: { outcome: string; reason?: string }): boolean =>
  outcome === 'refused' && USED_UP.test(reason);

const UNSEEN: TransferOutcome = { fate: 'unseen' };

/** The state of an authorization on the chain; unknown where the node is unreachable, which is then checked again later. */
async function fateOf(
  parts: X402Deps,
  { id, request }: { id: string; request: FacilitatorRequest },
): Promise<TransferOutcome> {
  if (isHold(request)) {
    const hold = await fateOfHold(parts, { id, request });
    if (hold === 'captured') return { fate: 'paid', transaction: '' };
    return hold === 'gone' ? { fate: 'not_paid' } : UNSEEN;
  }
  const { authorizations, settings, logger } = parts;
  if (!authorizations) return UNSEEN;
  const { network, asset } = request.paymentRequirements;
  const token = settings.tokens.find((one) => one.network === network || one.v1Network === network);
  const { authorization } = request.paymentPayload.payload as X402Payment;
  if (!token) return UNSEEN;
  try {
    return await authorizations.transferOutcome({ ...authorization, network: token.network, asset });
  } catch (error) {
    logger.warn({ payment: id, err: error }, 'failed to query the chain about an x402 payment');
    return UNSEEN;
  }
}

async function askAgain(parts: X402Deps, unknown: store.Unknown): Promise<boolean> {
  if (unknown.state === 'voiding') return giveBack(parts, unknown);
  const { database, facilitator, clock, logger } = parts;
  const { id, request, attempts, endsAt, settlingAt } = unknown;
  const outcome = await facilitator.settle(settlementOf(parts, request));
  if (outcome.outcome === 'settled') {
    await book(parts, id, outcome.transaction);
    return true;
  }
  const { reason } = outcome;
  const fate = isUsedUp(outcome) || isNothingHeld(outcome) ? await fateOf(parts, { id, request }) : UNSEEN;
  if (fate.fate === 'paid') {
    await book(parts, id, fate.transaction);
    return true;
  }
  const at = clock();
  if (fate.fate === 'not_paid') {
    await store.endPayment(database, { id, state: 'refused', reason, at });
    logger.warn({ payment: id, reason }, 'an x402 authorization was used without a payment to this server');
    return false;
  }
  // After the expiry of the authorization no money can move, so a response of the facilitator is final.
  const isOver =
    (outcome.outcome === 'refused' && at > endsAt) ||
    at.getTime() - settlingAt.getTime() > X402_RESOLVE_FOR_MS;
  if (isOver) {
    await store.endPayment(database, { id, state: 'unresolved', reason, at });
    logger.warn({ payment: id, reason }, 'the outcome of an x402 payment is unknown; check the chain');
  } else {
    await store.stillUnknown(database, { id, reason, askAgainAt: askAgainAt(at, attempts) });
  }
  return false;
}

async function book({ database, clock }: X402Deps, id: string, transaction: string | null): Promise<void> {
  const at = clock();
  const answerExpiresAt = new Date(at.getTime() + IDEMPOTENCY_LIFETIME_MS);
  await store.settlePayment(database, { id, transaction, at, answerExpiresAt });
}

/** A parsed payment in normal form; not yet verified. */
interface SentPayment {
  readonly version: 1 | 2;
  readonly scheme: string;
  /** CAIP-2 in version 2, a name in version 1. */
  readonly network: string;
  /** Version 2: the requirement that the payer claims to fulfil. */
  readonly accepted?: { readonly amount: string; readonly asset: string; readonly payTo: string };
  readonly signature: string;
  readonly authorization: Authorization;
  /** Scheme auth-capture. */
  readonly held?: NonNullable<X402Payment['held']>;
}

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x followed by 40 hex digits');
// 2^256 has 78 digits.
const uint256 = z.string().regex(/^(0|[1-9]\d{0,77})$/, 'must be a whole number as a decimal string');
const bytes32 = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be 32 bytes in hex');
const payload = z.object({
  signature: z
    .string()
    .max(X402_SIGNATURE_CHARACTERS_MAX)
    .regex(/^0x([0-9a-fA-F]{2}){65,}$/, 'must be at least 65 bytes in hex'),
  authorization: z.object({
    from: address,
    to: address,
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: bytes32,
  }),
});
/** Additional fields of the scheme auth-capture. Unix seconds are uint48 in the escrow. */
const heldPayment = z.object({
  accepted: z.object({
    extra: z.object({
      captureDeadline: z
        .int()
        .min(0)
        .max(2 ** 48 - 1),
    }),
  }),
  payload: z.object({ salt: bytes32, saltNonce: bytes32 }),
});
const name = z.string().max(100);
const payment = z.discriminatedUnion('x402Version', [
  z.object({ x402Version: z.literal(1), scheme: name, network: name, payload }),
  z.object({
    x402Version: z.literal(2),
    accepted: z.object({
      scheme: name,
      network: name,
      amount: uint256,
      asset: address,
      payTo: address,
    }),
    payload,
  }),
]);

/**
 * Parses a payment. @param sent base64 of JSON, as in a header, or an object, as in MCP
 * @throws AtelierError payment_malformed
 */
export function readPayment(sent: unknown): SentPayment {
  const json = typeof sent === 'string' ? decodePayment(sent) : sent;
  const data = parsed(payment, json);
  const { signature, authorization } = data.payload;
  if (data.x402Version === 1) {
    return { version: 1, scheme: data.scheme, network: data.network, signature, authorization };
  }
  const { scheme, network, ...accepted } = data.accepted;
  const plain = { version: 2, scheme, network, accepted, signature, authorization } as const;
  if (scheme !== 'auth-capture') return plain;
  const { accepted: offer, payload: more } = parsed(heldPayment, json);
  return { ...plain, held: { ...more, ...offer.extra } };
}

function parsed<T>(shape: z.ZodType<T>, json: unknown): T {
  const { data, error } = shape.safeParse(json);
  if (!error) return data;
  const issue = error.issues[0]!;
  throw malformedPayment(`${issue.path.join('.') || 'It'}: ${issue.message}.`);
}

function decodePayment(text: string): unknown {
  if (text.length > (X402_PAYMENT_BYTES_MAX * 4) / 3) {
    throw malformedPayment(`It has more than ${X402_PAYMENT_BYTES_MAX} bytes.`);
  }
  // Both base64 alphabets, with or without padding: clients differ.
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) throw malformedPayment('It is not base64.');
  try {
    return parseBoundedJson(Buffer.from(text, 'base64'));
  } catch {
    throw malformedPayment('It is not base64-encoded JSON.');
  }
}

const malformedPayment = (why: string): AtelierError =>
  new AtelierError(
    'payment_malformed',
    `Malformed x402 payment. ${why} Send base64 of a PaymentPayload by EIP-3009: {x402Version, accepted (version 2) or scheme and network (version 1), payload: {signature, authorization}}; scheme "auth-capture" has salt and saltNonce in the payload as well.`,
  );

/**
 * Identity of an authorization, independent of envelope and signature: a contract accepts each nonce of a payer once. A hash of the
 * bytes would accept the same payment twice, because JSON has several encodings.
 */
export function paymentId(network: string, asset: string, { from, nonce }: Authorization): string {
  const text = [network, asset, from, nonce].join('|').toLowerCase();
  return createHash('sha256').update(text).digest('hex');
}

/** r, s and v in hex. Longer signatures belong to contracts (ERC-1271, ERC-6492), which only the chain can verify. */
const PLAIN_SIGNATURE_CHARACTERS = 2 + 65 * 2;

/**
 * Local checks of a payment, without the amount, which depends on the input of the call.
 * @throws AtelierError payment_refused
 */
function checkPayment(settings: X402Settings, sent: SentPayment, now: Date): X402Payment {
  const token = tokenFor(settings, sent);
  const { version, authorization, signature, accepted, held } = sent;
  const to = held ? COLLECTOR : settings.payTo;
  if (!isSame(authorization.to, to) || (accepted && !isSame(accepted.payTo, settings.payTo))) {
    throw paymentRefusal(`It pays ${authorization.to}; the required recipient is ${to}.`);
  }
  checkTimes(authorization, now);
  const isPlain = signature.length === PLAIN_SIGNATURE_CHARACTERS;
  const payer = authorization.from.toLowerCase();
  const kind = held ? 'Receive' : 'Transfer';
  if (isPlain && recoverAddress(authorizationDigest(token, authorization, kind), signature) !== payer) {
    throw paymentRefusal(
      `The signature is not that of ${authorization.from} for a ${kind.toLowerCase()}WithAuthorization of ${token.name} (version ${token.version}) on ${token.network}.`,
    );
  }
  const payment: X402Payment = {
    id: paymentId(token.network, token.asset, authorization),
    version,
    token,
    payer,
    isPayerProved: isPlain,
    authorization,
    signature,
    ...(accepted && { accepted }),
    ...(held && { held }),
  };
  if (held) checkHold(settings, payment, held, now);
  return payment;
}

/** Checks the terms of a hold. @throws AtelierError payment_refused where they differ from the offer */
function checkHold(
  settings: X402Settings,
  { token, authorization }: X402Payment,
  held: NonNullable<X402Payment['held']>,
  now: Date,
): void {
  const { captureDeadline } = held;
  const nowS = Math.floor(now.getTime() / 1000);
  if (captureDeadline < nowS + CAPTURE_SECONDS_LEFT_MIN) {
    throw paymentRefusal(
      `Its captureDeadline is ${captureDeadline}, the time now is ${nowS}: the hold has expired or would expire during the call.`,
    );
  }
  if (captureDeadline > nowS + CAPTURE_LIFETIME_S || BigInt(authorization.validBefore) > captureDeadline) {
    throw paymentRefusal(
      `Its captureDeadline is ${captureDeadline}: at most ${CAPTURE_LIFETIME_S} seconds ahead are allowed, and not before validBefore.`,
    );
  }
  const extra = captureExtra(settings.captures!, token, captureDeadline);
  const terms = { payTo: settings.payTo, asset: token.asset, extra };
  const why = mismatchOf(terms, token, authorization, held);
  if (why !== undefined) throw paymentRefusal(why);
}

function tokenFor(
  { tokens, captures }: X402Settings,
  { version, scheme, network, accepted }: SentPayment,
): Token {
  const schemes = ['exact', ...(captures && version === 2 ? ['auth-capture'] : [])];
  if (!schemes.includes(scheme)) {
    throw paymentRefusal(`Its scheme is ${JSON.stringify(scheme)}; accepted: ${schemes.join(', ')}.`);
  }
  const token = tokens.find((one) => network === (version === 1 ? one.v1Network : one.network));
  if (!token) {
    const taken = tokens.map((one) => (version === 1 ? one.v1Network : one.network)).filter(Boolean);
    throw paymentRefusal(
      `It is on the network ${JSON.stringify(network)}; accepted: ${taken.join(', ') || 'only networks of version 2'}.`,
    );
  }
  if (accepted && !isSame(accepted.asset, token.asset)) {
    throw paymentRefusal(`It pays with ${accepted.asset}; on ${network} only ${token.asset} is accepted.`);
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
      `Its validBefore is ${validBefore} and the time now is ${nowS}: it has expired or is about to.`,
    );
  }
  if (BigInt(validBefore) > nowS + BigInt(X402_SECONDS_AHEAD_MAX)) {
    throw paymentRefusal(
      `Its validBefore is more than ${X402_SECONDS_AHEAD_MAX / 86_400} days ahead; ${X402_PAYMENT_LIFETIME_S} seconds are enough.`,
    );
  }
  if (BigInt(validAfter) > nowS)
    throw paymentRefusal(`Its validAfter is ${validAfter} and the time now is ${nowS}: it is not valid yet.`);
}

/** @param why a sentence that begins with "It" or "Its" */
const paymentRefusal = (why: string): AtelierError =>
  new AtelierError('payment_refused', `The x402 payment was refused. ${why} You were not charged.`);

/** Creates the x402 payments. @param clock time source for expiry and checks */
export function createX402(options: Omit<X402Deps, 'clock'> & { clock?: () => Date }): X402 {
  const parts: X402Deps = { clock: () => new Date(), ...options };
  const { settings, database, clock } = parts;
  const schemes = ['exact', ...(settings.captures ? (['auth-capture'] as const) : [])] as const;
  return {
    offerReceipts: parts.offerReceipts,
    offers: (credits) =>
      settings.tokens.map((token) => ({ ...requirementOf(settings, token, credits), schemes })),
    demand: (purchase) => ({
      v2: requirementsOf(settings, purchase.credits, clock()),
      v1: settings.tokens.flatMap((token) => requirementV1Of(settings, token, purchase) ?? []),
    }),
    read: (sent) => checkPayment(settings, readPayment(sent), clock()),
    take: (payment, purchase) => take(parts, payment, purchase),
    settle: (taken, answer, receipt) => settle(parts, taken, { answer, receipt }),
    async release({ id, claim }) {
      const at = clock();
      if (await store.release(database, { id, claim, at })) await resolveUnknown(parts, at, id);
    },
    async receipt(transferId) {
      const row = await store.selectReceipt(database, transferId);
      if (!row) return undefined;
      const { version, transaction, network, payer } = row;
      return { version, settlement: { success: true, transaction: transaction ?? '', network, payer } };
    },
    async recover() {
      const now = clock();
      await store.interrupt(database, now);
      await store.releaseDead(database, now);
    },
    openCalls: (prefix) => store.openCalls(database, prefix),
    releaseCalls: (calls) => store.releaseCalls(database, { calls, at: clock() }),
    sweep: async (now) =>
      (await resolveUnknown(parts, now)) +
      (await store.releaseDead(database, now)) +
      (await store.forget(database, new Date(now.getTime() - X402_FORGOTTEN_AFTER_MS))),
  };
}

async function take(parts: X402Deps, payment: X402Payment, purchase: X402Purchase): Promise<TakenPayment> {
  const { settings, database, wallets, clock } = parts;
  const requirement = requiredOf(settings, payment, purchase.credits);
  requireAmount(payment, requirement.amount);
  const request = facilitatorRequest(settings, payment, purchase);
  const amount = purchase.credits * MILLICREDITS_PER_CREDIT;
  const creditBack = (await wallets.isRegistered(payment.payer)) ? (amount * CREDIT_BACK_PERCENT) / 100 : 0;
  const taken: TakenPayment = {
    id: payment.id,
    claim: newCallId(),
    transferId: `x402:${payment.id}`,
    amount: requirement.amount,
    creditBack,
  };
  const now = clock();
  await claim(parts, {
    ...taken,
    version: payment.version,
    scheme: requirement.scheme,
    network: request.paymentRequirements.network,
    payer: payment.payer,
    tool: purchase.tool,
    amount,
    request,
    busyUntil: new Date(now.getTime() + HOLD_LIFETIME_MS),
    endsAt: new Date((payment.held?.captureDeadline ?? Number(payment.authorization.validBefore)) * 1000),
  });
  try {
    await verify(parts, payment, request);
  } catch (error) {
    await store.release(database, { id: taken.id, claim: taken.claim, at: clock() });
    throw error;
  }
  if (!payment.held) return taken;
  try {
    await placeHold(parts, taken, request);
    return taken;
  } catch (error) {
    await resolveUnknown(parts, clock(), taken.id);
    throw error;
  }
}

/** Requires the exact amount: the surplus of a larger hold would not be charged, and a smaller one does not pay the call. */
function requireAmount({ authorization, accepted }: X402Payment, amount: string): void {
  const wrong = [authorization.value, accepted?.amount].find((one) => one !== undefined && one !== amount);
  if (wrong === undefined) return;
  throw paymentRefusal(
    `It is for ${wrong}, but this call costs exactly ${amount} of the token's smallest unit.`,
  );
}

async function claim(parts: X402Deps, row: store.ClaimRow): Promise<void> {
  for (;;) {
    const now = parts.clock();
    const found = await store.claim(parts.database, row, now);
    if (found?.isOurs) return;
    // Undefined: the row changed concurrently.
    if (found) throw await whyTaken(parts, row.id, found.state);
  }
}

async function whyTaken(parts: X402Deps, id: string, state: store.PaymentState): Promise<AtelierError> {
  switch (state) {
    case 'settled':
      return new AtelierError('payment_used', 'This x402 payment has already paid for a call.');
    case 'refused':
      return paymentRefusal('Its settlement was refused, so it cannot be used again.');
    case 'voiding':
    case 'voided':
      return paymentRefusal('A call with it failed and its hold was released, so it cannot be used again.');
    case 'settling':
      await resolveUnknown(parts, parts.clock(), id);
      return new AtelierError('payment_unconfirmed', undefined, { retryAfterSeconds: 5 });
    case 'unresolved':
      return new AtelierError(
        'payment_unconfirmed',
        `The settlement status of this payment is unknown. Look for your transfer on the chain: if it is there, do not pay again, and send the operator the id x402:${id} and the transaction; if you cancelled the authorization or used it elsewhere, create a new payment.`,
        { retryAfterSeconds: 3600 },
      );
    default:
      return new AtelierError('payment_in_use', undefined, { retryAfterSeconds: 2 });
  }
}

async function verify(
  { facilitator, logger }: X402Deps,
  { id, payer }: X402Payment,
  request: Parameters<Facilitator['verify']>[0],
): Promise<void> {
  const answer = await facilitator.verify(request);
  if (answer.outcome === 'unavailable') {
    logger.warn({ payment: id, reason: answer.reason }, 'the x402 facilitator cannot verify');
    throw new AtelierError('payment_check_failed', undefined, { retryAfterSeconds: 10 });
  }
  if (answer.outcome === 'invalid') throw paymentRefusal(`The facilitator reports: ${answer.reason}.`);
  if (answer.payer !== undefined && answer.payer.toLowerCase() !== payer) {
    throw paymentRefusal(
      `The facilitator names ${answer.payer} as the payer; the authorization names ${payer}.`,
    );
  }
}

/** Outcome of one request. `sent: false` only where no byte can have reached the other side. */
type PostOutcome =
  | { readonly sent: true; readonly status: number; readonly body: unknown }
  | { readonly sent: boolean; readonly status?: undefined; readonly reason: string };

/** Connection errors before anything is written. */
const NEVER_SENT = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/**
 * Posts JSON to a configured URL and reads JSON. Follows no redirect, sends no credential, never throws; `body` is undefined where
 * the response is not JSON.
 */
async function postJson(
  url: string,
  body: object,
  { timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number },
): Promise<PostOutcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': USER_AGENT,
      },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { sent: true, status: response.status, body: jsonOf(await textOf(response, maxBytes)) };
  } catch (error) {
    const { cause, name, message } = error as Error;
    const code = (cause as { code?: string } | undefined)?.code;
    const reason = name === 'TimeoutError' ? `no response within ${timeoutMs / 1000} s` : (code ?? message);
    return { sent: !(code !== undefined && NEVER_SENT.includes(code)), reason };
  }
}

async function textOf(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the response has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonOf(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    return undefined;
  }
}

/** Without control characters: PostgreSQL cannot store U+0000, and a settlement that cannot be recorded stays unconfirmed. */
const text = z
  .string()
  .max(1000)
  .overwrite((value) => value.replace(/\p{Cc}/gu, ' ').toWellFormed());
const verified = z.object({
  isValid: z.boolean(),
  invalidReason: text.nullish(),
  payer: text.nullish(),
});
const settled = z.object({
  success: z.boolean(),
  errorReason: text.nullish(),
  transaction: text.nullish(),
});

/** A facilitator at a configured URL, which may be private, because it does not come from a client. */
export function createHttpFacilitator(
  url: string,
  timeouts: { verifyMs?: number; settleMs?: number } = {},
): Facilitator {
  const { verifyMs = X402_VERIFY_TIMEOUT_MS, settleMs = X402_SETTLE_TIMEOUT_MS } = timeouts;
  const post = (path: string, body: object, timeoutMs: number) =>
    postJson(`${url}${path}`, body, { timeoutMs, maxBytes: FACILITATOR_ANSWER_BYTES_MAX });
  return {
    verify: async (request) => verifyOutcome(await post('/verify', request, verifyMs)),
    settle: async (request) => settleOutcome(await post('/settle', request, settleMs)),
  };
}

function verifyOutcome(answer: PostOutcome): Awaited<ReturnType<Facilitator['verify']>> {
  if (answer.status === undefined) return { outcome: 'unavailable', reason: answer.reason };
  // Facilitators report an invalid payment with status 400 or 200: the body decides.
  const { data } = verified.safeParse(answer.body);
  if (!data) return { outcome: 'unavailable', reason: statusText(answer.status) };
  if (data.isValid) return { outcome: 'valid', ...(data.payer && { payer: data.payer }) };
  return { outcome: 'invalid', reason: data.invalidReason ?? 'no reason given' };
}

/** Statuses of a gateway in front of the facilitator: the payment was not processed. */
const NOT_PROCESSED = [401, 403, 404, 405, 413, 415, 429];

function settleOutcome(answer: PostOutcome): Awaited<ReturnType<Facilitator['settle']>> {
  if (answer.status === undefined) {
    return { outcome: answer.sent ? 'unknown' : 'not_sent', reason: answer.reason };
  }
  const { data } = settled.safeParse(answer.body);
  if (data?.success) {
    if (data.transaction) return { outcome: 'settled', transaction: data.transaction };
    return { outcome: 'unknown', reason: 'success without a transaction' };
  }
  if (data) {
    const reason = data.errorReason ?? 'no reason given';
    // With a submitted transaction, or an internal error, it cannot know that no money will move.
    const isSure =
      !data.transaction && !/unexpected|timed?_?out|pending/i.test(reason) && answer.status < 500;
    return { outcome: isSure ? 'refused' : 'unknown', reason };
  }
  const reason = statusText(answer.status);
  return { outcome: NOT_PROCESSED.includes(answer.status) ? 'not_sent' : 'unknown', reason };
}

const statusText = (status: number): string => `status ${status} without a protocol response`;

/** Payments by x402; undefined where no payee is configured. @throws Error naming what is missing or wrong */
export function openX402(
  config: Config,
  { secret, signer, publicUrl, ...parts }: X402Options,
): X402 | undefined {
  const settings = x402SettingsOf(config, secret);
  if (settings === undefined) return undefined;
  const signs = extensionsOf(config).includes(OFFER_RECEIPT);
  const offerReceipts = signs ? createOfferReceipts({ signer, publicUrl }) : undefined;
  const facilitator = createHttpFacilitator(settings.facilitatorUrl);
  return createX402({ ...parts, settings, facilitator, offerReceipts });
}

/** Extensions need a configured public address, where clients find the DID document and which challenges name as their domain. */
export const extensionsOf = ({ PUBLIC_URL, X402_EXTENSIONS }: Config): readonly string[] =>
  PUBLIC_URL === undefined ? [] : X402_EXTENSIONS.filter((name) => name !== 'none');

interface X402Options extends Omit<X402Deps, 'settings' | 'facilitator' | 'clock' | 'offerReceipts'> {
  readonly secret: string;
  /** Signs offers and receipts of the protocol. */
  readonly signer: Signer;
  readonly publicUrl: string;
}

/**
 * Undefined where x402 is off.
 * @param secret from which the account that signs captures is derived, so that servers with the same secret can act on each other's holds
 * @throws Error naming what is missing or wrong
 */
export function x402SettingsOf(config: Config, secret: string = '') {
  const { X402_PAY_TO: payTo, X402_FACILITATOR_URL: facilitatorUrl, X402_NETWORKS: networks } = config;
  const operator = config.X402_CAPTURE_AUTHORIZER;
  const captures = operator === undefined ? undefined : { operator, authorizer: authorizerOf(secret) };
  return x402Settings({ payTo, facilitatorUrl, networks, captures });
}

/** A derived key: a signature for a link is not valid for a capture. */
const authorizerOf = (secret: string) =>
  createAccount(createHmac('sha256', secret).update('x402 receiver authorizer').digest());
