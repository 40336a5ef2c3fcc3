import type { AtelierError } from '../../../core/errors/atelier_error.ts';

/** What vision models may use in a day (UTC), over all servers of one database, and how much of it one caller may have. */
export interface VisionBudget {
  /**
   * Sets aside what one request may use at most; what is not settled by `lifetimeMs` is given back.
   * @throws AtelierError vision_budget_spent, saying when there is more
   */
  reserve(most: Amount, by: Spender, lifetimeMs: number): Promise<Reservation>;
  /** What `reserve` would throw just now; undefined where it would not. */
  refusal(most: Amount, by: Spender): Promise<AtelierError | undefined>;
  /** Forgets what was used longer ago than anybody asks for. */
  sweep(now: Date): Promise<number>;
}

export interface Reservation {
  /** Writes down what the request has used in place of what was set aside. Only the first time counts. */
  settle(used: Amount): Promise<void>;
}

export interface Amount {
  readonly tokens: number;
  /** US dollars; 0 where no prices are set. */
  readonly usd: number;
}

/** For whom: the network address, and within it the caller, as `CallContext` has them. Absent: the service itself. */
export interface Spender {
  readonly address?: string | undefined;
  readonly callerKey?: string | undefined;
}

/** Absent members are not bounded. */
export interface DayLimits {
  readonly tokens?: number | undefined;
  /** US dollars. */
  readonly usd?: number | undefined;
  /** Part of both that one address, and one caller, may use, in percent. */
  readonly sharePercent: number;
}
