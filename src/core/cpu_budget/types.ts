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
   * Charges measured CPU seconds, into debt if necessary; amounts below CPU_CHARGE_STEP_SECONDS are charged by `settle` at the latest.
   * Without an account, only the metrics count them.
   */
  charge(account: CpuAccount | undefined, seconds: number, cpuClass: CpuClass): void;
  /** Applies pending charges. */
  settle(account: CpuAccount): void;
  /**
   * Charges predicted CPU seconds while work runs, so that concurrent calls count before they end. Returns a function that refunds them.
   */
  reserve(account: CpuAccount | undefined, seconds: number): () => void;
  /** Accounts that have used most of their budget, largest first. Reads every budget: for operators, not for each call. */
  heaviest(countMax: number): CpuUse[];
  /** Number of exhausted budgets, by subject. */
  exhausted(): Record<CpuScope, number>;
}

/** The account that work is charged to. */
export interface CpuAccount {
  /** Network address; the whole IPv6 address if known. */
  readonly address: string;
  /** Set if the wallet's credits admitted the work, which then draws on the larger budgets of wallets with credits. */
  credits?: CpuCredits | undefined;
}

export interface CpuCredits {
  /** The verified wallet; absent if the wallet was only named, because anyone can name a wallet. */
  readonly provenWallet?: string | undefined;
}

/** Consumer of the time: JavaScript on the main thread, processes for images and networks, or the thread of the embedded database. */
export type CpuClass = 'main' | 'engine' | 'database';

/** The subject of a budget. */
export type CpuScope = 'address' | 'network' | 'wallet';

export interface CpuUse {
  /** Address, network in CIDR text, or wallet. */
  readonly name: string;
  readonly scope: CpuScope;
  /** CPU seconds used and not refilled yet. */
  readonly usedSeconds: number;
  /** Seconds until work is admitted again; 0 if it is admitted now. */
  readonly waitSeconds: number;
}

/** Budget of one address. */
export interface CpuLimits {
  /** CPU seconds available at once; 0 disables all budgets. */
  readonly burst: number;
  /** CPU seconds refilled per second. */
  readonly refill: number;
}
