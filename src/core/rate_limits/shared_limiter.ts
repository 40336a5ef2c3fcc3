import { AtelierError } from '../errors/atelier_error.ts';
import { type AskingOptions, createAsking } from './create_asking.ts';
import { type Known, newCaller, refusal, stateNow } from './known.ts';
import { KEYS_MAX, LEASE_MS } from './limits.ts';
import type { Limiter, Policy, RateState } from './types.ts';

export interface SharedLimiterOptions extends Pick<AskingOptions, 'take'> {
  /** Counts for this process alone while the database cannot. */
  readonly alone: Limiter;
  readonly now?: () => number;
}

export interface SharedLimiter extends Limiter {
  /** Gives back what was taken ahead. */
  close(): Promise<void>;
}

/**
 * Counts for all servers of one database: together they let through what the limit says, never more. Whoever calls often is asked about
 * seldom: a process takes some calls ahead, and gives back those it did not use within a second. See docs/decisions/0109-replicas.md.
 */
export function createSharedLimiter({
  take,
  alone,
  now = () => performance.now(),
}: SharedLimiterOptions): SharedLimiter {
  const callers = new Map<string, Known>();
  const asking = createAsking({ take, now });

  function callerOf(policy: Policy, callerKey: string): Known {
    const name = `${policy.name} ${callerKey}`;
    const known = callers.get(name) ?? newCaller(name, policy);
    known.policy = policy;
    callers.delete(name);
    callers.set(name, known);
    if (callers.size > KEYS_MAX) callers.delete(callers.keys().next().value!);
    return known;
  }

  /** @throws AtelierError where the database said within the last second that nothing is left */
  function refuseFull(known: Known): void {
    if (known.ahead === 0 && now() - known.toldAt < LEASE_MS && stateNow(known, now()).remaining < 1)
      throw refusal(known, now());
  }

  async function ask(known: Known, policy: Policy, callerKey: string): Promise<RateState> {
    const answer = Promise.withResolvers<RateState>();
    known.waiting.push(answer);
    asking.add(known);
    try {
      return await answer.promise;
    } catch (error) {
      // Away, or without room to write: what needs no database is answered all the same.
      const isAway = error instanceof AtelierError && error.code !== 'rate_limited';
      if (!isAway) throw error;
      return alone.take(policy, callerKey);
    }
  }

  return {
    async look(policy, callerKey) {
      const known = callers.get(`${policy.name} ${callerKey}`);
      if (known) refuseFull(known);
    },
    async take(policy, callerKey) {
      const known = callerOf(policy, callerKey);
      refuseFull(known);
      if (known.ahead === 0) return ask(known, policy, callerKey);
      known.ahead -= 1;
      return stateNow(known, now());
    },
    async giveBack(policy, callerKey) {
      const known = callerOf(policy, callerKey);
      known.ahead += 1;
      asking.giveBackLater(known);
    },
    close: () => asking.close(),
  };
}
