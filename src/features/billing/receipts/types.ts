import type { PublicKey } from '../../../core/keys/signer.ts';
/**
 * Signed receipts of paid calls: compact JWS (RFC 7515) with Ed25519 (RFC 8037), which can be verified offline with the public key.
 */
export interface Receipts {
  /** The did:web identifier of this service. */
  readonly did: string;
  /** Call id and receipt id of a payment. */
  idOf(payment: PaymentRecord): string;
  /** Signs the receipt of one paid call, without a request or a database access. */
  sign(call: PaidCall): IssuedReceipt;
  /** The receipt as signed; undefined for one of another wallet. */
  find(wallet: string, id: string): Promise<SignedReceipt | undefined>;
  /** All current and former signing keys, newest first. */
  keys(): Promise<KnownKey[]>;
}

/** Payment details, as in the response of the call. */
export type PaymentRecord = Readonly<Record<string, unknown>>;

export interface PaidCall {
  readonly id: string;
  readonly tool: string;
  readonly cost: { readonly credit: number; readonly usd: number };
  readonly payment: PaymentRecord;
  /** sha256 (hex) of the response bytes as sent, with the receipt left out. */
  readonly answerSha256: string;
}

export interface SignedReceipt {
  readonly id: string;
  /** `<header>.<claims>.<signature>`, each base64url. */
  readonly jws: string;
}

/** A receipt with the data of the event `tool.completed`, which is emitted in the transaction that stores it. */
export interface IssuedReceipt extends SignedReceipt {
  readonly completed: {
    readonly tool: string;
    readonly credits: number;
    readonly receipt_id: string;
    /** Null for a synchronous call. */
    readonly job_id: string | null;
  };
}

export interface KnownKey extends PublicKey {
  readonly firstUsed: Date;
  /** When and why it was revoked; absent while it is valid. */
  readonly revoked?: Revocation;
}

export interface Revocation {
  readonly at: Date;
  readonly reason: RevocationReason;
}

/**
 * compromised: the key leaked, so its signatures prove nothing unless the log had them before. superseded: another key has replaced
 * it. As in OpenID Federation 1.0, section 8.7.
 */
export type RevocationReason = 'unspecified' | 'compromised' | 'superseded';
