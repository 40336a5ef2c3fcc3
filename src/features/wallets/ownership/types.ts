import type { Proof, Scope } from '../../../core/principal.ts';
import type { Hold, HoldConsent } from '../types.ts';

/**
 * Who owns a wallet and who may act for it. A wallet is `open` (its address is enough), `claimed` (somebody proved that it is
 * theirs; the address is still enough) or `locked` (only proof counts). Wallets in lower case, amounts in millicredits.
 */
export interface Ownership {
  /** When the wallet was locked; undefined while it is not. */
  lockedAt(wallet: string): Promise<Date | undefined>;
  stateOf(wallet: string): Promise<WalletLock>;

  /** A message to sign (EIP-4361) with a nonce that counts once. */
  challenge(wallet: string, chainId: number): Promise<Challenge>;
  /**
   * Takes a signed challenge: claims the wallet and opens a session.
   * @throws AtelierError invalid_input for no EIP-4361 message; invalid_signature for one of another domain, address, chain,
   * nonce or time, or signed by somebody else
   */
  openSession(signed: { message: string; signature: string }): Promise<Session>;
  /** What a token `atl_sess_…` or `atl_key_…` proves. @throws AtelierError invalid_token: unknown, expired or revoked */
  proofOf(token: string): Promise<Proof>;

  /**
   * What a signature over the request itself proves (RFC 9421 as ERC-8128 uses it). Its nonce counts once.
   * @throws AtelierError invalid_signature: of another address, place, time or body, used before, or not covering enough
   */
  proofOfRequest(request: SignedRequest): Promise<Proof>;

  /** Locks the wallet; every session but this one ends, keys go on. Locking again keeps the first moment. */
  lock(wallet: string, token: string | undefined): Promise<Date>;
  unlock(wallet: string): Promise<void>;

  /** @throws AtelierError invalid_input for a name that misleads, or too many keys */
  createKey(wallet: string, key: NewKey): Promise<{ key: WalletKey; token: string }>;
  /** Newest first, revoked ones too. */
  keys(wallet: string): Promise<WalletKey[]>;
  /** Revoking again changes nothing. @throws AtelierError key_not_found */
  revokeKey(wallet: string, id: string): Promise<WalletKey>;
  /**
   * Sets credits aside for one call within the budget of a key. However the hold ends without being settled, the budget
   * gets it back. @throws AtelierError budget_refused, invalid_token, and as `Wallets.hold`
   */
  hold(keyId: string, call: HoldRequest): Promise<{ hold: Hold; budget: Budget }>;

  /** One line for the owner and the operator; `about` names a key, tool or path. Never a secret. */
  record(wallet: string, event: WalletEventName, about?: string): Promise<void>;
  /** Newest first. */
  events(wallet: string): Promise<WalletEvent[]>;
  /** Forgets what has ended; returns how many rows. */
  sweep(now: Date): Promise<number>;
}

/** A request as it came, as far as a signature can cover it. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as they were sent: `/api/x?y=1`. */
  readonly target: string;
  /** Fields of one name joined by ", ". */
  header(name: string): string | undefined;
  readonly body: {
    readonly sizeBytes: number;
    /** Digests of the bytes as they came, by the names of RFC 9530, as far as Content-Digest names them. */
    readonly digests: Readonly<Partial<Record<'sha-256' | 'sha-512', Uint8Array>>>;
  };
}

export interface WalletLock {
  readonly state: 'open' | 'claimed' | 'locked';
  readonly claimedAt?: Date;
  readonly lockedAt?: Date;
}

export interface Challenge {
  readonly message: string;
  readonly nonce: string;
  readonly expiresAt: Date;
  /** Kinds of accounts whose signatures can be checked here: eoa, those with a private key; contract. */
  readonly supported: readonly ('eoa' | 'contract')[];
}

export interface Session {
  /** Shown once; only its hash is kept. */
  readonly token: string;
  readonly wallet: string;
  readonly expiresAt: Date;
}

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly tools?: readonly string[];
  readonly maxTotal?: number;
  readonly maxDaily?: number;
  readonly expiresAt?: Date;
}

export interface Budget {
  readonly maxTotal: number | null;
  readonly spent: number;
  readonly maxDaily: number | null;
  /** Since midnight UTC. */
  readonly spentToday: number;
}

export interface WalletKey extends Budget {
  /** Names the key in lists; it is no secret. */
  readonly id: string;
  readonly name: string;
  readonly scopes: Scope[];
  readonly tools: string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface HoldRequest {
  readonly id: string;
  readonly wallet: string;
  readonly amount: number;
  readonly tool: string;
  readonly expiresAt: Date;
  readonly consent?: HoldConsent | undefined;
}

export type WalletEventName =
  | 'session_opened'
  | 'locked'
  | 'unlocked'
  | 'key_created'
  | 'key_revoked'
  | 'key_granted'
  | 'key_denied'
  | 'call_approved'
  | 'call_denied'
  | 'spending_stopped'
  | 'spending_resumed'
  | 'approval_rule_set'
  | 'refused_signature'
  | 'refused_locked'
  | 'refused_key'
  | 'refused_scope'
  | 'refused_budget';

export interface WalletEvent {
  readonly at: Date;
  readonly event: WalletEventName;
  readonly about: string;
  /** The same refusal within an hour is one line. */
  readonly times: number;
}
