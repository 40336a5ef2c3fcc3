import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import type { CardAcceptance } from '../types.ts';

/**
 * Undefined where payment tokens cannot be charged: only Stripe supports them, and only for a business with a profile.
 * @throws Error naming what is missing
 */
export function openMpp(
  { STRIPE_PROFILE_ID: profileId }: Config,
  { publicUrl, secret, takes }: { publicUrl: string; secret: string; takes: CardAcceptance | undefined },
): Mpp | undefined {
  if (profileId === undefined) return undefined;
  if (takes?.processor !== 'stripe') {
    throw new Error('STRIPE_PROFILE_ID requires Stripe: set STRIPE_SECRET_KEY, or unset STRIPE_PROFILE_ID.');
  }
  return createMpp({ realm: new URL(publicUrl).host, secret, profileId });
}

/** Lifetime of a challenge. Long enough to approve a payment on a phone. */
const MPP_CHALLENGE_LIFETIME_MS = 15 * 60_000;
/** Maximum length of a credential. */
const MPP_CREDENTIAL_CHARACTERS_MAX = 16_384;

const METHOD = 'stripe';
const INTENT = 'charge';
const NONCE_BYTES = 12;

interface Options {
  /** Host of this service. */
  readonly realm: string;
  /** Servers with the same secret accept each other's challenges. */
  readonly secret: string;
  /** Stripe profile of this business, to which payment tokens are granted. */
  readonly profileId: string;
  readonly now?: () => number;
}

export function createMpp({ realm, secret, profileId, now = Date.now }: Options): Mpp {
  // A derived key: a signature for a link is not valid for a challenge.
  const key = createHmac('sha256', secret).update('mpp challenge').digest();
  const idOf = (fields: Omit<SentChallenge, 'id'>): Buffer =>
    createHmac('sha256', key)
      .update(boundText({ ...fields, realm }))
      .digest();
  return {
    challenge({ tool, amountCents, description }) {
      const request: ChargeRequest = {
        amount: String(amountCents),
        currency: 'usd',
        methodDetails: { networkId: profileId, paymentMethodTypes: ['card', 'link'] },
      };
      const expires = new Date(now() + MPP_CHALLENGE_LIFETIME_MS).toISOString();
      // Concurrent requests in the same millisecond get different challenges, because each accepts one token.
      const opaque = encode({ nonce: randomBytes(NONCE_BYTES).toString('base64url'), tool });
      const fields = { realm, method: METHOD, intent: INTENT, expires, opaque } as const;
      const id = idOf({ ...fields, request: encode(request) }).toString('base64url');
      return { id, ...fields, request, description: description.replace(/[^\x20-\x7e]|["\\]/g, '') };
    },
    read(sent) {
      const { challenge, payload } = credentialOf(sent);
      // Compared as text: base64url has several encodings of the same bytes, and the id identifies the payment.
      const given = Buffer.from(challenge.id);
      const ours = Buffer.from(idOf(challenge).toString('base64url'));
      if (challenge.realm !== realm || given.length !== ours.length || !timingSafeEqual(given, ours)) {
        throw refusal('Its challenge was not issued by this server, or was modified.');
      }
      return paymentOf(challenge, payload.spt);
    },
  };
}

/** The header value of a challenge. */
export function challengeText({ request, ...challenge }: Challenge): string {
  const fields = { ...challenge, request: encode(request) };
  return `Payment ${Object.entries(fields)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
}

/** The seven slots of the draft, in its order; the body digest is not used. */
const boundText = ({ realm, method, intent, request, expires, opaque }: Omit<SentChallenge, 'id'>): string =>
  [realm, method, intent, request, expires, '', opaque].join('|');

/** Keys in the order of RFC 8785, so that clients that serialise it again produce the same bytes. */
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const text = z.string().max(MPP_CREDENTIAL_CHARACTERS_MAX);
const sentChallenge = z.object({
  id: text,
  realm: text,
  method: z.literal(METHOD),
  intent: z.literal(INTENT),
  request: text,
  expires: text,
  opaque: text,
});
type SentChallenge = z.infer<typeof sentChallenge>;
const sentCredential = z.object({
  challenge: sentChallenge,
  payload: z.object({ spt: z.string().regex(/^spt_\w{1,250}$/) }),
});

/** Parses a credential. Over MCP, the request of a challenge may be a plain object. */
function credentialOf(sent: unknown): z.infer<typeof sentCredential> {
  const read = sentCredential.safeParse(withRequestText(typeof sent === 'string' ? decode(sent) : sent));
  if (read.success) return read.data;
  throw refusal(
    'It is malformed. Send base64url of {"challenge": unchanged from the 402, "payload": {"spt": "spt_…"}}.',
  );
}

function withRequestText(sent: unknown): unknown {
  const challenge = (sent as { challenge?: { request?: unknown } } | null | undefined)?.challenge;
  if (typeof challenge?.request !== 'object' || challenge.request === null) return sent;
  return { ...(sent as object), challenge: { ...challenge, request: encode(challenge.request) } };
}

function decode(sent: string): unknown {
  try {
    if (sent.length > MPP_CREDENTIAL_CHARACTERS_MAX) return undefined;
    return parseBoundedJson(Buffer.from(sent, 'base64url'));
  } catch {
    return undefined;
  }
}

/** The id authenticates these fields, so this server wrote them. */
function paymentOf({ id, request, opaque, expires }: SentChallenge, token: string): MppPayment {
  const { amount } = decode(request) as ChargeRequest;
  const { tool } = decode(opaque) as { tool: string };
  return { id, tool, amountCents: Number(amount), expiresAt: new Date(expires), token };
}

const refusal = (why: string): AtelierError =>
  new AtelierError('payment_refused', `The payment does not cover this call. ${why}`);

/**
 * The "Payment" scheme of HTTP authentication (Machine Payments Protocol), for one method: `stripe` with the intent `charge`. A
 * challenge is a price for one call of one tool. It is not stored; its id is a MAC. Source: draft-ietf-httpauth-payment,
 * draft-stripe-charge-00.
 */
export interface Mpp {
  /** Creates a challenge, which pays for one call. */
  challenge(sale: Sale): Challenge;
  /**
   * Verifies a credential, without its expiry: a call paid in time may fetch its response later.
   * @param sent the base64url text after `Payment `, or over MCP the credential itself
   * @throws AtelierError payment_refused: malformed, of another server, or modified
   */
  read(sent: unknown): MppPayment;
}

interface Sale {
  readonly tool: string;
  readonly amountCents: number;
  /** Shown to the payer. */
  readonly description: string;
}

/** As in `WWW-Authenticate: Payment …`. */
export interface Challenge {
  /** Authenticates all other fields except the description. */
  readonly id: string;
  /** Host of this service. */
  readonly realm: string;
  readonly method: 'stripe';
  readonly intent: 'charge';
  readonly request: ChargeRequest;
  /** RFC 3339. */
  readonly expires: string;
  readonly description: string;
  /** base64url of JSON with the tool name; clients return it unchanged. */
  readonly opaque: string;
}

interface ChargeRequest {
  /** Amount in cents. */
  readonly amount: string;
  readonly currency: 'usd';
  readonly methodDetails: { readonly networkId: string; readonly paymentMethodTypes: readonly string[] };
}

/** A credential with a challenge of this server. */
export interface MppPayment {
  /** Id of the challenge. */
  readonly id: string;
  readonly tool: string;
  readonly amountCents: number;
  readonly expiresAt: Date;
  /** The shared payment token. Never stored or logged. */
  readonly token: string;
}
