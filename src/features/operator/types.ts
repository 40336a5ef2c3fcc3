import type { DamagedBlob } from '../../core/storage/blobs/types.ts';
import type { AskedFetch } from '../models/setup/types.ts';
import type { LedgerEntry, WalletState } from '../wallets/types.ts';
import type { LastBackup } from './backups/types.ts';

/**
 * What the operator of a server does by hand. Everything done is written down in the same transaction, with who did it and why, and
 * nothing is unwritten.
 */
export interface Operator {
  /** Gives a wallet credits. The same reference gives them once. @throws AtelierError not_found, invalid_input */
  grant(by: By, grant: Grant): Promise<Moved>;
  /** Gives back what a call has cost a wallet, once and for ever. @throws AtelierError not_found, invalid_input */
  refund(by: By, refund: Refund): Promise<Moved>;
  /** From now on the wallet spends nothing. False where it is blocked already. */
  block(by: By, wallet: string): Promise<boolean>;
  /** False where it is not blocked. */
  unblock(by: By, wallet: string): Promise<boolean>;
  /** Takes an entry of the cafe, the gallery or the registry out of the feeds. False where there is none of that id. */
  hide(by: By, id: string): Promise<boolean>;
  /** Puts it back. */
  unhide(by: By, id: string): Promise<boolean>;
  /** Ends a job, a webhook or a kept manifest (`manifest_<sha256 of the store>`), by its id. False where there is none, or it has ended. */
  end(by: By, id: string): Promise<boolean>;
  /**
   * Takes a key back for good: of a wallet (`key_…`), of an operator (`opk_…`), or by its kid one that signs here.
   * @returns which kind it was; undefined where there is none of that name in force
   */
  revoke(by: By, key: string, reason: RevocationWord): Promise<RevokedKind | undefined>;
  /**
   * Has a museum or a network fetched by whichever server sees it first.
   * @throws AtelierError invalid_input where there is none of that name, it is here, or something else is being fetched
   */
  fetch(by: By, name: string): Promise<void>;
  /** What was asked for so, the newest first. */
  fetches(): Promise<readonly AskedFetch[]>;
  /** What was done, newest first. */
  acts(page: ActPage): Promise<Act[]>;
  /** Everything an operator has to know to judge a wallet. */
  wallet(wallet: string): Promise<WalletSeen>;
  /** What runs on this database. */
  world(): Promise<WorldSeen>;
  /** Entries of all boards, the hidden ones too, newest first. */
  entries(limit: number): Promise<EntrySeen[]>;
}

/** compromised: somebody else had it. superseded: another has taken over. */
type RevocationWord = 'unspecified' | 'compromised' | 'superseded';
export type RevokedKind = 'wallet key' | 'operator key' | 'signing key';

/** On whose word, and why. */
export interface By {
  readonly who: string;
  readonly why: string;
}

export interface Grant {
  readonly wallet: string;
  /** Millicredits. */
  readonly amount: number;
  /** Absent: one that is new. */
  readonly reference?: string | undefined;
}

export interface Refund {
  /** Id of the call as the statement or its receipt has it. */
  readonly call: string;
  /** Millicredits. Absent: all it has cost, less what came back as credit-back. */
  readonly amount?: number | undefined;
}

/** Credits that have moved, now or before. */
export interface Moved {
  readonly id: string;
  readonly wallet: string;
  /** Millicredits. */
  readonly amount: number;
  readonly balance: number;
  /** It had happened before, and nothing moved now. */
  readonly isRepeat: boolean;
}

/** `show` is what `unhide` was called before. */
export type ActName =
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
  | 'fetch';

export interface Act {
  readonly number: number;
  readonly at: Date;
  readonly who: string;
  readonly act: ActName;
  /** Id of what it was done to. */
  readonly about: string;
  readonly why: string;
}

export interface ActPage {
  readonly limit: number;
  /** Older than this number. */
  readonly before?: number | undefined;
}

export interface WalletSeen {
  /** Absent: never registered. */
  readonly account?: WalletState | undefined;
  readonly blocked: { readonly at: Date; readonly who: string; readonly why: string } | null;
  readonly claimedAt: Date | null;
  readonly lockedAt: Date | null;
  readonly storage: { readonly assets: number; readonly usedBytes: number; readonly limitBytes: number };
  /** In force. */
  readonly keys: readonly { readonly id: string; readonly name: string; readonly spent: number }[];
  /** Ids of its jobs that have not ended. */
  readonly jobs: readonly { readonly id: string; readonly tool: string; readonly state: string }[];
  /** Ids of what was posted in its name. */
  readonly posts: readonly string[];
  readonly webhooks: number;
  readonly recent: readonly LedgerEntry[];
}

export interface WorldSeen {
  /** Servers that share the database, by their last sign of life; none of an embedded database. */
  readonly servers: readonly { readonly host: string; readonly pid: number; readonly seenAt: Date }[];
  /** Processes that take jobs. */
  readonly takers: readonly {
    /** Null: of every tool. */
    readonly tools: readonly string[] | null;
    readonly lacks: readonly string[];
    readonly places: number;
    readonly seenAt: Date;
  }[];
  /** Jobs that have not ended: the oldest, and how many there are by tool. */
  readonly jobs: readonly {
    readonly id: string;
    readonly tool: string;
    readonly state: string;
    /** Null: a caller without one. */
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
  /** What operators have asked for, the newest first. */
  readonly fetches: readonly AskedFetch[];
  /** Absent: none was made of this database. */
  readonly backup?: LastBackup;
  /** Stored files whose reads are refused. */
  readonly damaged: readonly DamagedBlob[];
  /** Entries that nobody is shown, on all boards. */
  readonly hidden: number;
  readonly blockedWallets: number;
}

export interface EntrySeen {
  readonly id: string;
  readonly board: 'cafe' | 'gallery' | 'registry';
  readonly name: string;
  readonly text: string;
  readonly wallet: string;
  readonly postedAt: Date;
  readonly hiddenAt: Date | null;
}

/** What somebody may do as an operator. */
export type OperatorScope = 'read' | 'moderate' | 'money' | 'keys' | 'upkeep';

/** An operator, known by a token. */
export interface OperatorIdentity {
  /** As the log writes it: `token ada`, `oidc ada@example.org`, `command line`. */
  readonly who: string;
  readonly scopes: readonly OperatorScope[];
}

/** Who the operators are. */
export interface Operators {
  /**
   * Whose token it is: one made here, or one of the identity provider.
   * @throws AtelierError operator_required, saying what is wrong with it; upstream_failed where the provider cannot be asked
   */
  identify(bearer: string): Promise<OperatorIdentity>;
  /** Absent: no identity provider is set up for browsers (OIDC_CLIENT_ID). */
  readonly signIn?: SignIn;
  /** Ends what a sign-in has made, and says whether it was one; a token that was made by hand goes on. */
  signOut(bearer: string): Promise<boolean>;
  /** The token is shown once; its making is written down. */
  createToken(by: By, wanted: NewToken): Promise<{ readonly token: string; readonly made: OperatorToken }>;
  /** Newest first; those that have ended for a while are still shown. */
  tokens(limit: number): Promise<OperatorToken[]>;
}

/** Sign-in in a browser, with an identity provider. */
export interface SignIn {
  /**
   * @param redirectUri where the provider sends the browser back
   * @returns where the browser goes, and a secret that it has to keep until it is back
   */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly secret: string }>;
  /**
   * A token for whoever has signed in; it holds for eight hours, and its making is written down.
   * @throws AtelierError operator_required for somebody who is none, upstream_failed
   */
  finish(returned: Returned & { readonly redirectUri: string }): Promise<{ readonly token: string }>;
  /**
   * Where a browser signs out at the provider as well (OpenID Connect RP-Initiated Logout 1.0); undefined where that names no such place.
   * @param returnTo where the provider may send it back
   * @throws AtelierError upstream_failed
   */
  endAddress(returnTo: string): Promise<string | undefined>;
}

/** What is known of a sign-in before it is one of this server's operators' sessions. */
export interface BrowserSignIn extends Pick<SignIn, 'begin' | 'endAddress'> {
  /** Who has signed in. @throws AtelierError operator_required, upstream_failed */
  identify(returned: Parameters<SignIn['finish']>[0]): Promise<OperatorIdentity>;
}

/** What comes back with the browser. */
export interface Returned {
  /** What it was given to keep; absent: it has nothing. */
  readonly secret: string | undefined;
  readonly state: string;
  readonly code: string;
  /** As the provider names itself there (RFC 9207). */
  readonly issuer: string | undefined;
  /** What the provider refused the sign-in with (RFC 6749, 4.1.2.1). Not trusted: anyone can link to the callback with any text. */
  readonly refusal?: { readonly error: string; readonly description?: string | undefined } | undefined;
}

export interface NewToken {
  readonly name: string;
  readonly scopes: readonly OperatorScope[];
  readonly expiresAt: Date;
}

export interface OperatorToken extends NewToken {
  /** `opk_` and 16 hex digits; it is no secret. */
  readonly id: string;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly revokedAt: Date | null;
}
