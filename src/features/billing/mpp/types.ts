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

export interface Sale {
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

export interface ChargeRequest {
  /** In cents. */
  readonly amount: string;
  readonly currency: 'usd';
  readonly methodDetails: { readonly networkId: string; readonly paymentMethodTypes: readonly string[] };
}

/** A credential with a challenge of this server. */
export interface MppPayment {
  /** Of the challenge. */
  readonly id: string;
  readonly tool: string;
  readonly amountCents: number;
  readonly expiresAt: Date;
  /** The shared payment token. Never stored or logged. */
  readonly token: string;
}
