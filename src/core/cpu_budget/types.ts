/** Budgets of CPU seconds for each network address, its networks and each wallet that pays, counted in the memory of one process. */
export interface CpuBudget {
  /**
   * Admits work while every budget it draws on is above zero, however long the work is expected to take: debt is repaid by waiting.
   * @throws AtelierError rate_limited with Retry-After and RateLimit headers
   */
  require(account: CpuAccount): void;
  /** Whether `require` would refuse; refuses and counts nothing. */
  isExhausted(account: CpuAccount): boolean;
  /**
   * Takes CPU seconds that were measured, into debt if need be; less than CPU_CHARGE_STEP_SECONDS at the latest with `settle`. Without an
   * account only the metrics count them.
   */
  charge(account: CpuAccount | undefined, seconds: number, cpuClass: CpuClass): void;
  /** Takes pending charges. */
  settle(account: CpuAccount): void;
  /** Takes predicted CPU seconds while work runs, so that calls sent at once count before they end. Returns what gives them back. */
  reserve(account: CpuAccount | undefined, seconds: number): () => void;
  /** Accounts that have used most of their budget, largest first. Reads every budget: for an operator, not for each call. */
  heaviest(countMax: number): CpuUse[];
  /** Budgets that are used up, by what they are counted for. */
  exhausted(): Record<CpuScope, number>;
}

/** The account that work is charged to. */
export interface CpuAccount {
  /** Network address, the whole IPv6 address where it is known. */
  readonly address: string;
  /** Set where the wallet's credits admitted the work: it then draws on the larger budgets of wallets with credits. */
  credits?: CpuCredits | undefined;
}

export interface CpuCredits {
  /** The wallet that proved itself; absent where it was only named, because anyone can name a wallet. */
  readonly provenWallet?: string | undefined;
}

/** What used the time: JavaScript of the main thread, processes for images and networks, the thread of the embedded database. */
export type CpuClass = 'main' | 'engine' | 'database';

/** The subject of a budget. */
export type CpuScope = 'address' | 'network' | 'wallet';

export interface CpuUse {
  /** Address, network in CIDR text, or wallet. */
  readonly name: string;
  readonly scope: CpuScope;
  /** CPU seconds that are used and not refilled yet. */
  readonly usedSeconds: number;
  /** Until work is admitted again; 0 while it is. */
  readonly waitSeconds: number;
}

/** Budget of one address. */
export interface CpuLimits {
  /** CPU seconds that can be used at once; 0 turns all budgets off. */
  readonly burst: number;
  /** CPU seconds that are refilled per second. */
  readonly refill: number;
}
