import { type Policy, type RateState, rateHeaders } from '../core/rate_limits/rate_limited.ts';
import { highestPrice } from '../features/definitions/price.ts';
import { type AnyTool, type Limit, limitsOf } from '../features/definitions/tool.ts';
import type { Client, PipelineContext, Principal } from './types.ts';

interface Who {
  readonly client: Client;
  readonly principal: Principal;
}

interface Counting<T> extends Who {
  /** Whether this response counts against the limit. */
  readonly counts?: (answer: T) => boolean;
}

type Counted = { readonly headers: Record<string, string> };

/**
 * Counts a tool call against the general limit and its own, if any. Calls that a page has counted are
 * excluded.
 */
export function limitTool<T extends Counted & { body: Record<string, unknown> }>(
  context: PipelineContext,
  { tool, input, ...who }: Who & { readonly tool: AnyTool; readonly input: Record<string, unknown> },
  work: () => Promise<T>,
): Promise<T> {
  if (who.client.isCounted) return work();
  const counts = ({ body }: T) => tool.limit?.counts?.(body) ?? true;
  const own = limitsOf(tool.limit).filter(({ appliesTo }) => appliesTo?.(input) ?? true);
  return limitRate(context, [generalLimit(context, tool)], who, () =>
    limitRate(context, own, { ...who, counts }, work),
  );
}

/**
 * A preview has its own limit, far above the changes a person makes in a minute. CPU seconds are the actual
 * bound.
 */
export const limitPreview = <T extends Counted>(
  context: PipelineContext,
  who: Who,
  work: () => Promise<T>,
): Promise<T> => (who.client.isCounted ? work() : limitRate(context, [PREVIEWS], who, work));

export const PREVIEWS: Limit = {
  name: 'previews',
  calls: 600,
  perSeconds: 60,
  by: 'address',
  failuresCount: true,
};

/** All limits of a tool, for other interfaces to the same data. */
export const limitsOfTool = (context: PipelineContext, tool: AnyTool): Limit[] => [
  generalLimit(context, tool),
  ...limitsOf(tool.limit),
];

/** The general limit of the kind of tool. */
export const generalLimit = ({ rates }: PipelineContext, tool: AnyTool): Limit =>
  highestPrice(tool.price) === 0
    ? { name: 'free-tools', calls: rates['free-tools'], perSeconds: 3600, failuresCount: true }
    : { name: 'paid-tools', calls: rates['paid-tools'], perSeconds: 60, failuresCount: true };

/** The configured limit. */
export const policyOf = ({ rates }: PipelineContext, { name, calls, perSeconds }: Limit): Policy => ({
  name,
  calls: rates[name] ?? calls,
  perSeconds,
});

/**
 * Counts one call against every limit, or refuses it and counts it in none. A failed call is returned unless failures count too, as
 * is a call whose response does not count. The headers describe the limit closest to exhaustion.
 */
export async function limitRate<T extends Counted>(
  context: PipelineContext,
  limits: readonly Limit[],
  { counts = () => true, ...who }: Counting<T>,
  work: () => Promise<T>,
): Promise<T> {
  if (limits.length === 0) return work();
  const taken: Taken[] = [];
  for (const limit of limits) taken.push(...(await take(context, limit, who, taken)));
  const giveBack = (some: readonly Taken[]) =>
    Promise.all(some.map(({ policy, key }) => context.limiter.giveBack(policy, key)));
  try {
    const answer = await work();
    const isCounted = counts(answer);
    if (!isCounted) await giveBack(taken);
    const { policy, state } = taken.reduce((a, b) => (b.state.remaining < a.state.remaining ? b : a));
    const remaining = state.remaining + (isCounted ? 0 : 1);
    return { ...answer, headers: { ...rateHeaders(policy, { ...state, remaining }), ...answer.headers } };
  } catch (error) {
    await giveBack(taken.filter(({ limit }) => !limit.failuresCount));
    throw error;
  }
}

interface Taken {
  readonly limit: Limit;
  readonly policy: Policy;
  readonly key: string;
  readonly state: RateState;
}

/**
 * Takes one call from every counter of a limit at once, or from none.
 * @param before permits this call has taken so far; returned where this limit refuses it
 */
async function take(
  context: PipelineContext,
  limit: Limit,
  who: Who,
  before: readonly Taken[],
): Promise<Taken[]> {
  const taken: Taken[] = [];
  try {
    const counters = await countersOf(context, limit, who);
    const answers = await Promise.allSettled(
      counters.map(async ({ policy, key }) => {
        taken.push({ limit, policy, key, state: await context.limiter.take(policy, key) });
      }),
    );
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    return taken;
  } catch (error) {
    await Promise.all([...before, ...taken].map(({ policy, key }) => context.limiter.giveBack(policy, key)));
    throw error;
  }
}

/** Limits per wallet also count per address, with a higher ceiling: wallets are free to create, and addresses are not. */
async function countersOf(
  context: PipelineContext,
  limit: Limit,
  { client: { address }, principal }: Who,
): Promise<{ policy: Policy; key: string }[]> {
  const { name, perSeconds, by } = limit;
  const policy = policyOf(context, limit);
  if (by === 'everybody') return [{ policy, key: 'everybody' }];
  if (by === 'address') return [{ policy, key: `ip:${address}` }];
  const counted = await countingKeyOf(context, address, principal);
  // With proof of ownership it is counted as its owner everywhere; without, together with the clients that
  // name it from that address.
  const isProved = principal.proof !== undefined && counted === principal.wallet;
  const keys = isProved ? [counted, unprovenKey(counted, address)] : [counted];
  const ceiling = { name: `${name}-of-address`, calls: policy.calls * context.addressFactor, perSeconds };
  return [...keys.map((key) => ({ policy, key })), { policy: ceiling, key: `ip:${address}` }];
}

/** Any client can name a wallet: without proof it uses up the wallet's limit at its own address only, not the owner's elsewhere. */
const unprovenKey = (wallet: string, address: string): string => `${wallet} at ${address}`;

/**
 * A wallet is counted as itself only once it is registered; otherwise a client could escape the limits of its address by
 * making up wallets.
 */
export async function countingKeyOf(
  { services: { wallets } }: PipelineContext,
  address: string,
  { wallet, proof }: Principal,
): Promise<string> {
  if (wallet === undefined || !(await wallets.isRegistered(wallet))) return `ip:${address}`;
  return proof ? wallet : unprovenKey(wallet, address);
}
