import type { Queryable } from '../../core/database/types.ts';
import type { StoredResponse } from '../../core/idempotency/types.ts';
import type { IssuedReceipt } from '../billing/receipts/types.ts';

/**
 * Wallets: a double-entry ledger in whole thousandths of a credit (millicredits). Transfers are append-only; constraints and
 * triggers in the database refuse an overdraft even if this code is wrong.
 */
export interface Wallets {
  /**
   * Registers a wallet, with one welcome bonus per address, ever; idempotent. Where the bonus requires proof, it is granted at the
   * first proved registration, or by `welcome`. `hasBonus: false` registers without one.
   */
  register(wallet: string, terms?: { isProved: boolean; hasBonus?: boolean }): Promise<Registered>;
  /** Whether the welcome bonus was ever granted to this wallet. */
  hasWelcome(wallet: string): Promise<boolean>;
  /** Grants a registered wallet its welcome bonus, once. Returns the millicredits granted. */
  welcome(wallet: string): Promise<number>;
  find(wallet: string): Promise<WalletState | undefined>;
  /** Cheap: registrations are permanent and cached. */
  isRegistered(wallet: string): Promise<boolean>;
  /** Newest first. */
  history(wallet: string, limit: number): Promise<LedgerEntry[]>;
  /** Newest first, back to the first movement. */
  statement(wallet: string, page: StatementPage): Promise<StatementEntry[]>;
  /**
   * Holds credits for one call. `id` names the call and makes a repeat idempotent.
   * @throws AtelierError wallet_not_registered, insufficient_credits; by the rules of the owner spending_stopped,
   * approval_required, or what is wrong with the approval
   */
  hold(request: {
    id: string;
    wallet: string;
    amount: number;
    tool: string;
    expiresAt: Date;
    consent?: HoldConsent | undefined;
  }): Promise<Hold>;
  /**
   * Charges the hold, pays the credit-back, and stores the response under its idempotency key and the receipt, all or nothing. With
   * `taken`, charges only that and releases the rest in the same transaction. Idempotent. @throws when the hold has expired or was
   * released.
   */
  settle(
    hold: Hold,
    answer?: StoredResponse,
    receipt?: IssuedReceipt,
  ): Promise<{ balance: number; creditBack: number }>;
  /** Whether a hold is open. An open hold stays open until the transaction ends. */
  isHeld(hold: Pick<Hold, 'id'>, tx: Queryable): Promise<boolean>;
  /** Releases the hold, in the given transaction if any; idempotent. Returns the released millicredits. */
  release(hold: Pick<Hold, 'id'>, tx?: Queryable): Promise<number>;
  /**
   * Expires holds that are due; returns their number. `all` includes running ones: only right after the start of the one process
   * that owns the database.
   */
  expireHolds(now: Date, all?: boolean): Promise<number>;
  /** Ids of calls with this prefix that hold credits. */
  openCalls(prefix: string): Promise<string[]>;
  /** Releases the abandoned holds of calls with this id or prefix; returns their number. */
  releaseCalls(calls: string): Promise<number>;
  /** Open holds. */
  openHolds(): Promise<OpenHolds>;
  /** Recomputes the ledger from the journal. Amounts in millicredits. */
  audit(): Promise<Audit>;
}

/** Consent of the owner that came with a call. */
export interface HoldConsent {
  /** The id of an approval. */
  readonly approval?: string | undefined;
  readonly paramsSha256?: string | undefined;
  /** The owner signed this request. */
  readonly isSigned?: boolean;
}

export type HoldOutcome = 'held' | 'differs' | HoldRefusal;

export type HoldRefusal =
  | 'wallet_not_registered'
  | 'insufficient_credits'
  | 'wallet_blocked'
  | 'spending_stopped'
  | 'approval_required'
  | 'approval_waiting'
  | 'approval_refused'
  | 'approval_expired'
  | 'approval_used'
  | 'approval_differs'
  | 'approval_not_found';

export interface Registered {
  readonly alreadyRegistered: boolean;
  readonly registeredAt: Date;
  readonly balance: number;
  /** Millicredits granted by this registration. */
  readonly bonus: number;
  /** A bonus is withheld until the wallet is proved. */
  readonly bonusNeedsProof: boolean;
}

export interface WalletState {
  readonly wallet: string;
  readonly registeredAt: Date;
  /** Balance in millicredits; `available` excludes holds. */
  readonly balance: number;
  readonly held: number;
  readonly available: number;
  /** Blocked by the operator or closed by its owner: it cannot spend. */
  readonly isBlocked: boolean;
  readonly totals: {
    granted: number;
    purchased: number;
    spent: number;
    creditBack: number;
    refunded: number;
  };
}

export interface LedgerEntry {
  readonly id: string;
  readonly type: string;
  /** Signed: positive for credits received. */
  readonly amount: number;
  readonly balanceAfter: number;
  readonly tool?: string;
  readonly at: Date;
}

/** Filter: at or after `from`, before `until`, older than the position `before`. */
export interface StatementPage {
  readonly from?: Date;
  readonly until?: Date;
  readonly before?: number;
  readonly limit: number;
}

export interface StatementEntry extends LedgerEntry {
  /** Position in the journal. */
  readonly position: number;
  /** Receipt of the paid call behind this movement: its charge, or its credit-back. */
  readonly receiptId?: string;
}

export interface Hold {
  readonly id: string;
  readonly wallet: string;
  readonly amount: number;
  readonly tool: string;
  /** The charge, if less than the hold. */
  readonly taken?: number;
}

export interface OpenHolds {
  readonly open: number;
  /** Holds overdue by minutes, although holds are expired every minute. */
  readonly overdue: number;
  /** Millicredits. */
  readonly held: number;
}

export interface Audit {
  readonly balanced: boolean;
  readonly checkedAt: Date;
  /** All credits put into wallets: granted, purchased, credit-back; minus reversals. */
  readonly issued: number;
  readonly spent: number;
  readonly refunded: number;
  /** Total balance of all wallets, and how much of it is held. */
  readonly outstanding: number;
  readonly held: number;
  readonly wallets: number;
  readonly transfers: number;
  readonly problems: string[];
}
