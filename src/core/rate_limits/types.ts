/** Rate limiter: in memory where one process owns the database, else in the database, for all servers together. */
export interface Limiter {
  /** Counts one call. @throws AtelierError rate_limited with Retry-After and RateLimit headers */
  take(policy: Policy, callerKey: string): Promise<RateState>;
  /** Checks the limit without counting. @throws AtelierError as `take` */
  look(policy: Policy, callerKey: string): Promise<void>;
  /** Returns one permit: a failed call does not count against the limit of a tool. */
  giveBack(policy: Policy, callerKey: string): Promise<void>;
}

export interface Policy {
  readonly name: string;
  readonly calls: number;
  readonly perSeconds: number;
}

export interface RateState {
  readonly remaining: number;
  readonly resetSeconds: number;
}
