import type { PublicKey } from '../../../core/keys/signer.ts';
/**
 * Signed receipts of paid calls: compact JWS (RFC 7515) with Ed25519 (RFC 8037), so that whoever has the public key can
 * check one without asking us.
 */
export interface Receipts {
  /** What its payment names a call by, and the name of its receipt. */
  idOf(payment: PaymentRecord): string;
  /** Signs what one paid call did. Asks nobody and stores nothing. */
  sign(call: PaidCall): IssuedReceipt;
  /** The receipt as it was signed; nothing for one of another wallet. */
  find(wallet: string, id: string): Promise<SignedReceipt | undefined>;
  /** Every key that ever signed here, newest first. */
  keys(): Promise<KnownKey[]>;
}

/** How a call was paid, as its answer says. */
export type PaymentRecord = Readonly<Record<string, unknown>>;

export interface PaidCall {
  readonly id: string;
  readonly tool: string;
  readonly cost: { readonly credit: number; readonly usd: number };
  readonly payment: PaymentRecord;
  /** sha256 (hex) of the answer's bytes as they are sent, with nothing where the receipt will stand. */
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
    /** Null where the client waited. */
    readonly job_id: string | null;
  };
}

export interface KnownKey extends PublicKey {
  readonly firstUsed: Date;
  /** Since when it signs no more, and why; absent while it may. */
  readonly revoked?: Revocation;
}

export interface Revocation {
  readonly at: Date;
  readonly reason: RevocationReason;
}

/**
 * compromised: somebody else had it, so nothing it signed proves anything unless the log had it before. superseded: another has taken
 * over. As in OpenID Federation 1.0, section 8.7.
 */
export type RevocationReason = 'unspecified' | 'compromised' | 'superseded';
