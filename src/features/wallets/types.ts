import type { Queryable } from '../../core/database/types.ts';
import type { KeptAnswer } from '../../core/idempotency/types.ts';
import type { IssuedReceipt } from '../billing/receipts/types.ts';

/**
 * Wallets and their money: a double-entry ledger in whole thousandths of a credit (millicredits). Transfers are only ever
 * added; constraints and triggers in the database refuse an overdraft even if this code is wrong.
 */
export interface Wallets {
  /**
   * One welcome bonus per address, for ever; registering again is harmless. Where the bonus needs proof it comes with the first
   * registration that is proved, or with `welcome`.
   */
  register(wallet: string, terms?: { isProved: boolean }): Promise<Registered>;
  /** To be called when a wallet has proved itself. Answers the millicredits it brought: what `register` kept back, else 0. */
  welcome(wallet: string): Promise<number>;
  find(wallet: string): Promise<WalletState | undefined>;
  /** Cheap: a wallet once registered stays so, and is remembered in memory. */
  isRegistered(wallet: string): Promise<boolean>;
  /** Newest first. */
  history(wallet: string, limit: number): Promise<LedgerEntry[]>;
  /** Newest first, as long as the wallet has had movements. */
  statement(wallet: string, page: StatementPage): Promise<StatementEntry[]>;
  /**
   * Sets credits aside for one call. `id` names the call and makes a repeat harmless.
   * @throws AtelierError wallet_not_registered, insufficient_credits; by the rules of the owner spending_stopped,
   * approval_required, or what is wrong with the approval that came
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
   * Takes the held credits, pays the credit-back, keeps the answer under its idempotency key and the receipt of the call,
   * all or nothing. Of a hold with `taken`, only that is taken, and the rest is given back in the same transaction.
   * Settling twice changes nothing. @throws when the hold has expired or was released.
   */
  settle(
    hold: Hold,
    answer?: KeptAnswer,
    receipt?: IssuedReceipt,
  ): Promise<{ balance: number; creditBack: number }>;
  /**
   * Gives the held credits back, in the transaction of what gives them back, if it has one; harmless when already resolved. Answers the
   * millicredits that came back.
   */
  release(hold: Pick<Hold, 'id'>, tx?: Queryable): Promise<number>;
  /** Expires holds whose time is over; returns how many. `all` also those still running: only right after start-up of the one process that owns the database. */
  expireHolds(now: Date, all?: boolean): Promise<number>;
  /** Gives back what calls hold whose ids begin so, because their server has died; returns how many. */
  releaseCalls(calls: string): Promise<number>;
  /** What is held now. */
  openHolds(): Promise<OpenHolds>;
  /** Recomputes the books from the journal. Amounts in millicredits. */
  audit(): Promise<Audit>;
}

/** What of an owner's consent came with a call. */
export interface HoldConsent {
  /** The id of an approval. */
  readonly approval?: string | undefined;
  readonly paramsSha256?: string | undefined;
  /** The owner has signed the very request. */
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
  /** Millicredits this registration brought. */
  readonly bonus: number;
  /** A bonus waits for proof. */
  readonly bonusNeedsProof: boolean;
}

export interface WalletState {
  readonly wallet: string;
  readonly registeredAt: Date;
  /** What the wallet owns, in millicredits; `available` is what is not held. */
  readonly balance: number;
  readonly held: number;
  readonly available: number;
  /** The operator has blocked it or its owner has closed it: it spends nothing, whatever it has. */
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
  /** Signed, from the wallet's point of view. */
  readonly amount: number;
  readonly balanceAfter: number;
  readonly tool?: string;
  readonly at: Date;
}

/** Which movements: at or after `from`, before `until`, older than the position `before`. */
export interface StatementPage {
  readonly from?: Date;
  readonly until?: Date;
  readonly before?: number;
  readonly limit: number;
}

export interface StatementEntry extends LedgerEntry {
  /** Place in the journal. */
  readonly position: number;
  /** The signed receipt of the paid call that made this movement: of its charge, of its credit-back. */
  readonly receiptId?: string;
}

export interface Hold {
  readonly id: string;
  readonly wallet: string;
  readonly amount: number;
  readonly tool: string;
  /** What the call is charged, where that is less than what is held for it. */
  readonly taken?: number;
}

export interface OpenHolds {
  readonly open: number;
  /** Those whose time was over minutes ago: holds are expired every minute. */
  readonly overdue: number;
  /** Millicredits. */
  readonly held: number;
}

export interface Audit {
  readonly balanced: boolean;
  readonly checkedAt: Date;
  /** Everything ever put into wallets from outside: granted, purchased, credit-back; less what was taken back with its money. */
  readonly issued: number;
  readonly spent: number;
  readonly refunded: number;
  /** Owned by wallets now, and how much of it is held. */
  readonly outstanding: number;
  readonly held: number;
  readonly wallets: number;
  readonly transfers: number;
  readonly problems: string[];
}
