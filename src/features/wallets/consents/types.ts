/**
 * What owners agree to, each time by a signature over a message that names exactly that (EIP-4361): a key for an agent that asked for one,
 * or one call above an amount. And the rules by which holds are made. Wallets in lower case, amounts in millicredits.
 */
export interface Consents {
  /** @throws AtelierError invalid_input for a name that misleads; too_many_requests */
  requestKey(asked: KeyWish & { askedBy: string }): Promise<AskedKey>;
  findKeyRequest(id: string): Promise<KeyRequest | undefined>;
  /** What the owner has to sign to decide so. @throws AtelierError consent_not_found, consent_over */
  keyMessage(id: string, decision: KeyDecision): Promise<string>;
  /** @throws AtelierError invalid_signature, consent_not_found, consent_over */
  decideKey(id: string, decision: KeyDecision & Signed): Promise<void>;
  /** Makes the key, once. Any other state says why there is none. */
  redeemKey(code: string): Promise<Redeemed>;

  rules(wallet: string): Promise<SpendingRules>;
  /** In force for every hold that begins after this has returned. */
  setRules(wallet: string, change: RulesChange): Promise<SpendingRules>;

  /** The question about one call; the same question while it waits. @throws AtelierError too_many_requests */
  askApproval(call: CallToApprove): Promise<{ id: string; expiresAt: Date }>;
  findApproval(id: string): Promise<Approval | undefined>;
  /** Those of a wallet that wait or ended within a day; what waits first, then the newest. */
  listApprovals(wallet: string): Promise<readonly Approval[]>;
  /** The id of an approval of just such a call that was given and not used yet. */
  findGiven(call: Omit<CallToApprove, 'shown' | 'address'>): Promise<string | undefined>;
  approvalMessage(id: string, decision: Decision): Promise<string>;
  decideApproval(id: string, decision: Decision & Signed): Promise<void>;

  sweep(now: Date): Promise<number>;
}

export interface KeyWish {
  readonly name: string;
  /** Also to read and change what the wallet keeps. */
  readonly withFiles: boolean;
  readonly tools?: readonly string[] | undefined;
  readonly maxTotal?: number | undefined;
  readonly maxDaily?: number | undefined;
}

export interface AskedKey {
  /** For the link: whoever has it can look at the request. */
  readonly id: string;
  /** For the agent alone: whoever has it gets the key. */
  readonly code: string;
  /** Six characters the agent and the page both show, so that a person sees they speak of the same. */
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
  /** EIP-155 chain the message names. */
  readonly chainId: number;
}

/** A key is given by a wallet, and with the terms its owner sets. */
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
  /** A call that costs more needs an approval; null: none does. */
  readonly approvalAbove: number | null;
}

/** What is absent stays as it is. */
export interface RulesChange {
  readonly isStopped?: boolean | undefined;
  readonly approvalAbove?: number | null | undefined;
}

export interface CallToApprove {
  readonly wallet: string;
  readonly tool: string;
  readonly paramsSha256: string;
  readonly amount: number;
  /** Parameters in short, and who has sent the call; for the person. */
  readonly shown: string;
  readonly askedBy: string;
  /** The network address it came from. */
  readonly address: string;
}

export interface Approval extends Omit<CallToApprove, 'address'> {
  readonly id: string;
  readonly state: 'waiting' | 'approved' | 'refused' | 'used' | 'expired';
  readonly createdAt: Date;
  readonly expiresAt: Date;
}
