import type { Proof, Scope } from '../../../core/principal.ts';
import type { Hold, HoldConsent } from '../types.ts';

/**
 * Ownership of wallets and delegation. A wallet is `open` (its address is enough), `claimed` (its owner has proved control; the
 * address is still enough) or `locked` (only proof counts). Wallets in lower case, amounts in millicredits.
 */
export interface Ownership {
  /** When the wallet was locked; undefined where it is not. */
  lockedAt(wallet: string): Promise<Date | undefined>;
  stateOf(wallet: string): Promise<WalletLock>;

  /** Creates a message to sign (EIP-4361) with a single-use nonce. */
  challenge(wallet: string, chainId: number): Promise<Challenge>;
  /**
   * Verifies a signed challenge, claims the wallet and opens a session.
   * @throws AtelierError invalid_input for a message that is not EIP-4361; invalid_signature for another domain, address, chain,
   * nonce or time, or another signer
   */
  openSession(signed: { message: string; signature: string }): Promise<Session>;
  /** Verifies a token `atl_sess_…` or `atl_key_…`. @throws AtelierError invalid_token: unknown, expired or revoked */
  proofOf(token: string): Promise<Proof>;

  /**
   * Verifies a request signature (RFC 9421 as used by ERC-8128) and uses its nonce.
   * @throws AtelierError invalid_signature: of another address, URL, time or body, used before, or with insufficient coverage
   */
  proofOfRequest(request: SignedRequest): Promise<Proof>;

  /** Locks the wallet and ends every other session; keys stay valid. Locking again keeps the first date. */
  lock(wallet: string, token: string | undefined): Promise<Date>;
  unlock(wallet: string): Promise<void>;

  /** Creates a key. @throws AtelierError invalid_input for a misleading name, or too many keys */
  createKey(wallet: string, key: NewKey): Promise<{ key: WalletKey; token: string }>;
  /** Newest first, including revoked ones. */
  keys(wallet: string): Promise<WalletKey[]>;
  /** Whether a key of the wallet is neither revoked nor expired. */
  isKeyInForce(wallet: string, id: string): Promise<boolean>;
  /** Idempotent. @throws AtelierError key_not_found */
  revokeKey(wallet: string, id: string): Promise<WalletKey>;
  /**
   * Holds credits for one call within the budget of a key. If the hold is not settled, the budget is restored. @throws AtelierError
   * budget_refused, invalid_token, and as `Wallets.hold`
   */
  hold(keyId: string, call: HoldRequest): Promise<{ hold: Hold; budget: Budget }>;

  /** Logs one event for owner and operator; `about` names a key, tool or path. Never a secret. */
  record(wallet: string, event: WalletEventName, about?: string): Promise<void>;
  /** Newest first. */
  events(wallet: string): Promise<WalletEvent[]>;
  /** Deletes ended rows; returns their number. */
  sweep(now: Date): Promise<number>;
}

/** A received request, with the parts that a signature can cover. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as sent: `/api/x?y=1`. */
  readonly target: string;
  /** Values of one name joined by ", ". */
  header(name: string): string | undefined;
  readonly body: {
    readonly sizeBytes: number;
    /** Digests of the received bytes, for the algorithms that Content-Digest names (RFC 9530). */
    readonly digests: Readonly<Partial<Record<'sha-256' | 'sha-512', Uint8Array>>>;
  };
}

/** The extension sign-in-with-x of x402 (CAIP-122): a wallet signs the challenge of a 402, and its credits pay for that call. */
export interface SignIns {
  /** The challenge by its name in `extensions`, with a nonce for one use. Does not use the database. */
  challenge(target: SignInTarget): { readonly 'sign-in-with-x': object };
  /**
   * Verifies the header SIGN-IN-WITH-X and uses its nonce, on all servers that share the database.
   * @throws AtelierError sign_in_refused, with the failed check as `reason`; chain_unavailable, busy
   */
  proofOf(header: string, target: SignInTarget): Promise<Proof>;
}

/** The tool that a sign-in pays for. */
export interface SignInTarget {
  readonly tool: string;
  /** URL of the tool. */
  readonly resource: string;
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
  /** Supported accounts: eoa, with a private key; contract. */
  readonly supported: readonly ('eoa' | 'contract')[];
}

export interface Session {
  /** Returned once; only its hash is stored. */
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
  /** Spent since midnight UTC. */
  readonly spentToday: number;
}

export interface WalletKey extends Budget {
  /** Id of the key in lists; not secret. */
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
  /** Number of identical events within an hour, which share one row. */
  readonly times: number;
}
