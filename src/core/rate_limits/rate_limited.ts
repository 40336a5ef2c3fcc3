import { AtelierError } from '../errors/atelier_error.ts';

/** The error for a caller over its limit. @param isRepeat whether it was refused before in this window */
export function rateLimited(policy: Policy, state: RateState, isRepeat: boolean): AtelierError {
  const span =
    policy.perSeconds === 3600
      ? 'an hour'
      : policy.perSeconds === 60
        ? 'a minute'
        : policy.perSeconds === 86_400
          ? 'a day'
          : `${policy.perSeconds} seconds`;
  return new AtelierError(
    'rate_limited',
    `At most ${policy.calls} calls ${span} ("${policy.name}"). Try again in ${state.resetSeconds} s.`,
    {
      isRepeat,
      retryAfterSeconds: state.resetSeconds,
      headers: rateHeaders(policy, { ...state, remaining: 0 }),
      members: { violated_policies: [policy.name] },
    },
  );
}

/** RateLimit fields of the IETF HTTPAPI draft (2025-09), and the older X- headers that many clients read. */
export function rateHeaders(policy: Policy, { remaining, resetSeconds }: RateState): Record<string, string> {
  return {
    'RateLimit-Policy': `"${policy.name}";q=${policy.calls};w=${policy.perSeconds}`,
    RateLimit: `"${policy.name}";r=${remaining};t=${resetSeconds}`,
    'X-RateLimit-Limit': String(policy.calls),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
  };
}

/** Rate limiter: in memory if one process owns the database, otherwise in the database, for all servers together. */
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
