import Stripe from 'stripe';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { PaymentLogger } from './deps.ts';
import { CARD_EVENT_AGE_SECONDS_MAX, PROCESSOR_TIMEOUT_MS } from './limits.ts';
import type {
  CaptureOutcome,
  CardEvent,
  CardIntent,
  CheckoutRequest,
  IntentRequest,
  Processor,
  TokenOutcome,
} from './processor.ts';

const NETWORK_RETRIES = 2;
/** Dispute states in which the money is withdrawn, unlike inquiries (warning_…) and prevented or won disputes. */
const WITHDRAWN = new Set([
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
]);

export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly publishableKey?: string | undefined;
  /** Base URL of the API; default: Stripe. */
  readonly apiUrl?: string | undefined;
  readonly logger: PaymentLogger;
}

/** Stripe, through its official library: PaymentIntents with manual capture, Checkout Sessions, signed events. */
export function createStripe(settings: StripeSettings): Processor {
  const { secretKey, webhookSecret, publishableKey, apiUrl, logger } = settings;
  const stripe = new Stripe(secretKey, {
    ...(apiUrl && addressOf(apiUrl)),
    maxNetworkRetries: NETWORK_RETRIES,
    timeout: PROCESSOR_TIMEOUT_MS,
    telemetry: false,
    appInfo: { name: 'Atelier' },
  });
  const livemode = /^(sk|rk)_live_/.test(secretKey);
  const reach = <T>(work: Promise<T>) => work.catch((error) => refuse(error, logger));
  return {
    name: 'stripe',
    livemode,
    publishableKey,
    createIntent: (request) => reach(createIntent(stripe, request)),
    confirmWithToken: (request) => reach(confirmWithToken(stripe, request)),
    findByChallenge: (challenge) => reach(findByChallenge(stripe, challenge)),
    findIntent: (id) => reach(orMissing(findIntent(stripe, id))),
    capture: (id, idempotencyKey) => capture(stripe, id, idempotencyKey),
    abandon: (id) => reach(abandon(stripe, id)),
    createCheckout: (request) => reach(createCheckout(stripe, request)),
    findCheckout: (id) => reach(orMissing(findCheckout(stripe, id))),
    readEvent: (body, signature) =>
      stripeEvent(livemode, () =>
        stripe.webhooks.constructEvent(
          Buffer.from(body),
          signature ?? '',
          webhookSecret,
          CARD_EVENT_AGE_SECONDS_MAX,
        ),
      ),
  };
}

function addressOf(apiUrl: string) {
  const { hostname, port, protocol } = new URL(apiUrl);
  return {
    host: hostname,
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
    ...(port && { port }),
  };
}

async function createIntent(stripe: Stripe, request: IntentRequest) {
  const { amountCents, currency, description, metadata, idempotencyKey } = request;
  const intent = await stripe.paymentIntents.create(
    {
      amount: amountCents,
      currency,
      description,
      metadata,
      capture_method: 'manual',
      // An agent without a browser cannot follow a redirect.
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    },
    { idempotencyKey },
  );
  return { id: intent.id, clientSecret: intent.client_secret ?? '', status: intent.status };
}

/** API version for granted tokens, which are in preview; other requests use the version of the library. */
const TOKENS_API_VERSION = '2026-07-29.preview';

async function confirmWithToken(
  stripe: Stripe,
  { amountCents, currency, description, metadata, idempotencyKey, token }: IntentRequest & { token: string },
): Promise<TokenOutcome> {
  const wanted = {
    amount: amountCents,
    currency,
    description,
    metadata,
    capture_method: 'manual',
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    // Not yet in the types of the library.
    shared_payment_granted_token: token,
  } as Stripe.PaymentIntentCreateParams;
  const options = { idempotencyKey, apiVersion: TOKENS_API_VERSION };
  try {
    const { id, status } = await stripe.paymentIntents.create(wanted, options);
    return {
      outcome: 'made',
      id,
      status,
      isAuthorized: status === 'requires_capture' || status === 'succeeded',
    };
  } catch (error) {
    const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
    if (!(error instanceof StripeCardError || error instanceof StripeInvalidRequestError)) throw error;
    return { outcome: 'refused', reason: error.message.replace(/spt_\w+/g, 'spt_…') };
  }
}

async function findByChallenge(stripe: Stripe, challenge: string): Promise<string | undefined> {
  const { data } = await stripe.paymentIntents.search({
    query: `metadata['challenge']:'${challenge}'`,
    limit: 1,
  });
  return data[0]?.id;
}

async function findIntent(stripe: Stripe, id: string): Promise<CardIntent> {
  const intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  const disputed = charge?.disputed ? await sumWithdrawnCents(stripe, id) : 0;
  return {
    id: intent.id,
    isAuthorized: intent.status === 'requires_capture' || intent.status === 'succeeded',
    isCaptured: intent.status === 'succeeded',
    isCanceled: intent.status === 'canceled',
    status: intent.status,
    amountCents: intent.amount,
    currency: intent.currency,
    livemode: intent.livemode,
    metadata: intent.metadata,
    // Stripe counts a canceled uncaptured charge as refunded.
    reversedCents: intent.status === 'succeeded' ? (charge?.amount_refunded ?? 0) + disputed : 0,
  };
}

async function sumWithdrawnCents(stripe: Stripe, id: string): Promise<number> {
  const { data } = await stripe.disputes.list({ payment_intent: id, limit: 100 });
  return data.filter(({ status }) => WITHDRAWN.has(status)).reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * Only an explicit refusal by Stripe is final. A lost response, a timeout, a server error or an unexpected state (an earlier
 * attempt may have succeeded) says nothing about the money: the intent is fetched instead.
 */
async function capture(stripe: Stripe, id: string, idempotencyKey: string): Promise<CaptureOutcome> {
  try {
    await stripe.paymentIntents.capture(id, {}, { idempotencyKey });
    return { outcome: 'captured' };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) return { outcome: 'refused', reason: error.message };
    const intent = await findIntent(stripe, id).catch(() => undefined);
    if (intent?.isCaptured) return { outcome: 'captured' };
    const isRefused = error instanceof Stripe.errors.StripeInvalidRequestError && intent !== undefined;
    return isRefused ? { outcome: 'refused', reason: intent.status } : { outcome: 'unknown', cause: error };
  }
}

async function abandon(stripe: Stripe, id: string): Promise<void> {
  const { isCaptured, isCanceled } = await findIntent(stripe, id);
  if (isCanceled) return;
  if (isCaptured) {
    await stripe.refunds.create({ payment_intent: id }, { idempotencyKey: `refund_${id}` }).catch((error) => {
      if (error.code !== 'charge_already_refunded') throw error;
    });
    return;
  }
  await stripe.paymentIntents.cancel(
    id,
    { cancellation_reason: 'abandoned' },
    { idempotencyKey: `cancel_${id}` },
  );
}

async function createCheckout(stripe: Stripe, request: CheckoutRequest) {
  const { amountCents, currency, title, wallet, metadata, successUrl, cancelUrl, expiresAt } = request;
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      line_items: [
        { quantity: 1, price_data: { currency, unit_amount: amountCents, product_data: { name: title } } },
      ],
      client_reference_id: wallet,
      metadata,
      payment_intent_data: { metadata },
      success_url: successUrl,
      cancel_url: cancelUrl,
      expires_at: Math.floor(expiresAt.getTime() / 1000),
    },
    { idempotencyKey: request.idempotencyKey },
  );
  if (!session.url) throw new Error(`Stripe returned the checkout ${session.id} without a URL.`);
  return { id: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) };
}

async function findCheckout(stripe: Stripe, id: string) {
  const session = await stripe.checkout.sessions.retrieve(id);
  const intent = session.payment_intent;
  return {
    id: session.id,
    isPaid: session.payment_status === 'paid',
    isExpired: session.status === 'expired',
    amountCents: session.amount_total ?? 0,
    currency: session.currency ?? '',
    livemode: session.livemode,
    ...(intent && { intent: typeof intent === 'string' ? intent : intent.id }),
  };
}

async function orMissing<T>(finding: Promise<T>): Promise<T | undefined> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing') return undefined;
    throw error;
  }
}

/** Logs the reason and throws an error for the client. */
function refuse(error: unknown, logger: StripeSettings['logger']): never {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, statusCode, requestId, message } = error;
  logger.warn({ type, code, statusCode, requestId, reason: message }, 'the card processor refused a request');
  throw new AtelierError(
    'upstream_failed',
    'The card processor returned an invalid response. Retry the same request in 10 s; you are not charged twice.',
    { cause: error },
  );
}

/**
 * The checkout or intent of an event of any type: Stripe objects reference their intent.
 * @param verified checks signature and age, and throws where they are invalid
 * @throws AtelierError invalid_event
 */
function stripeEvent(livemode: boolean, verified: () => Stripe.Event): CardEvent {
  let event: Stripe.Event;
  try {
    event = verified();
  } catch {
    throw new AtelierError(
      'invalid_event',
      'The signature of this event is invalid: it is missing, made with another secret or for another body, or older than 5 minutes.',
    );
  }
  const object = event.data?.object as
    | Partial<Record<'object' | 'id' | 'payment_intent', unknown>>
    | undefined;
  if (typeof event.id !== 'string' || typeof event.type !== 'string' || !object) {
    throw new AtelierError('invalid_event', 'The body is not an event: it has no id, type or data.object.');
  }
  if (event.livemode !== livemode) {
    throw new AtelierError(
      'invalid_event',
      'The mode of this event (live or test) differs from that of this server.',
    );
  }
  const { id, type } = event;
  if (object.object === 'checkout.session') return { id, type, checkout: textOf(object.id) };
  if (object.object === 'payment_intent') return { id, type, intent: textOf(object.id) };
  return { id, type, intent: textOf(object.payment_intent) };
}

/** A reference is an id, or an expanded object. */
function textOf(reference: unknown): string | undefined {
  if (typeof reference === 'string') return reference;
  const id = (reference as { id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' ? id : undefined;
}
