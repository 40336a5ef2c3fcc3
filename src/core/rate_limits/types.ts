/** Counts calls per caller: in memory where one process has the database, else in the database, for all servers together. */
export interface Limiter {
  /** Takes one call. @throws AtelierError rate_limited with Retry-After and RateLimit headers */
  take(policy: Policy, callerKey: string): Promise<RateState>;
  /** Counts nothing. @throws AtelierError as `take` would */
  look(policy: Policy, callerKey: string): Promise<void>;
  /** Gives one back: a call that failed does not count against a tool's own limit. */
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
