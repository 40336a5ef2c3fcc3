/**
 * Consent of owners, each time by a signature over a specific message (EIP-4361): a key that an agent requested, or one call above
 * an amount. Also the spending rules for holds. Wallets in lower case, amounts in millicredits.
 */
export interface Consents {
  /** Requests a key. @throws AtelierError invalid_input for a misleading name; too_many_requests */
  requestKey(asked: KeyWish & { askedBy: string }): Promise<AskedKey>;
  findKeyRequest(id: string): Promise<KeyRequest | undefined>;
  /** The message that the owner has to sign. @throws AtelierError consent_not_found, consent_over */
  keyMessage(id: string, decision: KeyDecision): Promise<string>;
  /** Grants or refuses a key. @throws AtelierError invalid_signature, consent_not_found, consent_over */
  decideKey(id: string, decision: KeyDecision & Signed): Promise<void>;
  /** Creates the key, once. Other states say why there is no key. */
  redeemKey(code: string): Promise<Redeemed>;

  rules(wallet: string): Promise<SpendingRules>;
  /** Changes the rules for every hold that begins after this returns. */
  setRules(wallet: string, change: RulesChange): Promise<SpendingRules>;

  /** Requests approval of one call; returns an open request for the same call. @throws AtelierError too_many_requests */
  askApproval(call: CallToApprove): Promise<{ id: string; expiresAt: Date }>;
  findApproval(id: string): Promise<Approval | undefined>;
  /** Requests of a wallet that are open or ended within a day; open ones first, then the newest. */
  listApprovals(wallet: string): Promise<readonly Approval[]>;
  /** The id of an unused approval of exactly this call. */
  findGiven(call: Omit<CallToApprove, 'shown' | 'address'>): Promise<string | undefined>;
  approvalMessage(id: string, decision: Decision): Promise<string>;
  decideApproval(id: string, decision: Decision & Signed): Promise<void>;

  sweep(now: Date): Promise<number>;
}

export interface KeyWish {
  readonly name: string;
  /** Includes access to the assets of the wallet. */
  readonly withFiles: boolean;
  readonly tools?: readonly string[] | undefined;
  readonly maxTotal?: number | undefined;
  readonly maxDaily?: number | undefined;
}

export interface AskedKey {
  /** Public id in the link: grants viewing of the request. */
  readonly id: string;
  /** Secret code of the agent: redeems the key. */
  readonly code: string;
  /** Six characters that both agent and page display, so that a person can compare the requests. */
  readonly check: string;
  readonly expiresAt: Date;
}

export interface KeyRequest extends KeyWish {
  readonly id: string;
  readonly check: string;
  readonly askedBy: string;
  readonly state: 'waiting' | 'granted' | 'refused' | 'used' | 'expired';
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface Decision {
  readonly isGranted: boolean;
  /** EIP-155 chain in the message. */
  readonly chainId: number;
}

/** A key is granted by a wallet, on the terms of its owner. */
export interface KeyDecision extends Decision {
  readonly wallet: string;
  readonly withFiles: boolean;
  readonly tools?: readonly string[] | undefined;
  readonly maxTotal?: number | undefined;
  readonly maxDaily?: number | undefined;
  readonly keyExpiresAt: Date;
}

export interface Signed {
  /** 0x and hex, over the message of this decision. */
  readonly signature: string;
}

export type Redeemed =
  | { readonly state: 'waiting' | 'refused' | 'expired' | 'used' | 'unknown' | 'too_many_keys' }
  | { readonly state: 'redeemed'; readonly token: string; readonly keyId: string; readonly wallet: string };

export interface SpendingRules {
  readonly stoppedAt: Date | null;
  /** Price above which a call needs an approval; null: no limit. */
  readonly approvalAbove: number | null;
}

/** Absent fields stay unchanged. */
export interface RulesChange {
  readonly isStopped?: boolean | undefined;
  readonly approvalAbove?: number | null | undefined;
}

export interface CallToApprove {
  readonly wallet: string;
  readonly tool: string;
  readonly paramsSha256: string;
  readonly amount: number;
  /** Shortened parameters and the principal of the call, for display. */
  readonly shown: string;
  readonly askedBy: string;
  /** Network address of the client. */
  readonly address: string;
}

export interface Approval extends Omit<CallToApprove, 'address'> {
  readonly id: string;
  readonly state: 'waiting' | 'approved' | 'refused' | 'used' | 'expired';
  readonly createdAt: Date;
  readonly expiresAt: Date;
}
