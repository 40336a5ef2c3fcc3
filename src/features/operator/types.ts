import type { DamagedBlob } from '../../core/storage/blobs/blobs.ts';
import type { FetchRequest } from '../models/setup/types.ts';
import type { LedgerEntry, WalletState } from '../wallets/types.ts';
import type { LastBackup } from './backups/types.ts';
import type { DeadLetters } from './dead_letters/types.ts';
import type { PriceRule, PricingTerms } from './prices/types.ts';
import type { Sales } from './sales/sales.ts';

/** Admin actions of the operator. Each is recorded in its own transaction, with actor and reason; records are never deleted. */
export interface Operator {
  /** Grants credits to a wallet, once per reference. @throws AtelierError not_found, invalid_input */
  grant(by: Attribution, grant: Grant): Promise<Moved>;
  /** Refunds a call, at most once. @throws AtelierError not_found, invalid_input */
  refund(by: Attribution, refund: Refund): Promise<Moved>;
  /** Blocks all spending of the wallet. False where it is blocked already. */
  block(by: Attribution, wallet: string): Promise<boolean>;
  /** Unblocks a wallet. False where it is not blocked. */
  unblock(by: Attribution, wallet: string): Promise<boolean>;
  /** Adds a price rule, or replaces the one of the same name. @throws AtelierError invalid_input where there are too many */
  setRule(by: Attribution, rule: PriceRule): Promise<void>;
  /** Ends a price rule. False where no active rule has that name. */
  endRule(by: Attribution, name: string): Promise<boolean>;
  /** Assigns a wallet to a tier; null: none. False where nothing changed. */
  setTier(by: Attribution, tier: { wallet: string; tier: string | null }): Promise<boolean>;
  /** Sets the queue weight of a wallet, a key (`key_…`) or a tier. False where nothing changed. */
  setWeight(by: Attribution, weight: { who: string; weight: number }): Promise<boolean>;
  terms(): Promise<PricingTerms>;
  readonly deadLetters: DeadLetters;
  readonly sales: Sales;
  /** Hides an entry of the cafe, the gallery or the registry. False where the id is unknown. */
  hide(by: Attribution, id: string): Promise<boolean>;
  /** Shows a hidden entry again. */
  unhide(by: Attribution, id: string): Promise<boolean>;
  /**
   * Ends a job, a webhook or a stored manifest (`manifest_<sha256 of the store>`) by its id. False where it is unknown or has
   * ended.
   */
  end(by: Attribution, id: string): Promise<boolean>;
  /**
   * Revokes a key permanently: of a wallet (`key_…`), of an operator (`opk_…`), or a signing key by its kid.
   * @returns its kind; undefined where no valid key has that name
   */
  revoke(by: Attribution, key: string, reason: RevocationWord): Promise<RevokedKind | undefined>;
  /**
   * Requests the download of a museum dataset or a model; one of the servers runs it.
   * @throws AtelierError invalid_input where the name is unknown, it is installed, or another download is in progress
   */
  fetch(by: Attribution, name: string): Promise<void>;
  /** Requested downloads, newest first. */
  fetches(): Promise<readonly FetchRequest[]>;
  /** Admin actions, newest first. */
  acts(page: AdminActionPage): Promise<AdminAction[]>;
  /** Overview of a wallet for a moderation decision. */
  wallet(wallet: string): Promise<WalletReport>;
  /** Overview of this database. */
  world(): Promise<SystemStatus>;
  /** Entries of all boards, hidden ones included, newest first. */
  entries(limit: number): Promise<CommunityEntry[]>;
}

/** compromised: the key leaked. superseded: another key has replaced it. */
type RevocationWord = 'unspecified' | 'compromised' | 'superseded';
export type RevokedKind = 'wallet key' | 'operator key' | 'signing key';

/** Actor and reason. */
export interface Attribution {
  readonly who: string;
  readonly why: string;
}

export interface Grant {
  readonly wallet: string;
  /** Millicredits. */
  readonly amount: number;
  /** Default: a new one. */
  readonly reference?: string | undefined;
}

export interface Refund {
  /** Id of the call, as in the statement or its receipt. */
  readonly call: string;
  /** Millicredits. Default: the charge minus the credit-back. */
  readonly amount?: number | undefined;
}

/** A transfer, made now or before. */
export interface Moved {
  readonly id: string;
  readonly wallet: string;
  /** Millicredits. */
  readonly amount: number;
  readonly balance: number;
  /** The transfer existed, so no credits moved now. */
  readonly isRepeat: boolean;
}

/** `show` is the former name of `unhide`. */
export type AdminActionName =
  | 'grant'
  | 'refund'
  | 'block'
  | 'unblock'
  | 'hide'
  | 'unhide'
  | 'show'
  | 'end'
  | 'revoke'
  | 'token'
  | 'sign_in'
  | 'sign_out'
  | 'fetch'
  | 'price'
  | 'end_price'
  | 'tier'
  | 'weight'
  | 'retry'
  | 'dismiss';

export interface AdminAction {
  readonly number: number;
  readonly at: Date;
  readonly who: string;
  readonly act: AdminActionName;
  /** Id of its target. */
  readonly about: string;
  readonly why: string;
}

export interface AdminActionPage {
  readonly limit: number;
  /** Only actions with a lower number. */
  readonly before?: number | undefined;
}

export interface WalletReport {
  /** Absent: never registered. */
  readonly account?: WalletState | undefined;
  readonly blocked: { readonly at: Date; readonly who: string; readonly why: string } | null;
  readonly claimedAt: Date | null;
  readonly lockedAt: Date | null;
  readonly storage: { readonly assets: number; readonly usedBytes: number; readonly limitBytes: number };
  /** Valid keys. */
  readonly keys: readonly { readonly id: string; readonly name: string; readonly spent: number }[];
  /** Ids of its unfinished jobs. */
  readonly jobs: readonly { readonly id: string; readonly tool: string; readonly state: string }[];
  /** Ids of its posts. */
  readonly posts: readonly string[];
  readonly webhooks: number;
  readonly recent: readonly LedgerEntry[];
}

export interface SystemStatus {
  /** Servers that share the database, by their last heartbeat; none for an embedded database. */
  readonly servers: readonly { readonly host: string; readonly pid: number; readonly seenAt: Date }[];
  /** Processes that claim jobs. */
  readonly takers: readonly {
    /** Null: all tools. */
    readonly tools: readonly string[] | null;
    readonly lacks: readonly string[];
    readonly places: number;
    readonly seenAt: Date;
  }[];
  /** Unfinished jobs: the oldest, and their number by tool. */
  readonly jobs: readonly {
    readonly id: string;
    readonly tool: string;
    readonly state: string;
    /** Null: a client without a wallet. */
    readonly wallet: string | null;
    readonly acceptedAt: Date;
  }[];
  readonly queue: readonly { readonly tool: string; readonly queued: number; readonly running: number }[];
  readonly webhooks: {
    readonly active: number;
    readonly disabled: number;
    readonly pending: number;
    /** Newest first. */
    readonly deliveries: readonly {
      readonly id: string;
      readonly endpoint: string;
      readonly type: string;
      readonly state: string;
      readonly attempts: number;
      readonly at: Date;
    }[];
  };
  /** Downloads requested by operators, newest first. */
  readonly fetches: readonly FetchRequest[];
  /** Absent: this database has no backup. */
  readonly backup?: LastBackup;
  /** Stored files whose reads are refused. */
  readonly damaged: readonly DamagedBlob[];
  /** Hidden entries, on all boards. */
  readonly hidden: number;
  readonly blockedWallets: number;
  readonly workspaces: number;
}

export interface CommunityEntry {
  readonly id: string;
  readonly board: 'cafe' | 'gallery' | 'registry';
  readonly name: string;
  readonly text: string;
  readonly wallet: string;
  readonly postedAt: Date;
  readonly hiddenAt: Date | null;
}

/** Permissions of an operator. */
export type OperatorScope = 'read' | 'moderate' | 'money' | 'keys' | 'upkeep';

/** An operator, identified by a token. */
export interface OperatorIdentity {
  /** As in the audit log: `token ada`, `oidc ada@example.org`, `command line`. */
  readonly who: string;
  readonly scopes: readonly OperatorScope[];
}

/** Identification of operators. */
export interface Operators {
  /**
   * Identifies the operator of a local token or one of the identity provider.
   * @throws AtelierError operator_required, saying what is wrong with the token; upstream_failed where the provider is unreachable
   */
  identify(bearer: string): Promise<OperatorIdentity>;
  /** Absent: no identity provider is configured for browsers (OIDC_CLIENT_ID). */
  readonly signIn?: SignIn;
  /** Revokes the token of a sign-in and returns whether it was one; a token created manually stays valid. */
  signOut(bearer: string): Promise<boolean>;
  /** Returns the token once; its creation is recorded. */
  createToken(
    by: Attribution,
    wanted: NewToken,
  ): Promise<{ readonly token: string; readonly made: OperatorToken }>;
  /** Newest first, including recently ended ones. */
  tokens(limit: number): Promise<OperatorToken[]>;
}

/** Browser sign-in with an identity provider. */
export interface SignIn {
  /**
   * @param redirectUri callback of the provider
   * @returns the URL for the browser, and a secret that the browser keeps until the callback
   */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly secret: string }>;
  /**
   * Issues a token to a signed-in operator, valid for eight hours, and records it in the audit log.
   * @throws AtelierError operator_required where the user is not an operator, upstream_failed
   */
  finish(returned: Returned & { readonly redirectUri: string }): Promise<{ readonly token: string }>;
  /**
   * Logout URL of the provider (OpenID Connect RP-Initiated Logout 1.0); undefined where it has none.
   * @param returnTo where the provider may redirect afterwards
   * @throws AtelierError upstream_failed
   */
  endAddress(returnTo: string): Promise<string | undefined>;
}

/** A sign-in before it becomes an operator session. */
export interface BrowserSignIn extends Pick<SignIn, 'begin' | 'endAddress'> {
  /** Identifies the signed-in user. @throws AtelierError operator_required, upstream_failed */
  identify(returned: Parameters<SignIn['finish']>[0]): Promise<OperatorIdentity>;
}

/** Parameters of the callback. */
export interface Returned {
  /** The secret of `begin`; absent: the browser has lost it. */
  readonly secret: string | undefined;
  readonly state: string;
  readonly code: string;
  /** Issuer in the callback (RFC 9207). */
  readonly issuer: string | undefined;
  /** Error of the provider (RFC 6749, 4.1.2.1). Untrusted: anyone can link to the callback with any text. */
  readonly refusal?: { readonly error: string; readonly description?: string | undefined } | undefined;
}

export interface NewToken {
  readonly name: string;
  readonly scopes: readonly OperatorScope[];
  readonly expiresAt: Date;
}

export interface OperatorToken extends NewToken {
  /** `opk_` and 16 hex digits; not secret. */
  readonly id: string;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly revokedAt: Date | null;
}
