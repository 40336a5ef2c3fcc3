import type { Policy, RateState } from '../services/limiter/index.ts';
import { rateHeaders } from '../services/limiter/index.ts';
import { highestPrice } from '../tools/price.ts';
import type { AnyTool, Limit } from '../tools/tool.ts';
import type { CallKit } from './call_tool.ts';
import type { Caller } from './caller.ts';

/** Counts a tool call against the general limit and, where it has one, its own. */
export function toolRateLimited<T extends { headers: Record<string, string> }>(
  kit: CallKit,
  tool: AnyTool,
  caller: Caller,
  wallet: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const inner = tool.limit ? () => rateLimited(kit, tool.limit!, caller, wallet, work) : work;
  return rateLimited(kit, generalLimit(kit, tool), caller, wallet, inner, { countFailures: true });
}

/** What counts every tool of its kind. */
export const generalLimit = ({ rates }: CallKit, tool: AnyTool): Limit =>
  highestPrice(tool.price) === 0
    ? { name: 'free-tools', calls: rates['free-tools'], perSeconds: 3600 }
    : { name: 'paid-tools', calls: rates['paid-tools'], perSeconds: 60 };

/** A limit as the settings have it. */
export const policyOf = ({ rates }: CallKit, { name, calls, perSeconds }: Limit): Policy => ({
  name,
  calls: rates[name] ?? calls,
  perSeconds,
});

/**
 * Counts one call against one limit. A failed call is given back unless failures count too, and so is one whose answer
 * does not count.
 */
export async function rateLimited<T extends { headers: Record<string, string> }>(
  kit: CallKit,
  limit: Limit,
  caller: Caller,
  wallet: string | undefined,
  work: () => Promise<T>,
  { countFailures = false, counts = () => true }: Counting<T> = {},
): Promise<T> {
  const policy = policyOf(kit, limit);
  const key = limit.by === 'address' ? `ip:${caller.address}` : await countedAs(kit, caller.address, wallet);
  const state: RateState = await kit.limiter.take(policy, key);
  try {
    const answer = await work();
    const isCounted = counts(answer);
    if (!isCounted) await kit.limiter.giveBack(policy, key);
    const remaining = state.remaining + (isCounted ? 0 : 1);
    return { ...answer, headers: { ...rateHeaders(policy, { ...state, remaining }), ...answer.headers } };
  } catch (error) {
    if (!countFailures) await kit.limiter.giveBack(policy, key);
    throw error;
  }
}

interface Counting<T> {
  readonly countFailures?: boolean;
  readonly counts?: (answer: T) => boolean;
}

/**
 * A wallet is counted as itself only once it is registered; otherwise anybody could escape the limits of an address by
 * making up wallets.
 */
export async function countedAs(
  { services: { wallets } }: CallKit,
  address: string,
  wallet: string | undefined,
): Promise<string> {
  return wallet !== undefined && (await wallets.isRegistered(wallet)) ? wallet : `ip:${address}`;
}
