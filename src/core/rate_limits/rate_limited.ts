import { AtelierError } from '../errors/atelier_error.ts';
import { rateHeaders } from './rate_headers.ts';
import type { Policy, RateState } from './types.ts';

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
