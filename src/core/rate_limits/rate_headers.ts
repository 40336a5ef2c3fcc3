import type { Policy, RateState } from './types.ts';

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
