/**
 * The "Payment" scheme of HTTP authentication (Machine Payments Protocol), for the one method that this service can settle: `stripe`
 * with the intent `charge`. A challenge is a price for one call of one tool; nothing of it is kept, its id says that it is ours.
 * Source: draft-ietf-httpauth-payment, draft-stripe-charge-00.
 */
export interface Mpp {
  /** What a call asks for. Every challenge is new and pays for one call. */
  challenge(sale: Sale): Challenge;
  /**
   * The payment in a credential. Says nothing about whether it has expired: a call that was paid in time may collect its answer later.
   * @param sent the base64url text after `Payment `, or over MCP the credential itself
   * @throws AtelierError payment_refused: unreadable, of another server, or changed on its way
   */
  read(sent: unknown): MppPayment;
}

export interface Sale {
  readonly tool: string;
  readonly amountCents: number;
  /** For whoever decides whether to pay. */
  readonly description: string;
}

/** As `WWW-Authenticate: Payment …` has it. */
export interface Challenge {
  /** Authenticates all other fields but the description. */
  readonly id: string;
  /** Host of this service. */
  readonly realm: string;
  readonly method: 'stripe';
  readonly intent: 'charge';
  readonly request: ChargeRequest;
  /** RFC 3339. */
  readonly expires: string;
  readonly description: string;
  /** base64url of JSON that names the tool; clients send it back unchanged. */
  readonly opaque: string;
}

export interface ChargeRequest {
  /** In cents. */
  readonly amount: string;
  readonly currency: 'usd';
  readonly methodDetails: { readonly networkId: string; readonly paymentMethodTypes: readonly string[] };
}

/** A credential whose challenge is ours. */
export interface MppPayment {
  /** Of the challenge. */
  readonly id: string;
  readonly tool: string;
  readonly amountCents: number;
  readonly expiresAt: Date;
  /** The shared payment token. Never kept or logged. */
  readonly token: string;
}
